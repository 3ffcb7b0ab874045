"""What a seat's planes say of the table: kept in one array of planes, which events bring up to date.

The planes of the moment (the hand, what is offered) stay zero here; `seat.py` writes them into the copy.

The rivers of four seats are planes with gaps, so that equal places are equal turns.

A river is written into a heap from its end, so that its newest discards are always a slice in the order of the planes.
"""

from typing import Final

import numpy as np

from jantaku.table.learn.mortal.layout import (
    AGES,
    FAR,
    FIRST,
    LAST,
    MELD_WIDTH,
    MELDS,
    OWN_WIDTH,
    SEVENTHS,
    WIDTH,
    Floats,
    amounts,
    points,
    starts,
)
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.seats import SEATS, player_of
from jantaku.table.riichi.pieces.tiles import EAST, KIND, KINDS, RED_M, dora_of

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


class TablePlanes:
    """The planes of the table as one seat sees it. `board` is the seat's own and stands as the events left it."""

    __slots__ = (
        "_at",
        "_copies",
        "_honba",
        "_me",
        "_ours",
        "_v",
        "base",
        "board",
        "factor",
        "melded",
        "reds",
        "rivers",
    )

    def __init__(self, version: int, board: Board) -> None:
        self._at, self._v, self.board, self._me = starts(version), version, board, 0
        self.base: Floats = np.zeros((self._at["end"], KINDS), np.float32)
        self.rivers = Rivers(version, self.base)
        self._honba = amounts(version, 10 if version == 1 else 6, 3)
        self._ours = amounts(version, 12, 3, ratio=True)
        self.factor: list[int] = []
        """By kind, how many indicators make it dora."""
        self.melded = [0] * SEATS
        """By relative player, the dora in its melds, red fives included."""
        self.reds = 0
        """Red fives that every seat sees: in rivers, melds and indicators."""
        self._copies: list[int] = []

    def start(self, seat: int) -> None:
        self._me, board, at, base = seat, self.board, self._at, self.base
        base[:] = 0
        self.rivers.start(-seat % SEATS)
        self.factor, self.melded, self.reds, self._copies = [0] * KINDS, [0] * SEATS, 0, [0] * KINDS
        kyoku = at["kyoku"]
        base[kyoku : kyoku + board.kyoku] = 1
        if self._v > 1:
            base[kyoku : kyoku + board.kyoku] = 0
            base[kyoku + board.kyoku] = 1
            base[at["progress"]] = SEVENTHS[min(board.round, 1) * SEATS + board.kyoku]
        self._write(at["honba"], self._honba, board.honba)
        base[at["winds"], EAST + board.round % SEATS] = 1
        base[at["winds"] + 1, EAST + seat] = 1
        self._standing()
        self.indicated(board.indicators[0])

    def _write(self, at: int, values: Floats, number: int) -> None:
        """Fill the planes of a number."""
        rows = values[min(number, len(values) - 1)]
        self.base[at : at + len(rows)] = rows

    def _standing(self) -> None:
        board, at, me = self.board, self._at, self._me
        row = at["scores"]
        for player in range(SEATS):
            values = points(self._v, board.scores[(me + player) % SEATS])
            self.base[row : row + len(values)] = values
            row += len(values)
        order = sorted(range(SEATS), key=lambda seat: (-board.scores[seat], player_of(seat, board.kyoku)))
        self.base[at["rank"] : at["rank"] + SEATS] = 0
        self.base[at["rank"] + order.index(me)] = 1
        self._write(at["sticks"], self._honba, board.sticks)

    def indicated(self, tile: int) -> None:
        """Another indicator is open."""
        kind = KIND[tile]
        row = self._at["indicators"]
        self.base[row + min(self._copies[kind], 3), kind] = 1
        self._copies[kind] += 1
        if tile >= RED_M:
            self.base[row + 4 + tile - RED_M] = 1
            self.reds += 1
        self.factor[dora_of(tile)] += 1
        for player in range(SEATS):
            self._count(player)

    def _player(self, seat: int) -> int:
        return (seat - self._me) % SEATS

    def _count(self, player: int) -> None:
        """Count the dora in a player's melds, and write the others'."""
        count = 0
        for meld in self.board.hands[(self._me + player) % SEATS].melds:
            for tile in meld.tiles:
                count += self.factor[KIND[tile]] + (tile >= RED_M)
        self.melded[player] = count
        if player:
            self._write(self._at["doras"] + player * self._ours.shape[1], self._ours, count)

    def discarded(self, seat: int, tile: int, tsumogiri: bool, riichi: bool) -> None:
        player = self._player(seat)
        self.rivers.add(player, tile, bool(self.factor[KIND[tile]]), tsumogiri, riichi)
        self.reds += tile >= RED_M
        if riichi and player:
            self.base[self._at["declared"] + player - 1] = 1

    def accepted(self, seat: int) -> None:
        self._standing()
        if player := self._player(seat):
            self.base[self._at["accepted"] + player - 1] = 1

    def called(self, seat: int, meld: Meld, source: int) -> None:
        """A seat has called the discard of `source`."""
        self.reds += sum(tile >= RED_M for tile in meld.own)
        player = self._player(seat)
        if meld.kind != MeldKind.CHI:
            skipped = (source + 1) % SEATS
            while skipped != seat:
                self.rivers.skip(self._player(skipped))
                skipped = (skipped + 1) % SEATS
        if meld.kind == MeldKind.DAIMINKAN:
            self.rivers.note(player, 2, meld.tile_kind)
        else:
            low, high = sorted(KIND[tile] for tile in meld.own)
            self.rivers.note(player, 0, low)
            self.rivers.note(player, 1, high)
        self._lay(seat)

    def kan(self, seat: int, meld: Meld) -> None:
        lost = meld.own if meld.kind == MeldKind.ANKAN else meld.tiles[-1:]
        self.reds += sum(tile >= RED_M for tile in lost)
        player = self._player(seat)
        self.rivers.note(player, 2, meld.tile_kind)
        if meld.kind == MeldKind.ANKAN:
            self.base[self._at["ankans"] + player, meld.tile_kind] = 1
        self._lay(seat)

    def _lay(self, seat: int) -> None:
        """Write a seat's melds."""
        player = self._player(seat)
        self._count(player)
        row = self._at["melds"] + player * MELDS * MELD_WIDTH
        rows = self.base[row : row + MELDS * MELD_WIDTH]
        rows[:] = 0
        row = 0
        for meld in self.board.hands[seat].melds:
            if meld.kind == MeldKind.ANKAN:
                continue
            copies: dict[int, int] = {}
            for tile in meld.tiles:
                kind = KIND[tile]
                copies[kind] = place = copies.get(kind, -1) + 1
                rows[row + place, kind] = 1
                if tile >= RED_M:
                    rows[row + 4] = 1
            row += MELD_WIDTH
