"""Recorded games of every source in one form: walls, facts as in `table.formats.facts`, and what everybody replied.

Seats are those of the kyoku, 0 for its dealer, except in the end, which goes by player id as a game does.
What is None was not told by the source and is not compared.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from table.formats.facts import EndFact, Fact, WinFact
from table.riichi import events
from table.riichi.actions import Discard, RiichiAction
from table.riichi.pieces.wall import Wall
from table.riichi.rules import Rules

Line = dict[str, Any]
"""One line of a collection."""
Play = events.Draw | events.Discard | events.Call | events.Kan
"""The facts after which somebody may have to decide."""


class Offer(msgspec.Struct, frozen=True):
    """The options of one seat as a source lists them, riichi discards apart.

    `riichi` is the set of them, or only whether there was any.
    """

    actions: frozenset[RiichiAction] = frozenset()
    riichi: frozenset[Discard] | bool = frozenset()

    @property
    def is_nothing(self) -> bool:
        """Whether the seat was not asked."""
        return not self.actions and not self.riichi


NOTHING = Offer()


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What all seats did about one play: the drawer or caller in its turn, the others about a discard or kan.

    `replies` by seat, without those who let it go. `offers` by seat: None for a seat that was asked without
    the options being listed; a seat that is not there is unknown. `tenpai` are the seats that declared it at
    this discard, the last one; `may_declare` those who were free to.
    """

    replies: Mapping[int, RiichiAction] = {}
    offers: Mapping[int, Offer | None] = {}
    tenpai: frozenset[int] = frozenset()
    may_declare: frozenset[int] | None = None


class KyokuRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One kyoku. `scores` by seat; `indicators` are all that were opened; `decisions[n]` follows the nth play."""

    dealer: int
    number: int
    honba: int
    sticks: int
    scores: events.Four
    wall: Wall
    facts: tuple[Fact, ...]
    indicators: tuple[int, ...]
    decisions: tuple[Decision, ...]
    ignore_first_tsumogiri: bool = False
    """The source calls the dealer's first discard tedashi whatever it was."""

    @property
    def miscounted(self) -> int:
        """How many wins the source is known to have miscounted."""
        # Wins are the last facts of a kyoku.
        return sum(isinstance(fact, WinFact) and fact.miscounted for fact in self.facts[-3:])


class GameRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A game, or with `single` one kyoku out of a game. `final` is None if the record does not tell."""

    name: str
    rules: Rules
    kyoku: tuple[KyokuRecord, ...]
    final: EndFact | None
    single: bool = False

    @property
    def first_dealer(self) -> int:
        """Player id of the first dealer (起家)."""
        return (self.kyoku[0].dealer - self.kyoku[0].number) % 4

    @property
    def miscounted(self) -> int:
        """How many wins the source is known to have miscounted."""
        return sum(kyoku.miscounted for kyoku in self.kyoku)


class Skipped(msgspec.Struct, frozen=True):
    """A record that nothing can be concluded from, and why."""

    name: str
    why: str


def dealt(tiles: Sequence[int]) -> list[list[int]]:
    """The hands by seat, from 52 tiles in the order in which they are dealt: three rounds of four, then one each."""
    hands: list[list[int]] = [[], [], [], []]
    for turn in range(12):
        hands[turn % 4] += tiles[turn * 4 : turn * 4 + 4]
    for seat in range(4):
        hands[seat].append(tiles[48 + seat])
    return hands
