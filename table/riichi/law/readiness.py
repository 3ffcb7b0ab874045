"""Waits, furiten, and what each seat could do with another seat's tile (S-71, S-77).

There are three kinds of furiten: a wait lies in the own river; a winning tile was passed up since the own last
discard; a winning tile was passed up after riichi, which lasts to the end. "Winning" means by shape: whether the
hand had a yaku does not matter.
"""

from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.seats import SEATS
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import YAOCHUU, run_kinds
from jantaku.table.riichi.points import shapes

KOKUSHI_KINDS = 13


class Readiness:
    """By seat, the kinds that it waits for and could call, and whether it may win on another seat's tile. A seat whose
    hand is hidden has no waits and no calls here."""

    __slots__ = ("_board", "far", "missed", "pairs", "runs", "waits")

    def __init__(self, board: Board) -> None:
        self._board = board
        seats = board.seats
        self.waits = [0] * seats
        """By seat: the kinds that complete the hand without its drawn tile, as a bit mask."""
        self.far = [0] * seats
        """By seat: a lower bound of the shanten, at least 0."""
        self.pairs = [0] * seats
        """By seat: the kinds that it could call a pon of; none in riichi (S-76)."""
        self.runs = [0] * seats
        """By seat: the kinds that it could call a chi of, from 上家; none in riichi, and none in a three-player game.
        """
        self.missed = [False] * seats
        """By seat: whether it passed up a winning tile."""
        for seat in range(seats):
            self.hand_changed(seat)

    def hand_changed(self, seat: int) -> None:
        """Recompute `seat` after its concealed tiles changed. A seat that is about to discard keeps what it had."""
        hand = self._board.hands[seat]
        if hand.known and hand.size % 3 == 1:
            # most hands wait for nothing, and computing the shanten is much faster
            shanten = shapes.shanten(hand.counts)
            self.waits[seat] = 0 if shanten else shapes.waits(hand.counts)
            self.far[seat] = shanten
            self._look_for_calls(seat, hand)

    def discarded(self, seat: int, tsumogiri: bool, was_in_riichi: bool) -> None:
        """Update after a discard of `seat`: what it passed up before is forgotten, unless it was in riichi already."""
        if was_in_riichi:
            return
        self.missed[seat] = False
        hand = self._board.hands[seat]
        if not hand.known:
            return
        if tsumogiri:
            if self._board.riichi[seat]:
                self._look_for_calls(seat, hand)
        elif self.far[seat] > 1:
            self.far[seat] -= 1  # exchanging one tile, drawn or called, lowers the shanten by one at most
            self._look_for_calls(seat, hand)
        else:
            self.hand_changed(seat)

    def _look_for_calls(self, seat: int, hand: Tehai) -> None:
        if self._board.riichi[seat]:
            self.pairs[seat] = self.runs[seat] = 0
        else:
            self.pairs[seat] = hand.two
            self.runs[seat] = run_kinds(hand.one) if self._board.seats == SEATS else 0

    def interested(self, kind: int, source: int, may_call: bool) -> list[int]:
        """The seats, in turn order from `source`, that might react to its tile of this kind. A few bit tests: fast, and
        a seat that is not listed certainly cannot react."""
        bit = 1 << kind
        found: list[int] = []
        seats = self._board.seats
        for step in range(1, seats):
            seat = (source + step) % seats
            if self.waits[seat] & bit or (
                may_call and (self.pairs[seat] & bit or (step == 1 and self.runs[seat] & bit))
            ):
                found.append(seat)
        return found

    def passed(self, kind: int, source: int, *, kokushi_only: bool = False) -> None:
        """Note that no seat won on `kind`, which `source` discarded, added to a kan or set aside."""
        for seat in range(self._board.seats):
            if seat == source or not self.waits[seat] >> kind & 1:
                continue
            if not kokushi_only or waits_for_kokushi(self._board.hands[seat]):
                self.missed[seat] = True

    def may_ron(self, seat: int, kind: int) -> bool:
        """Whether `kind` completes the hand of `seat`, and the seat is not furiten."""
        waits = self.waits[seat]
        if not waits >> kind & 1:
            return False
        return not self.missed[seat] and not waits & self._board.rivers[seat].kinds


def waits_for_kokushi(hand: Tehai) -> bool:
    """Whether a tenpai hand waits for 国士無双: terminals and honours, twelve or thirteen kinds."""
    return not hand.melds and not hand.one & ~YAOCHUU and hand.one.bit_count() >= KOKUSHI_KINDS - 1
