"""The draws of a kyoku as rows of numbers: what the table was before each, all hands open, and what each kind of tile
would have made of the hand that drew.

Nothing in a row depends on the tile that came, but for `tile` itself.
"""

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import and_, or_
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from jantaku.table.languages.facts import Fact, WinFact
from jantaku.table.records.journal.read import Record
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.seats import SEATS, player_of
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import COPIES, KIND, KINDS, RED_M, kinds_in, mask_of
from jantaku.table.riichi.points.payments import base_points
from jantaku.table.riichi.points.scorer import Situation, hand_value
from jantaku.table.riichi.points.shapes import best_discards, own_four, useful, widest_discards
from jantaku.table.riichi.points.shapes import held as held_in
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset

Rows = NDArray[Any]
"""An array of `ROW`."""
STYLES: Final = 4
"""How many numbers tell how a player has played."""
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
        ("open", *_KIND),
        ("dora", *_KIND),
        # of the drawer, by the kind that it draws: shanten, what is useful after the widest discard, the best discards,
        # the widest of these
        ("shanten_after", *_KIND),
        ("useful_after", "u8", (KINDS,)),
        ("discards", "u8", (KINDS,)),
        ("widest", "u8", (KINDS,)),
        # how the kyoku ends for certain with that kind, -1 if it goes on, and the points of that win
        ("end", *_KIND),
        ("won", "f4", (KINDS,)),
        # by seat, the drawer first and then in turn order
        ("shanten", *_SEAT),
        ("useful", "u8", (SEATS,)),
        ("waits", "u8", (SEATS,)),
        ("furiten", *_SEAT),
        ("points", "f4", (SEATS,)),
        ("opened", *_SEAT),
        ("melds", *_SEAT),
        ("riichi", *_SEAT),
        ("ippatsu", *_SEAT),
        ("reds", *_SEAT),
        ("loose", "u8", (SEATS,)),
        ("river", "u8", (SEATS,)),
        ("safe", "u8", (SEATS,)),
        ("style", "f4", (SEATS, STYLES)),
        ("concealed", "i1", (SEATS, KINDS)),
        ("laid", "i1", (SEATS, KINDS)),
    ]
)
"""One draw. Sets of kinds are bit masks; `waits` are those that the seat may ron, `points` the mean points of that,
`loose` what it can spare best, `safe` what it cannot ron in riichi, `style` see `_Style`. `widest` and `loose` are told
only where another seat waits for one of these tiles."""
ENDS: Final[tuple[tuple[int, int | None] | None, ...]] = (
    *((seat, None) for seat in range(SEATS)),
    *((seat, other) for seat in range(SEATS) for other in range(SEATS) if other != seat),
    None,
)
"""How a kyoku may end: the seat that wins and the seat that pays a ron (None for a tsumo); or None, a draw."""
END: Final = {end: number for number, end in enumerate(ENDS)}
_ALL: Final = (1 << KINDS) - 1
_RARE: Final = tuple(range(KINDS - 1, -1, -1))
"""The kinds, those first that are seldom of use."""
_URA: Final = 0.35
"""How often a win in riichi has one han more than is known."""


def rows_of(record: Record) -> tuple[Rows, Rows]:
    """Return the draws of a game of four, and of every deal four rows: its first draw, with the hands as they were
    dealt, and with all of them one, two and three seats further on. The record tells all tiles."""
    rules = record.rules or preset("tenhou")
    drawn: list[tuple[Any, ...]] = []
    dealt: list[tuple[Any, ...]] = []
    players = [_Style() for _ in range(SEATS)]
    for number, kyoku in enumerate(record.log):
        deal = kyoku[0]
        assert isinstance(deal, events.KyokuStart), "the reader has held that"
        seated = [players[player_of(seat, deal.dealer, SEATS)] for seat in range(SEATS)]
        for turned in range(SEATS):
            hands = deal.hands[turned:] + deal.hands[:turned]
            dealt.append(_Kyoku(number, deal, hands, rules, seated).row(0, 0))
        drawn.extend(_Kyoku(number, deal, deal.hands, rules, seated).rows(kyoku[1:]))
    return np.array(drawn, ROW), np.array(dealt, ROW)


class _Style:
    """How a player has played in this game so far: how often it kept its shanten and its width where nobody was in
    riichi, what it discarded was safe against a riichi, and it called."""

    def __init__(self) -> None:
        self._free = self._kept = self._wide = self._beside = self._safe = self._calls = 0

    @property
    def shares(self) -> tuple[float, ...]:
        """How often it did each of the four. A few turns of a sensible player are added, so that the first ones of
        this player do not count too much."""
        kept, wide = (self._kept + 9) / (self._free + 10), (self._wide + 8) / (self._free + 10)
        return kept, wide, (self._safe + 4) / (self._beside + 6), (self._calls + 1) / (self._free + self._beside + 12)

    def call(self) -> None:
        """It called a discard."""
        self._calls += 1

    def keep(self, kind: int, keeping: int, widest: int) -> None:
        """It discarded a kind where these keep the shanten and the width, and nobody was in riichi."""
        self._free += 1
        self._kept += keeping >> kind & 1
        self._wide += widest >> kind & 1

    def face(self, kind: int, safe: int) -> None:
        """It discarded a kind where these are safe against all that are in riichi."""
        self._beside += 1
        self._safe += safe >> kind & 1


class _Held:
    """The concealed tiles of a seat that is to draw."""

    def __init__(self, counts: list[int], river: int) -> None:
        self.counts, self.river = counts, river
        self.one = held_in(counts)
        self.shanten, self.useful = useful(counts)
        self.ron: dict[int, float] = {}
        """By wait, the points of a ron; 0 without a yaku. `tsumo` likewise."""
        self.tsumo: dict[int, float] = {}
        self.valued: tuple[object, ...] = ()
        """For what these points were computed."""
        self._after: tuple[list[int], list[int], list[int]] | None = None
        self._widest: dict[int, int] = {}
        self._loose: int | None = None

    def after(self, unseen: Sequence[int], seen: list[int]) -> tuple[list[int], list[int], list[int]]:
        """By the kind drawn: shanten, useful kinds, best discards. A hand that comes no nearer is taken to keep its
        useful kinds. `seen` are the copies that the seat sees."""
        if self._after is None:
            found = [self._with(kind, unseen, seen) for kind in range(KINDS)]
            self._after = [each[0] for each in found], [each[1] for each in found], [each[2] for each in found]
        return self._after

    def _with(self, kind: int, unseen: Sequence[int], seen: list[int]) -> tuple[int, int, int]:
        if not unseen[kind]:
            return self.shanten, self.useful, 0
        counts = self.counts
        if self.useful >> kind & 1 and self.shanten == 0:
            return -1, 0, 0
        counts[kind] += 1
        shanten, discards = best_discards(counts)
        found = self.useful
        if self.useful >> kind & 1:
            counts[kind] -= 1
            kinds = self._widest_with(kind, discards, seen)
            counts[kind] += 1
            self._widest[kind] = mask_of(kinds)
            counts[kinds[-1]] -= 1
            found = useful(counts)[1]
            counts[kinds[-1]] += 1
        counts[kind] -= 1
        return shanten, found, discards

    def widest(self, kind: int, discards: int, seen: list[int]) -> int:
        """Which of the best discards leave the hand the widest if it draws that kind, as far as the seat sees."""
        found = self._widest.get(kind)
        if found is None:
            found = self._widest[kind] = mask_of(self._widest_with(kind, discards, seen))
        return found

    def _widest_with(self, kind: int, discards: int, seen: list[int]) -> list[int]:
        counts = self.counts
        counts[kind] += 1
        seen[kind] += 1
        found, _ = widest_discards(counts, discards, _ALL, seen, self.river)
        counts[kind] -= 1
        seen[kind] -= 1
        return found

    def loose(self, seen: list[int]) -> int:
        """The kinds that the hand can spare best, if it draws a tile that is of no use."""
        if self._loose is None:
            useless = [kind for kind in _RARE if not self.counts[kind] and not self.useful >> kind & 1]
            found = 0
            if useless:
                self.counts[useless[0]] += 1
                discards = best_discards(self.counts)[1]
                found = mask_of(widest_discards(self.counts, discards, _ALL, seen, self.river)[0])
                self.counts[useless[0]] -= 1
            self._loose = found & self.one
        return self._loose


class _Kyoku:
    """Follows one kyoku, all hands open."""

    def __init__(
        self, number: int, deal: events.KyokuStart, hands: Iterable[Any], rules: Rules, styles: Sequence[_Style]
    ) -> None:
        self._number, self._rules, self._styles = number, rules, styles
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
            elif isinstance(fact, events.MeldCall | events.OwnKan):
                self._held[fact.seat] = None
                if isinstance(fact, events.MeldCall):
                    self._styles[fact.seat].call()
            elif isinstance(fact, events.TileDiscard):
                self._discarded(fact)
                if not fact.tsumogiri:
                    self._held[fact.seat] = None
            if isinstance(fact, events.Event):
                fact.apply(self._board)

    def _discarded(self, fact: events.TileDiscard) -> None:
        """Count what a discard tells of its player."""
        board, held, kind = self._board, self._held[fact.seat], KIND[fact.tile]
        drawn = board.hands[fact.seat].drawn
        if held is None or drawn is None or board.riichi[fact.seat]:
            return
        if any(board.riichi):
            safe = [board.safe_against(seat) for seat in range(SEATS) if board.riichi[seat]]
            self._styles[fact.seat].face(kind, reduce(and_, safe))
        else:
            seen = board.visible_to(fact.seat)
            seen[KIND[drawn]] -= 1  # as before the draw
            discards = held.after(self._unseen, seen)[2][KIND[drawn]]
            self._styles[fact.seat].keep(kind, discards, held.widest(KIND[drawn], discards, seen))

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
        seen = board.visible_to(drawer)
        shanten, useful_after, discards = held[0].after(self._unseen, seen)
        hit = waits[1] | waits[2] | waits[3]
        widest = discards
        if hit and any(one & hit for one in discards):
            widest = [held[0].widest(kind, one, seen) if one & hit else one for kind, one in enumerate(discards)]
        seats = [self._seat(seat, one, waits, turn) for turn, (seat, one) in enumerate(zip(order, held, strict=True))]
        return (
            *(self._number, tile, drawer, board.round, board.live, board.sticks, board.scores.copy()),
            *(self._unseen.copy(), board.open_counts.copy(), dora, shanten, useful_after, discards, widest),
            *(ends, won, *(list(column) for column in zip(*seats, strict=True))),
        )

    def _seat(self, seat: int, held: _Held, waited: Sequence[int], turn: int) -> tuple[Any, ...]:
        board, hand = self._board, self._board.hands[seat]
        laid = [0] * KINDS
        tiles = [tile for meld in hand.melds for tile in meld.tiles]
        for tile in tiles:
            laid[KIND[tile]] += 1
        paid = [points for points in held.ron.values() if points]
        waits, others = waited[turn], reduce(or_, (one for at, one in enumerate(waited) if at != turn))
        river, riichi = board.rivers[seat].kinds, board.riichi[seat] > 0
        loose = held.loose(board.visible_to(seat)) if others & held.one and not riichi else 0
        return (
            *(held.shanten, held.useful, waits, bool(held.ron) and bool(held.useful & river)),
            *(sum(paid) / len(paid) if paid else 0.0, not hand.is_closed, len(hand.melds), riichi),
            *(board.ippatsu[seat], sum(hand.reds) + sum([tile >= RED_M for tile in tiles]), loose, river),
            *(board.safe_against(seat) if riichi else 0, self._styles[seat].shares, held.counts, laid),
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
            held = self._held[seat] = _Held(counts, board.rivers[seat].kinds)
        now = board.riichi[seat], board.ippatsu[seat], len(board.indicators), board.live == 1
        if held.shanten == 0 and held.valued != now:
            held.valued = now
            for kind in kinds_in(held.useful & ~own_four(hand)):  # there is no fifth tile
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
