"""All that can happen in a riichi game. One stream of these is heard, recorded and compared.

Seats are the kyoku's (0 東 .. 3 北) except in HanchanStart and HanchanEnd, which use player ids: a
player's fixed place at the table. `apply` brings a board up to date; nothing else changes a board.
"""

import warnings
from collections.abc import Iterable
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from table.riichi.pieces.board import Board
from table.riichi.pieces.melds import Meld
from table.riichi.pieces.tiles import TILES
from table.riichi.points.payments import Liability
from table.riichi.points.yaku import HandValue
from table.riichi.rules import Rules

Four = tuple[int, int, int, int]
_FORMER_NAMES = {"Discard": "TileDiscard", "Call": "MeldCall", "Kan": "OwnKan"}
"""They were also names of actions. Bots that import them from here go on working."""


def four(values: Iterable[int]) -> Four:
    """Exactly four values. Raises ValueError for more or fewer."""
    a, b, c, d = values
    return a, b, c, d


class Event(msgspec.Struct, frozen=True):
    """Base of all events."""

    def apply(self, board: Board) -> None:
        """Bring `board` up to date."""


class HanchanStart(Event, frozen=True):
    """A game by `rules` begins. `you` is the hearer's player id, None in the full stream."""

    names: tuple[str, str, str, str]
    first_dealer: int
    rules: Rules
    you: int | None = None

    def apply(self, board: Board) -> None:
        board.rules = self.rules


class KyokuStart(Event, frozen=True):
    """The deal. `round_wind` and `kyoku` from 0; `dealer` is a player id; `scores` and `hands` by seat.

    Hidden hands are None.
    """

    dealer: int
    round_wind: int
    kyoku: int
    honba: int
    sticks: int
    scores: Four
    indicator: int
    hands: tuple[tuple[int, ...] | None, ...]

    def apply(self, board: Board) -> None:
        board.start(self.round_wind, self.kyoku, self.honba, self.sticks, self.scores, self.indicator, self.hands)


class Draw(Event, frozen=True, gc=False):
    """A seat draws; the tile is None for those who may not see it."""

    seat: int
    tile: int | None
    rinshan: bool = False

    def apply(self, board: Board) -> None:
        board.draw(self.seat, self.tile, self.rinshan)


class TileDiscard(Event, frozen=True, gc=False):
    """A seat discards, perhaps declaring riichi."""

    seat: int
    tile: int
    tsumogiri: bool = False
    riichi: bool = False

    def apply(self, board: Board) -> None:
        board.discard(self.seat, self.tile, self.tsumogiri, self.riichi)


class Riichi(Event, frozen=True, gc=False):
    """The riichi of a seat is accepted: it pays its stick."""

    seat: int

    def apply(self, board: Board) -> None:
        board.accept_riichi(self.seat)


class MeldCall(Event, frozen=True):
    """Chi, pon or daiminkan of the last discard."""

    seat: int
    meld: Meld

    def apply(self, board: Board) -> None:
        board.call(self.seat, self.meld)


class OwnKan(Event, frozen=True):
    """Ankan or kakan; it may yet be robbed."""

    seat: int
    meld: Meld

    def apply(self, board: Board) -> None:
        board.kan(self.seat, self.meld)


class Dora(Event, frozen=True, gc=False):
    """Another indicator is opened."""

    indicator: int

    def apply(self, board: Board) -> None:
        board.open_indicator(self.indicator)


class Win(Event, frozen=True):
    """One seat wins.

    `source` is the seat that pays a ron, None on tsumo; `hand` the concealed tiles without the winning
    one; `ura` the ura indicators that counted (None without riichi); `points` the hand's value without
    honba and sticks; `deltas` by seat include both; `liable` are those
    who fed a pao yakuman (S-60). With several
    winners `sticks` are those left after this one.
    """

    seat: int
    source: int | None
    tile: int
    hand: tuple[int, ...]
    melds: tuple[Meld, ...]
    riichi: int
    ura: tuple[int, ...] | None
    value: HandValue
    points: int
    deltas: Four
    sticks: int = 0
    liable: tuple[Liability, ...] = ()

    def apply(self, board: Board) -> None:
        board.pay(self.deltas, self.sticks)


class DrawReason(StrEnum):
    """Why a kyoku ends without a winner."""

    EXHAUSTIVE = "exhaustive"
    NAGASHI = "nagashi"
    KYUUSHU = "kyuushu"
    SUUFON = "suufon"
    SUUCHA = "suucha"
    SUUKAN = "suukan"
    SANCHAHOU = "sanchahou"


class Ryukyoku(Event, frozen=True):
    """The kyoku ends without a winner. `hands` by seat are the concealed tiles that are shown, None where a hand stays
    closed.
    """

    reason: DrawReason
    hands: tuple[tuple[int, ...] | None, ...]
    deltas: Four = (0, 0, 0, 0)

    def apply(self, board: Board) -> None:
        board.pay(self.deltas, board.sticks)


class HanchanEnd(Event, frozen=True):
    """The game is over. By player id: points at the end, rank 1-4, final score in tenths of a point."""

    scores: Four
    ranks: Four
    tenths: Four


DRAWS = tuple(tuple(Draw(seat, tile) for tile in range(TILES)) for seat in range(4))
"""Draws from the live wall by seat and tile: made once, for they are by far the most frequent events."""
HIDDEN_DRAWS = tuple(tuple(Draw(seat, None, rinshan) for rinshan in (False, True)) for seat in range(4))


def masked(event: Event, seat: int) -> Event:
    """`event` as `seat` may see it. The only place where anything is hidden."""
    if isinstance(event, Draw):
        return event if event.seat == seat else HIDDEN_DRAWS[event.seat][event.rinshan]
    if isinstance(event, KyokuStart):
        hands = tuple(hand if owner == seat else None for owner, hand in enumerate(event.hands))
        return msgspec.structs.replace(event, hands=hands)
    return event


def introduced(event: Event, player: int) -> Event:
    """`event`, heard before the first deal, as told to `player`: it learns its own id."""
    return msgspec.structs.replace(event, you=player) if isinstance(event, HanchanStart) else event


if not TYPE_CHECKING:

    def __getattr__(name: str) -> type[Event]:
        if name not in _FORMER_NAMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        now = _FORMER_NAMES[name]
        warnings.warn(f"the event {name} is called {now}: {name} is the action", DeprecationWarning, stacklevel=2)
        return globals()[now]
