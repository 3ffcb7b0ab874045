"""The events of a riichi game. One stream of them is heard by players, recorded and compared.

Seats are the kyoku's (0 東 .. 3 北) except in HanchanStart and HanchanEnd, which use player ids: a player's fixed place
at the table. `apply` brings a board up to date; nothing else changes a board.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import ClassVar

import msgspec

from jantaku.table.riichi import ruleset
from jantaku.table.riichi.pieces.board import (
    CALL,
    DEAL,
    DISCARD,
    DRAW,
    GAME,
    INDICATOR,
    KAN,
    NORTH_ASIDE,
    NOTHING,
    RIICHI,
    RYUKYOKU,
    WIN,
    Board,
)
from jantaku.table.riichi.pieces.melds import Meld
from jantaku.table.riichi.pieces.notation import hand_text, kyoku_text
from jantaku.table.riichi.pieces.seats import WINDS
from jantaku.table.riichi.pieces.tiles import NAMES, TILES, tiles_text
from jantaku.table.riichi.points.payments import Liability
from jantaku.table.riichi.points.yaku import HandValue
from jantaku.table.riichi.rules import Rules

PerSeat = tuple[int, ...]
"""One value for each seat or player, in their order."""


def _gains(deltas: PerSeat) -> str:
    """The points that each seat gains, as text."""
    return " ".join(f"{wind} {delta:+}" for wind, delta in zip(WINDS, deltas, strict=False))


class Event(msgspec.Struct, frozen=True):
    """Base of all events. Prints an event in one line, with tiles as people write them: `TileDiscard 南 s5_*`."""

    change: ClassVar[int] = NOTHING
    """The kind of change that the event makes to a board; see `changes`."""

    def apply(self, board: Board) -> None:
        """Apply this event to `board`."""
        board.apply(self)

    def __str__(self) -> str:
        return " ".join([type(self).__name__, *filter(None, self._words())])

    def __repr__(self) -> str:
        return f"<{self}>"

    def _words(self) -> Iterable[str]:
        """The words to print after the event's name; empty ones are left out."""
        return ()


class HanchanStart(Event, frozen=True):
    """A game by `rules` begins. `you` is the hearer's player id, None in the full stream."""

    change: ClassVar[int] = GAME
    names: tuple[str, ...]
    first_dealer: int
    rules: Rules
    you: int | None = None

    def _words(self) -> Iterable[str]:
        players = [f"{name} (you)" if player == self.you else name for player, name in enumerate(self.names)]
        return f"{', '.join(players)}; {players[self.first_dealer]} deals first;", ruleset.describe(self.rules)


class KyokuStart(Event, frozen=True):
    """The deal. `round_wind` and `kyoku` count from 0; `dealer` is a player id; `scores` and `hands` are by seat.

    A hand that the hearer may not see is None.
    """

    change: ClassVar[int] = DEAL
    dealer: int
    round_wind: int
    kyoku: int
    honba: int
    sticks: int
    scores: PerSeat
    indicator: int
    hands: tuple[tuple[int, ...] | None, ...]

    def _words(self) -> Iterable[str]:
        place = f"{kyoku_text(self.round_wind, self.kyoku, self.honba)}, player {self.dealer} deals,"
        hands = ("" if hand is None else f" {hand_text(hand)}" for hand in self.hands)
        seats = [f"{wind} {points}{hand}" for wind, points, hand in zip(WINDS, self.scores, hands, strict=False)]
        return place, f"{self.sticks} sticks, indicator {NAMES[self.indicator]}:", ", ".join(seats)


class Draw(Event, frozen=True, gc=False):
    """A seat draws. `tile` is None for a hearer that may not see it."""

    change: ClassVar[int] = DRAW
    seat: int
    tile: int | None
    rinshan: bool = False

    def _words(self) -> Iterable[str]:
        tile = "hidden" if self.tile is None else NAMES[self.tile]
        return WINDS[self.seat], "rinshan" * self.rinshan, tile


class TileDiscard(Event, frozen=True, gc=False):
    """A seat discards; with `riichi` it also declares riichi."""

    change: ClassVar[int] = DISCARD
    seat: int
    tile: int
    tsumogiri: bool = False
    riichi: bool = False

    def _words(self) -> Iterable[str]:
        return WINDS[self.seat], f"{NAMES[self.tile]}{'_' * self.tsumogiri}{'*' * self.riichi}"


class Riichi(Event, frozen=True, gc=False):
    """The riichi of a seat is accepted: it pays its stick."""

    change: ClassVar[int] = RIICHI
    seat: int

    def _words(self) -> Iterable[str]:
        return (WINDS[self.seat],)


class MeldCall(Event, frozen=True):
    """Chi, pon or daiminkan of the last discard."""

    change: ClassVar[int] = CALL
    seat: int
    meld: Meld

    def _words(self) -> Iterable[str]:
        return WINDS[self.seat], str(self.meld)


class OwnKan(Event, frozen=True):
    """Ankan or kakan; other seats may still rob it."""

    change: ClassVar[int] = KAN
    seat: int
    meld: Meld

    def _words(self) -> Iterable[str]:
        return WINDS[self.seat], str(self.meld)


class NorthAside(Event, frozen=True, gc=False):
    """A seat sets a north aside (抜きドラ); other seats may still win on it. Three-player games only."""

    change: ClassVar[int] = NORTH_ASIDE
    seat: int

    def _words(self) -> Iterable[str]:
        return (WINDS[self.seat],)


class Dora(Event, frozen=True, gc=False):
    """Another indicator is opened."""

    change: ClassVar[int] = INDICATOR
    indicator: int

    def _words(self) -> Iterable[str]:
        return "indicator", NAMES[self.indicator]


class Win(Event, frozen=True):
    """One seat wins.

    `source` is the seat that pays a ron, None on tsumo; `hand` has the concealed tiles without the winning one; `ura`
    has the ura indicators that counted (None without riichi). `points` is the hand's value without honba and sticks;
    `deltas`, by seat, includes both. `liable` has the seats that fed a pao yakuman (S-60). With several winners,
    `sticks` is the number left after this one.
    """

    change: ClassVar[int] = WIN
    seat: int
    source: int | None
    tile: int
    hand: tuple[int, ...]
    melds: tuple[Meld, ...]
    riichi: int
    ura: tuple[int, ...] | None
    value: HandValue
    points: int
    deltas: PerSeat
    sticks: int = 0
    liable: tuple[Liability, ...] = ()

    def _words(self) -> Iterable[str]:
        how = "tsumo" if self.source is None else f"ron from {WINDS[self.source]}"
        yield f"{WINDS[self.seat]} {how} {NAMES[self.tile]}: {hand_text(self.hand, self.melds)},"
        yield f"{self.value}, {self.points} points,"
        yield f"ura indicators {tiles_text(self.ura)}," if self.ura else ""
        yield from (f"{WINDS[one.seat]} is liable for {one.yakuman}," for one in self.liable)
        yield f"{_gains(self.deltas)}, {self.sticks} sticks left"


class DrawReason(StrEnum):
    """Why a kyoku ends without a winner."""

    EXHAUSTIVE = "exhaustive"
    NAGASHI = "nagashi"
    KYUUSHU = "kyuushu"
    SUUFON = "suufon"
    SUUCHA = "suucha"
    SUUKAN = "suukan"
    SANCHAHOU = "sanchahou"
    CHOMBO = "chombo"


class Ryukyoku(Event, frozen=True):
    """The kyoku ends without a winner. `hands`, by seat, has the concealed tiles that are shown; None for a hand that
    stays closed.
    """

    change: ClassVar[int] = RYUKYOKU
    reason: DrawReason
    hands: tuple[tuple[int, ...] | None, ...]
    deltas: PerSeat = (0, 0, 0, 0)

    def _words(self) -> Iterable[str]:
        hands = [f"{WINDS[seat]} {hand_text(hand)}" for seat, hand in enumerate(self.hands) if hand is not None]
        return f"{self.reason},", "".join(f"{hand}, " for hand in hands) + _gains(self.deltas)


class ChomboDraw(Ryukyoku, frozen=True):
    """The kyoku ends because seat `offender` gave an unusable answer and the judge's `on_fault` is `chombo`.

    `deltas` has the payment and the riichi sticks that go back to the seats that placed them in this kyoku.
    """

    offender: int = 0

    def _words(self) -> Iterable[str]:
        return f"{self.reason} of {WINDS[self.offender]},", _gains(self.deltas)


class HanchanEnd(Event, frozen=True):
    """The game is over. By player id: `scores` are the points at the end, `ranks` count from 1, `tenths` is the final
    score in tenths of a point."""

    scores: PerSeat
    ranks: PerSeat
    tenths: PerSeat

    def _words(self) -> Iterable[str]:
        ends = zip(self.ranks, self.scores, self.tenths, strict=True)
        told = [f"is {rank}: {points} ({tenths / 10:+.1f})" for rank, points, tenths in ends]
        return (", ".join(f"player {player} {end}" for player, end in enumerate(told)),)


DRAWS = tuple(tuple(Draw(seat, tile) for tile in range(TILES)) for seat in range(4))
"""By seat and tile: the draw from the live wall. Draws and discards are by far the most frequent events, so they are
made once."""
DISCARDS = tuple(
    tuple(
        tuple(TileDiscard(seat, tile, tsumogiri, riichi) for riichi in (False, True) for tsumogiri in (False, True))
        for tile in range(TILES)
    )
    for seat in range(4)
)
"""By seat, tile, and `tsumogiri + 2 * riichi`: the discard."""
