"""The rivers of four seats as planes, with the gaps that keep equal places equal turns.

A river is written into a heap from its end, so that its newest discards are always a slice in the order of the planes.
"""

from typing import Final

import numpy as np

from jantaku.table.learn.mortal.amounts import AGES, FAR, Floats
from jantaku.table.learn.mortal.layout import FIRST, LAST, OWN_WIDTH, WIDTH, starts
from jantaku.table.riichi.pieces.tiles import KIND, KINDS, RED_M

_LONGEST: Final = 96
"""Longer than any river with its gaps: 70 draws, 16 calls."""
_ROW: Final = 6
"""Discards in a row of a river."""
_LAST_ROW: Final = 2


class Rivers:
    """Four rivers by relative player, written into `base`, planes of `version` of which it owns the blocks of rivers,
    sets of discards, last discards from the hand and riichi discards."""

    __slots__ = (
        "_aged",
        "_ages",
        "_base",
        "_copies",
        "_counts",
        "_dirty",
        "_ends",
        "_heaps",
        "_latest",
        "_lengths",
        "_starts",
        "_v",
        "_values",
    )

    def __init__(self, version: int, base: Floats) -> None:
        self._v, self._base, self._starts = version, base, starts(version)
        self._heaps = [_heap(OWN_WIDTH), _heap(WIDTH), _heap(WIDTH), _heap(WIDTH)]
        self._ends = [self._starts[f"river{p}"] + FIRST * (WIDTH if p else OWN_WIDTH) for p in range(4)]
        """Where the ends of the rivers begin."""
        self._latest = np.zeros((10, KINDS), np.intp)
        """In version 3, the newest places of kinds: among own discards, then each other's, from the hand, riichi."""
        self._ages, self._values = np.zeros_like(self._latest), np.zeros(self._latest.shape, np.float32)
        more = [self._starts[f"more{player}"] for player in range(4)]
        parts = [(more[0], 0, 1), *((more[player], 3 * player - 2, 3) for player in (1, 2, 3))]
        self._aged = [(base[at : at + count], self._values[row : row + count]) for at, row, count in parts]
        self.start(0)

    def start(self, dealer: int) -> None:
        """Begin a kyoku that the relative player `dealer` deals; `base` is all zeros."""
        for heap in self._heaps:
            heap[:] = 0
        self._lengths = [int(player < dealer) for player in range(4)]
        """With gaps."""
        self._counts = [0] * 4
        """Without gaps."""
        self._copies = [[0] * KINDS for _ in range(4)]
        self._latest[:] = -FAR - 1
        self._dirty = True

    def skip(self, player: int) -> None:
        """Leave a gap: a call passes this player over."""
        self._lengths[player] += 1
        self._dirty = True

    def add(self, player: int, tile: int, dora: bool, tsumogiri: bool, riichi: bool) -> None:
        """Add a discard; `dora` is whether its kind is dora now."""
        kind, red, base, at = KIND[tile], tile >= RED_M, self._base, self._starts
        self._mark(player, kind, red, dora, tsumogiri, riichi)
        copies = self._copies[player]
        base[at["sets"] + 7 * player + min(copies[kind], 3), kind] = 1
        copies[kind] += 1
        if red:
            base[at["sets"] + 7 * player + 4 + tile - RED_M] = 1
        if player and self._v > 1:
            if not tsumogiri:
                self._remember(at["tedashi"] + 3 * player - 3, kind, red, dora)
            if riichi:
                self._remember(at["sideways"] + 3 * player - 3, kind, red, dora)
        self._add_whole(player, kind, tsumogiri, riichi)
        self._lengths[player] += 1
        self._counts[player] += 1
        self._dirty = True

    def note(self, player: int, place: int, kind: int) -> None:
        """Mark a kind in the next discard's planes: `place` 0 and 1 for the tiles of a call, 2 for a kan."""
        if player or place == 2:
            self._heaps[player][self._slot(player) + (place if player else 0), kind] = 1

    def _slot(self, player: int) -> int:
        return (_LONGEST - 1 - self._lengths[player]) * (WIDTH if player else OWN_WIDTH)

    def _mark(self, player: int, kind: int, red: bool, dora: bool, tsumogiri: bool, riichi: bool) -> None:
        heap, slot = self._heaps[player], self._slot(player)
        row = slot + (3 if player else 1)
        heap[row, kind] = 1
        if red:
            heap[row + 1] = 1
        if dora:
            heap[row + 2] = 1
        if player:
            if not tsumogiri:
                heap[row + 3] = 1
            if riichi:
                heap[row + 4] = 1
        if self._lengths[player] < FIRST:
            width = WIDTH if player else OWN_WIDTH
            at = self._starts[f"river{player}"] + self._lengths[player] * width
            self._base[at : at + width] = heap[slot : slot + width]

    def _remember(self, row: int, kind: int, red: bool, dora: bool) -> None:
        rows = self._base[row : row + 3]
        rows[:] = 0
        rows[0, kind] = 1
        if red:
            rows[1] = 1
        if dora:
            rows[2] = 1

    def _add_whole(self, player: int, kind: int, tsumogiri: bool, riichi: bool) -> None:
        if self._v == 3:
            row, latest, index = max(0, 3 * player - 2), self._latest, self._lengths[player]
            latest[row, kind] = index
            if player:
                if not tsumogiri:
                    latest[row + 1, kind] = index
                if riichi:
                    latest[row + 2, kind] = index
        elif self._v == 2 and player:
            row = self._starts[f"more{player}"] + min(self._counts[player] // _ROW, _LAST_ROW)
            self._base[row, kind] = 1
            if not tsumogiri:
                self._base[row + 3, kind] = 1

    def write(self, obs: Floats, first: int, end: int) -> None:
        """Write the planes of `base` from `first` to `end` into `obs`, and in their midst the ends of the rivers, which
        `base` does not have: almost all of them have changed since the last time."""
        base = self._base
        if self._v == 3 and self._dirty:
            np.subtract(max(self._lengths) - 1, self._latest, out=self._ages)
            AGES.take(self._ages, out=self._values, mode="clip")
            for rows, values in self._aged:
                rows[:] = values
            self._dirty = False
        for player, at in enumerate(self._ends):
            width = WIDTH if player else OWN_WIDTH
            newest = (_LONGEST - self._lengths[player]) * width
            obs[first:at] = base[first:at]
            first = at + LAST * width
            obs[at:first] = self._heaps[player][newest : newest + LAST * width]
        obs[first:end] = base[first:end]


def _heap(width: int) -> Floats:
    return np.zeros(((_LONGEST + LAST) * width, KINDS), np.float32)
