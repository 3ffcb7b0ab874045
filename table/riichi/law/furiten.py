"""Waits and furiten of the four seats (S-71, S-77).

Three kinds of furiten: a wait lies in the own river; a winning tile was let go since the own last
discard; a winning tile was let go after riichi, which lasts. "Winning" means by shape: whether the hand
had a yaku does not matter.
"""

from table.riichi.pieces.board import Board
from table.riichi.pieces.tehai import Tehai
from table.riichi.pieces.tiles import YAOCHUU
from table.riichi.points import shapes

KOKUSHI_KINDS = 13


class Readiness:
    """Which kinds each seat waits for, and whether it may win on another seat's tile."""

    __slots__ = ("_board", "missed", "waits")

    def __init__(self, board: Board) -> None:
        self._board = board
        self.waits = [_waits(hand) for hand in board.hands]
        """By seat: kinds that complete the hand as it was without a drawn tile, as a bit mask; 0 where it is hidden."""
        self.missed = [False] * 4
        """By seat: a winning tile was let go."""

    def hand_changed(self, seat: int) -> None:
        """The concealed tiles of `seat`, with no drawn tile among them, are others than before."""
        self.waits[seat] = _waits(self._board.hands[seat])

    def discarded(self, seat: int, tsumogiri: bool, was_in_riichi: bool) -> None:
        """`seat` has discarded: what it let go before is forgotten, unless it was in riichi already."""
        if not tsumogiri:
            self.hand_changed(seat)
        if not was_in_riichi:
            self.missed[seat] = False

    def passed(self, kind: int, source: int, *, kokushi_only: bool = False) -> None:
        """`source` discarded `kind` or put it to a kan, and nobody won on it."""
        for seat in range(4):
            waits = seat != source and self.waits[seat] >> kind & 1
            if waits and (not kokushi_only or waits_for_kokushi(self._board.hands[seat])):
                self.missed[seat] = True

    def may_ron(self, seat: int, kind: int) -> bool:
        """Whether `kind` completes the hand of `seat` and furiten does not forbid to win on it."""
        waits = self.waits[seat]
        return bool(waits >> kind & 1) and not self.missed[seat] and not waits & self._board.rivers[seat].kinds


def _waits(hand: Tehai) -> int:
    return shapes.waits(hand.counts) if hand.known else 0


def waits_for_kokushi(hand: Tehai) -> bool:
    """Whether a tenpai hand waits for 国士無双: terminals and honours, twelve or thirteen kinds."""
    return not hand.melds and not hand.one & ~YAOCHUU and hand.one.bit_count() >= KOKUSHI_KINDS - 1
