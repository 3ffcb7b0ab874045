"""Recorded games of every source: records as `jantaku.table.record.read` has them, and all replies.

Seats are those of the kyoku, 0 for its dealer, except in the end, which goes by player id as a game does. None means
that the source does not tell it, and it is not compared.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from jantaku.table.formats.facts import EndFact, Fact, WinFact
from jantaku.table.record.read import Record
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import Discard, RiichiAction
from jantaku.table.riichi.pieces.seats import seat_of
from jantaku.table.riichi.pieces.wall import Wall
from jantaku.table.riichi.rules import Rules

Line = dict[str, Any]
"""One line of a collection."""
Play = events.Draw | events.TileDiscard | events.MeldCall | events.OwnKan | events.NorthAside
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
Menu = frozenset[str]
"""The options of one seat in words, tiles without a red five's colour where a whole kan is meant, and without whether
they were just drawn; see `comparing.menu`."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What all seats did about one play: the drawer or caller in its turn, the others about a discard or kan.

    `replies` by seat, without those that passed. `offers` by seat: None for a seat that was asked without the options
    being listed; a seat that is not there is unknown. `tenpai` are the seats that declared it at this discard, the last
    one; `may_declare` those who were free to.
    """

    replies: Mapping[int, RiichiAction] = {}
    offers: Mapping[int, Offer | Menu | None] = {}
    tenpai: frozenset[int] = frozenset()
    may_declare: frozenset[int] | None = None


@dataclass(frozen=True)
class KyokuRecord:
    """One kyoku: `log` as in `Record.log`, but that sources disagree on the place of indicators; `decisions[n]` follows
    the nth play."""

    log: tuple[Fact, ...]
    wall: Wall
    decisions: tuple[Decision, ...]

    @property
    def deal(self) -> events.KyokuStart:
        """What the kyoku begins with."""
        assert isinstance(self.log[0], events.KyokuStart), "a kyoku begins with its deal"
        return self.log[0]

    @property
    def number(self) -> int:
        """Counted from East 1 = 0."""
        return self.deal.round_wind * len(self.deal.scores) + self.deal.kyoku

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """What happened, without the deal and without indicators."""
        return tuple(fact for fact in self.log[1:] if not isinstance(fact, events.Dora))

    @property
    def indicators(self) -> tuple[int, ...]:
        """All that were opened."""
        return (self.deal.indicator, *(fact.indicator for fact in self.log if isinstance(fact, events.Dora)))


class GameRecord(Record, kw_only=True):
    """A game of a collection: a record of which the walls are known, and of some sources every reply and option."""

    rules: Rules
    decisions: list[tuple[Decision, ...]]
    """By kyoku."""
    single: bool = False
    """It is one kyoku out of a game."""
    ignore_first_tsumogiri: bool = False
    """The source calls the dealer's first discard tedashi whatever it was."""

    @property
    def name(self) -> str:
        """As the collection calls it."""
        return self.path.name

    @property
    def kyoku(self) -> list[KyokuRecord]:
        """Log, walls and decisions kyoku by kyoku."""
        parts = zip(self.log, self.walls, self.decisions, strict=True)
        return [KyokuRecord(tuple(log), wall, decisions) for log, wall, decisions in parts]

    @property
    def miscounted(self) -> int:
        """How many wins the source is known to have miscounted."""
        return sum(isinstance(fact, WinFact) and fact.miscounted for log in self.log for fact in log)


def game_of(name: str, rules: Rules, kyoku: Iterable[KyokuRecord], final: EndFact | None) -> GameRecord:
    """A game of these kyoku."""
    played = list(kyoku)
    players = rules.game.players
    first_dealer = seat_of(played[0].deal.dealer, played[0].number, players)
    names: Any = tuple("ABCD"[:players])
    return with_kyoku(GameRecord(Path(name), names, first_dealer, [], final, rules=rules, decisions=[]), played)


def with_kyoku(game: GameRecord, kyoku: Sequence[KyokuRecord]) -> GameRecord:
    """A game with these kyoku instead of its own."""
    return msgspec.structs.replace(
        game,
        log=[list(one.log) for one in kyoku],
        walls=[one.wall for one in kyoku],
        decisions=[one.decisions for one in kyoku],
    )


def menus_in(game: GameRecord) -> int:
    """How many menus a game tells that are not empty."""
    offers = (offer for kyoku in game.decisions for decision in kyoku for offer in decision.offers.values())
    return sum(isinstance(offer, frozenset) and bool(offer) for offer in offers)


class Skipped(msgspec.Struct, frozen=True):
    """A record that nothing can be concluded from, and why."""

    name: str
    why: str


def dealt(tiles: Sequence[int], seats: int = 4) -> list[list[int]]:
    """The hands by seat, from tiles in the order in which they are dealt: three rounds of four, then one each."""
    hands: list[list[int]] = [[] for _ in range(seats)]
    for turn in range(3 * seats):
        hands[turn % seats] += tiles[turn * 4 : turn * 4 + 4]
    for seat in range(seats):
        hands[seat].append(tiles[12 * seats + seat])
    return hands
