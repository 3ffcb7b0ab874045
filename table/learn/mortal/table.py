"""What a seat's planes say of the table: kept in one array of planes, which events bring up to date.

The planes of the moment (the hand, what is offered) stay zero here; `seat.py` writes them into the copy.
"""

import numpy as np

from jantaku.table.learn.mortal.amounts import SEVENTHS, Floats, amounts, points
from jantaku.table.learn.mortal.layout import MELD_WIDTH, MELDS, starts
from jantaku.table.learn.mortal.rivers import Rivers
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.seats import SEATS, player_of
from jantaku.table.riichi.pieces.tiles import EAST, KIND, KINDS, RED_M, dora_of


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
        """Begin a kyoku after the deal; `seat` is the seat's own."""
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
        """Write points, rank and sticks."""
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
        """A seat has discarded."""
        player = self._player(seat)
        self.rivers.add(player, tile, bool(self.factor[KIND[tile]]), tsumogiri, riichi)
        self.reds += tile >= RED_M
        if riichi and player:
            self.base[self._at["declared"] + player - 1] = 1

    def accepted(self, seat: int) -> None:
        """The riichi of a seat is accepted."""
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
        """A seat has made an ankan or kakan."""
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
