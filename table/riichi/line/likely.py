"""How likely the concealed tiles of another seat are, by its shanten at that turn and by what it has discarded.

The numbers were fitted to hands of strong players: three quarters of 308 hanchan of Tenhou's houou room. Each is the
logarithm of a ratio: how often real hands are so, over how often hands are that were drawn at random from all hidden
tiles. `BY_SHANTEN` compares the shanten; the numbers of kinds compare real and random hands of one shanten.
"""

from math import exp
from typing import Final

from jantaku.table.ground.chance import Numbers, shuffled
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.tiles import EAST, KIND, KINDS, WHITE, YAOCHUU, mask_of
from jantaku.table.riichi.points import shapes

STEPS: Final = 80
"""Exchanges of a tile of the hand for another hidden one that are tried on the way to a likely hand."""
_FINE: Final = 1 << 24
_STAGE: Final = 6
"""Discards in a stage of the kyoku. Those of the first stage are early."""
BY_SHANTEN: Final[dict[int, list[list[float]]]] = {
    0: [
        [3.4, 2.3, 1.0, 0.1, -0.5, -1.0, -1.4],
        [4.4, 3.5, 1.5, -0.2, -1.6, -2.4, -2.8],
        [5.3, 4.0, 1.5, -0.8, -2.4, -3.2, -3.5],
        [6.1, 4.3, 1.3, -0.9, -2.5, -3.5, -3.5],
        [6.4, 4.2, 1.3, -0.9, -2.5, -3.5, -3.5],
        [6.9, 4.1, 1.2, -0.9, -2.5, -3.5, -3.5],
    ],
    1: [
        [6.1, 2.4, 0.7, -0.5, -1.6, -2.0, -2.0],
        [6.2, 2.8, 0.8, -1.2, -2.7, -3.0, -3.0],
        [6.8, 3.1, 0.6, -2.1, -3.7, -4.4, -4.4],
        [7.1, 3.2, 0.1, -2.4, -3.7, -4.4, -4.4],
        [7.3, 3.1, -0.1, -2.5, -3.7, -4.4, -4.4],
        [7.4, 3.0, -0.1, -2.5, -3.7, -4.4, -4.4],
    ],
    2: [
        [5.3, 1.8, -1.0, -2.6, -3.5, -6.0, -6.0],
        [5.3, 1.8, -1.2, -3.0, -4.0, -6.0, -6.0],
        [5.6, 1.7, -1.3, -4.5, -4.5, -6.0, -6.0],
        [5.8, 1.5, -1.6, -4.5, -4.5, -6.0, -6.0],
        [6.0, 1.2, -1.8, -4.5, -4.5, -6.0, -6.0],
        [6.1, 1.1, -2.0, -4.5, -4.5, -6.0, -6.0],
    ],
    3: [[3.3, -0.9, -3.0, -6.0, -6.0, -6.0, -6.0]] * 6,
}
"""By the number of melds, then by the number of discards in threes, then by the shanten."""
_YAKUHAI: Final = [0.0, -0.25, -0.3]
_GUEST: Final = [-0.3, -0.35, -0.3]
_LAID_SUIT: Final = -0.7
_TANYAO: Final = -0.65
_ONE_SUIT: Final = -0.7
_SAME: Final = [-1.2, -0.4, -0.55]
_NEXT: Final = [-0.4, -0.75, -0.4]
_NEAR: Final = [-0.3, -0.45, -0.15]
"""For a discard from the hand early, from the hand late, and of the tile just drawn: kinds that are the same, next to
it, and next but one."""


class Likely:
    """Draws likely hands of one seat of a board."""

    def __init__(self, board: Board, seat: int) -> None:
        melds, river = board.hands[seat].melds, board.rivers[seat]
        gone = len(river.tiles)
        self._far: Final = BY_SHANTEN[min(len(melds), 3)][min(gone // 3, 5)]
        self._kinds: Final = [0.0] * KINDS
        stage = min(gone // _STAGE, 2)
        for kind in range(EAST, KINDS):
            own = kind >= WHITE or kind in (EAST + seat, EAST + board.round)
            self._kinds[kind] = _YAKUHAI[stage] if own else _GUEST[stage]
        self._by_melds([KIND[tile] for meld in melds for tile in meld.tiles])
        for place, tile in enumerate(river.tiles):
            self._by_discard(KIND[tile], 2 if river.tsumogiri[place] else int(place >= _STAGE))

    def _by_melds(self, laid: list[int]) -> None:
        if not laid:
            return
        suits = {kind // 9 for kind in laid if kind < EAST}
        simple = not mask_of(laid) & YAOCHUU
        for kind in range(KINDS):
            if kind < EAST:
                self._kinds[kind] += _LAID_SUIT if kind // 9 in suits else _ONE_SUIT if len(suits) == 1 else 0.0
            if simple and YAOCHUU >> kind & 1:
                self._kinds[kind] += _TANYAO

    def _by_discard(self, kind: int, how: int) -> None:
        self._kinds[kind] += _SAME[how]
        for far, weight in ((1, _NEXT[how]), (2, _NEAR[how])):
            for other in (kind - far, kind + far):
                if kind < EAST and other >= 0 and other // 9 == kind // 9:
                    self._kinds[other] += weight

    def drawn(self, hidden: list[int], size: int, numbers: Numbers, steps: int = STEPS) -> list[int]:
        """Draw a hand of `size` tiles from the hidden ones: a random one, whose tiles are exchanged again and again,
        always for a likelier hand and else with the ratio of how likely both are (Metropolis)."""
        tiles = shuffled(hidden, numbers)
        counts = [0] * KINDS
        for tile in tiles[:size]:
            counts[KIND[tile]] += 1
        rest = len(tiles) - size
        shanten = shapes.shanten(counts)
        for _ in range(steps if rest else 0):
            own, other = numbers.below(size), size + numbers.below(rest)
            old, new = KIND[tiles[own]], KIND[tiles[other]]
            if old == new:
                continue
            counts[old] -= 1
            counts[new] += 1
            after = shapes.shanten(counts)
            more = self._kinds[new] - self._kinds[old] + self._far[min(after, 6)] - self._far[min(shanten, 6)]
            if more >= 0 or numbers.below(_FINE) < exp(more) * _FINE:
                tiles[own], tiles[other] = tiles[other], tiles[own]
                shanten = after
            else:
                counts[old] += 1
                counts[new] -= 1
        return tiles[:size]
