"""Recorded games of every source: records as `jantaku.table.records.journal.read` has them, and all replies.

Seats count from the dealer of the kyoku, 0; the end of a game uses player ids. Where the source does not tell a value
it is None and is not compared.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from jantaku.table.languages.facts import DrawFact, EndFact, Fact, WinFact
from jantaku.table.records.journal.read import Record
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.actions import Discard, RiichiAction
from jantaku.table.riichi.pieces.melds import MeldKind
from jantaku.table.riichi.pieces.seats import seat_of
from jantaku.table.riichi.pieces.wall import Wall
from jantaku.table.riichi.rules import Rules

Line = dict[str, Any]
"""One line of a collection."""
Play = events.Draw | events.TileDiscard | events.MeldCall | events.OwnKan | events.NorthAside
"""The facts after which a seat may have to decide."""


class Offer(msgspec.Struct, frozen=True):
    """The options of one seat as a source lists them; riichi discards are separate.

    `riichi` is their set, or only whether there was any.
    """

    actions: frozenset[RiichiAction] = frozenset()
    riichi: frozenset[Discard] | bool = frozenset()

    @property
    def is_nothing(self) -> bool:
        """Whether the seat was not asked."""
        return not self.actions and not self.riichi


NOTHING = Offer()
Menu = frozenset[str]
"""The options of one seat as words; without a red five's colour if a whole kan is meant, and without whether a tile was
just drawn; see `comparing.menu`."""


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """The replies of all seats to one play: the drawer or caller in its turn, the others to a discard or kan.

    `replies` by seat, without passes. `offers` by seat: None for a seat that was asked although its options are not
    listed; a missing seat is unknown. `tenpai`: the seats that declared it at this discard, the last one.
    `may_declare`: the seats that were free to declare.
    """

    replies: Mapping[int, RiichiAction] = {}
    offers: Mapping[int, Offer | Menu | None] = {}
    tenpai: frozenset[int] = frozenset()
    may_declare: frozenset[int] | None = None


@dataclass(frozen=True)
class KyokuRecord:
    """One kyoku. `log` as in `Record.log`, except that sources disagree on the place of indicators; `decisions[n]`
    follows the nth play."""

    log: tuple[Fact, ...]
    wall: Wall
    decisions: tuple[Decision, ...]

    @property
    def deal(self) -> events.KyokuStart:
        """The deal that begins the kyoku."""
        assert isinstance(self.log[0], events.KyokuStart), "a kyoku begins with its deal"
        return self.log[0]

    @property
    def number(self) -> int:
        """Its number, from East 1 = 0."""
        return self.deal.round_wind * len(self.deal.scores) + self.deal.kyoku

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.log[1:] if not isinstance(fact, events.Dora))

    @property
    def indicators(self) -> tuple[int, ...]:
        return (self.deal.indicator, *(fact.indicator for fact in self.log if isinstance(fact, events.Dora)))


class GameRecord(Record, kw_only=True):
    """A game of a collection: a record with known walls, and, from some sources, every reply and option."""

    rules: Rules
    decisions: list[tuple[Decision, ...]]
    """Decisions by kyoku."""
    single: bool = False
    """Whether it is a single kyoku of a game."""
    ignore_first_tsumogiri: bool = False
    """Whether the source records the dealer's first discard as tedashi in any case."""

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def kyoku(self) -> list[KyokuRecord]:
        parts = zip(self.log, self.walls, self.decisions, strict=True)
        return [KyokuRecord(tuple(log), wall, decisions) for log, wall, decisions in parts]

    @property
    def miscounted(self) -> int:
        """The number of wins that the source is known to have miscounted."""
        return sum(isinstance(fact, WinFact) and fact.miscounted for log in self.log for fact in log)


def game_of(name: str, rules: Rules, kyoku: Iterable[KyokuRecord], final: EndFact | None) -> GameRecord:
    played = list(kyoku)
    players = rules.game.players
    first_dealer = seat_of(played[0].deal.dealer, played[0].number, players)
    names: Any = tuple("ABCD"[:players])
    return with_kyoku(GameRecord(Path(name), names, first_dealer, [], final, rules=rules, decisions=[]), played)


def with_kyoku(game: GameRecord, kyoku: Sequence[KyokuRecord]) -> GameRecord:
    return msgspec.structs.replace(
        game,
        log=[list(one.log) for one in kyoku],
        walls=[one.wall for one in kyoku],
        decisions=[one.decisions for one in kyoku],
    )


def menus_in(game: GameRecord) -> int:
    """Return the number of menus in a game that are not empty."""
    offers = (offer for kyoku in game.decisions for decision in kyoku for offer in decision.offers.values())
    return sum(isinstance(offer, frozenset) and bool(offer) for offer in offers)


class Skipped(msgspec.Struct, frozen=True):
    """A record from which nothing can be concluded, and why."""

    name: str
    why: str


def dealt(tiles: Sequence[int], seats: int = 4) -> list[list[int]]:
    """Return the hands by seat, from tiles in the order of dealing: three rounds of four, then one each."""
    hands: list[list[int]] = [[] for _ in range(seats)]
    for turn in range(3 * seats):
        hands[turn % seats] += tiles[turn * 4 : turn * 4 + 4]
    for seat in range(seats):
        hands[seat].append(tiles[12 * seats + seat])
    return hands


# --- replies, inferred from what happened


def derived_decisions(facts: Sequence[Fact]) -> tuple[Decision, ...]:
    """Return what the facts after each play tell about the seats' replies to it, for sources that do not record them:
    only claims that won are known."""
    happened = [fact for fact in facts if not isinstance(fact, events.Riichi)]
    decisions = []
    for place, fact in enumerate(happened):
        if isinstance(fact, Play):
            decisions.append(_decision(fact, happened[place + 1 :]))
    return tuple(decisions)


def _decision(play: Play, later: Sequence[Fact]) -> Decision:
    if isinstance(play, events.TileDiscard | events.OwnKan | events.NorthAside):
        return _reactions(play.seat, later)
    if isinstance(play, events.MeldCall) and play.meld.kind == MeldKind.DAIMINKAN:
        return Decision()
    return Decision(replies={play.seat: own_action(later[0])})


def own_action(fact: Fact) -> RiichiAction:
    """Return the turn seat's action that makes `fact` happen. ValueError if no action of its own does."""
    if isinstance(fact, events.TileDiscard):
        return actions.Discard(fact.tile, fact.tsumogiri, fact.riichi)
    if isinstance(fact, events.OwnKan):
        return actions.Kan(fact.meld)
    if isinstance(fact, events.NorthAside):
        return actions.SET_ASIDE
    if isinstance(fact, WinFact):
        return actions.TSUMO
    if isinstance(fact, DrawFact):
        return actions.KYUUSHU
    raise ValueError(f"{fact} does not follow a seat's own turn")


def _reactions(source: int, later: Sequence[Fact]) -> Decision:
    first = later[0]
    others = [seat for seat in range(4) if seat != source]
    if isinstance(first, WinFact):
        return Decision(replies={fact.seat: actions.RON for fact in later if isinstance(fact, WinFact)})
    if isinstance(first, events.MeldCall):
        return Decision(replies={first.seat: actions.Call(first.meld)})
    if isinstance(first, DrawFact) and first.reason == "sanchahou":
        return Decision(replies=dict.fromkeys(others, actions.RON))
    if isinstance(first, DrawFact) and first.hands is not None:
        return Decision(tenpai=frozenset(seat for seat, hand in enumerate(first.hands) if hand is not None))
    return Decision()
