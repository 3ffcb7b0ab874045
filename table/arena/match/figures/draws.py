"""The draws of a kyoku as rows of numbers: what the table was before each, all hands open, and what each kind of tile
would have made of the hand that drew.

Nothing in a row depends on the tile that came, but for `tile` itself.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from jantaku.table.languages.facts import Fact, WinFact
from jantaku.table.records.journal.read import Record
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.seats import SEATS
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import COPIES, KIND, KINDS, RED_M, kinds_in
from jantaku.table.riichi.points.payments import base_points
from jantaku.table.riichi.points.scorer import Situation, hand_value
from jantaku.table.riichi.points.shapes import best_discards, useful
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset

Rows = NDArray[Any]
"""An array of `ROW`."""
_KIND: Final = ("i1", (KINDS,))
_SEAT: Final = ("i1", (SEATS,))
ROW: Final = np.dtype(
    [
        ("kyoku", "i1"),
        ("tile", "i1"),
        ("drawer", "i1"),
        ("round", "i1"),
        ("live", "i1"),
        ("sticks", "i1"),
        ("scores", "i4", (SEATS,)),
        ("unseen", *_KIND),
        ("dora", *_KIND),
        # of the drawer, by the kind that it draws: shanten, what is useful after the widest discard, the best discards
        ("shanten_after", *_KIND),
        ("useful_after", "u8", (KINDS,)),
        ("discards", "u8", (KINDS,)),
        # how the kyoku ends for certain with that kind, -1 if it goes on, and the points of that win
        ("end", *_KIND),
        ("won", "f4", (KINDS,)),
        # by seat, the drawer first and then in turn order
        ("shanten", *_SEAT),
        ("useful", "u8", (SEATS,)),
        ("waits", "u8", (SEATS,)),
        ("furiten", *_SEAT),
        ("points", "f4", (SEATS,)),
        ("open", *_SEAT),
        ("melds", *_SEAT),
        ("riichi", *_SEAT),
        ("ippatsu", *_SEAT),
        ("reds", *_SEAT),
        ("concealed", "i1", (SEATS, KINDS)),
        ("laid", "i1", (SEATS, KINDS)),
    ]
)
"""One draw. Sets of kinds are bit masks; `waits` are those that the seat may ron, `points` the mean points of that."""
ENDS: Final[tuple[tuple[int, int | None] | None, ...]] = (
    *((seat, None) for seat in range(SEATS)),
    *((seat, other) for seat in range(SEATS) for other in range(SEATS) if other != seat),
    None,
)
"""How a kyoku may end: the seat that wins and the seat that pays a ron (None for a tsumo); or None, a draw."""
END: Final = {end: number for number, end in enumerate(ENDS)}
_URA: Final = 0.35
"""How often a win in riichi has one han more than is known."""


def rows_of(record: Record) -> tuple[Rows, Rows]:
    """Return the draws of a game of four, and of every deal four rows: its first draw, with the hands as they were
    dealt, and with all of them one, two and three seats further on. The record tells all tiles."""
    rules = record.rules or preset("tenhou")
    drawn: list[tuple[Any, ...]] = []
    dealt: list[tuple[Any, ...]] = []
    for number, kyoku in enumerate(record.log):
        deal = kyoku[0]
        assert isinstance(deal, events.KyokuStart), "the reader has held that"
        for turned in range(SEATS):
            hands = deal.hands[turned:] + deal.hands[:turned]
            dealt.append(_Kyoku(number, deal, hands, rules).row(0, 0))
        drawn.extend(_Kyoku(number, deal, deal.hands, rules).rows(kyoku[1:]))
    return np.array(drawn, ROW), np.array(dealt, ROW)


class _Held:
    """The concealed tiles of a seat that is to draw."""

    def __init__(self, counts: list[int]) -> None:
        self.counts = counts
        self.shanten, self.useful = useful(counts)
        self.ron: dict[int, float] = {}
        """By wait, the points of a ron; 0 without a yaku. `tsumo` likewise."""
        self.tsumo: dict[int, float] = {}
        self.valued: tuple[object, ...] = ()
        """For what these points were computed."""
        self._after: tuple[list[int], list[int], list[int]] | None = None

    def after(self, unseen: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
        """By the kind drawn: shanten, useful kinds, best discards. A hand that comes no nearer is taken to keep its
        useful kinds."""
        if self._after is None:
            found = [self._with(kind, unseen) for kind in range(KINDS)]
            self._after = [each[0] for each in found], [each[1] for each in found], [each[2] for each in found]
        return self._after

    def _with(self, kind: int, unseen: Sequence[int]) -> tuple[int, int, int]:
        if not unseen[kind]:
            return self.shanten, self.useful, 0
        counts = self.counts.copy()
        counts[kind] += 1
        if not self.useful >> kind & 1:
            return (*(self.shanten, self.useful), best_discards(counts)[1])
        if self.shanten == 0:
            return -1, 0, 0
        shanten, discards = best_discards(counts)
        widest, most = 0, -1
        for one in kinds_in(discards):
            counts[one] -= 1
            mask = useful(counts)[1]
            counts[one] += 1
            width = sum([unseen[each] for each in kinds_in(mask)])
            if width > most:
                widest, most = mask, width
        return shanten, widest, discards


class _Kyoku:
    """Follows one kyoku, all hands open."""

    def __init__(self, number: int, deal: events.KyokuStart, hands: Iterable[Any], rules: Rules) -> None:
        self._number, self._rules = number, rules
        self._board = Board(rules)
        place = deal.round_wind, deal.kyoku, deal.honba
        self._board.start(*place, deal.sticks, deal.scores, deal.indicator, tuple(hands))
        self._held: list[_Held | None] = [None] * SEATS
        self._unseen = [COPIES] * KINDS
        for hand in deal.hands:
            self._see(*(hand or ()))
        self._see(deal.indicator)

    def rows(self, facts: Iterable[Fact]) -> Iterable[tuple[Any, ...]]:
        """Yield the row of every draw among the facts."""
        for fact in facts:
            if isinstance(fact, WinFact):
                continue
            if isinstance(fact, events.Draw):
                assert fact.tile is not None, "a record tells all tiles"
                yield self.row(fact.seat, KIND[fact.tile])
                self._see(fact.tile)
            elif isinstance(fact, events.Dora):
                self._see(fact.indicator)
            elif isinstance(fact, events.MeldCall | events.OwnKan) or (
                isinstance(fact, events.TileDiscard) and not fact.tsumogiri
            ):
                self._held[fact.seat] = None
            if isinstance(fact, events.Event):
                fact.apply(self._board)

    def row(self, drawer: int, tile: int) -> tuple[Any, ...]:
        """Return the row of a draw that comes next."""
        board = self._board
        order = [(drawer + turn) % SEATS for turn in range(SEATS)]
        held = [self._valued(seat) for seat in order]
        waits = [self._waits(seat, one) for seat, one in zip(order, held, strict=True)]
        ends, won = self._certain(order, held, waits)
        dora = [0] * KINDS
        for kind in board.dora():
            dora[kind] += 1
        seats = [self._seat(seat, one, mask) for seat, one, mask in zip(order, held, waits, strict=True)]
        return (
            *(self._number, tile, drawer, board.round, board.live, board.sticks, board.scores.copy()),
            *(self._unseen.copy(), dora, *held[0].after(self._unseen), ends, won),
            *(list(column) for column in zip(*seats, strict=True)),
        )

    def _seat(self, seat: int, held: _Held, waits: int) -> tuple[Any, ...]:
        board, hand = self._board, self._board.hands[seat]
        laid = [0] * KINDS
        tiles = [tile for meld in hand.melds for tile in meld.tiles]
        for tile in tiles:
            laid[KIND[tile]] += 1
        paid = [points for points in held.ron.values() if points]
        return (
            *(held.shanten, held.useful, waits, bool(held.ron) and bool(held.useful & board.rivers[seat].kinds)),
            *(sum(paid) / len(paid) if paid else 0.0, not hand.is_closed, len(hand.melds), board.riichi[seat] > 0),
            *(board.ippatsu[seat], sum(hand.reds) + sum([tile >= RED_M for tile in tiles]), held.counts, laid),
        )

    def _certain(
        self, order: Sequence[int], held: Sequence[_Held], waits: Sequence[int]
    ) -> tuple[list[int], list[float]]:
        """By the kind drawn, how the kyoku ends at once, and the points: the drawer wins, or a riichi has to discard
        what another seat waits for."""
        ends, won = [-1] * KINDS, [0.0] * KINDS
        if self._board.riichi[order[0]]:
            for seat, one, mask in zip(order[:0:-1], held[:0:-1], waits[:0:-1], strict=True):
                for kind in kinds_in(mask):  # the seat that is next in turn stands last and stays
                    ends[kind], won[kind] = END[seat, order[0]], one.ron[kind]
        for kind, points in held[0].tsumo.items():
            if points:
                ends[kind], won[kind] = END[order[0], None], points
        return ends, won

    def _waits(self, seat: int, held: _Held) -> int:
        """The kinds that a seat may ron."""
        if held.useful & self._board.rivers[seat].kinds:
            return 0
        return sum([1 << kind for kind, points in held.ron.items() if points])

    def _valued(self, seat: int) -> _Held:
        """The concealed tiles of a seat, with what its waits bring."""
        board, held = self._board, self._held[seat]
        hand = board.hands[seat]
        if held is None:
            counts = hand.counts.copy()
            if hand.drawn is not None:
                counts[KIND[hand.drawn]] -= 1
            held = self._held[seat] = _Held(counts)
        now = board.riichi[seat], board.ippatsu[seat], len(board.indicators), board.live == 1
        if held.shanten == 0 and held.valued != now:
            held.valued = now
            for kind in kinds_in(held.useful):
                held.ron[kind] = self._points(seat, hand, kind, tsumo=False)
                held.tsumo[kind] = self._points(seat, hand, kind, tsumo=True)
        return held

    def _points(self, seat: int, hand: Tehai, kind: int, *, tsumo: bool) -> float:
        """What a win brings, with some ura dora in riichi; 0 without a yaku."""
        board, score = self._board, self._rules.score
        situation = Situation(
            seat=seat,
            round_wind=board.round,
            tsumo=tsumo,
            riichi=board.riichi[seat],
            ippatsu=board.ippatsu[seat],
            haitei=tsumo and board.live == 1,
            dora=tuple(board.indicators),
        )
        if tsumo:
            hand.add(kind)
        value = hand_value(hand, kind, situation, self._rules)
        if tsumo:
            hand.remove(kind)
        if value is None:
            return 0.0
        base = float(base_points(value.fu, value.han, value.yakuman, score))
        if board.riichi[seat]:
            base += _URA * (base_points(value.fu, value.han + 1, value.yakuman, score) - base)
        return base * (6 if seat == 0 else 4)

    def _see(self, *tiles: int) -> None:
        for tile in tiles:
            self._unseen[KIND[tile]] -= 1
