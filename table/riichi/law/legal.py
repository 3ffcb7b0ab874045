"""The options of every question, and the default that is played for a seat that does not answer.

Among them are calls and kans, with the seat that is liable for a yakuman which a call makes certain.
"""

from typing import Final

from jantaku.table.ground.choice import Action, Choice, Options, twins
from jantaku.table.riichi.actions import (
    DISCARDS,
    KYUUSHU,
    NOTEN,
    PASS,
    RIICHI_DISCARDS,
    RIICHI_TSUMOGIRI,
    RON,
    SET_ASIDE,
    TENPAI,
    TSUMO,
    TSUMOGIRI,
    Call,
    Kan,
)
from jantaku.table.riichi.law.calls import MeldParts, calls, kuikae
from jantaku.table.riichi.law.draws import is_kyuushu
from jantaku.table.riichi.law.kans import own_kans
from jantaku.table.riichi.law.readiness import Readiness
from jantaku.table.riichi.law.wins import Robbed, may_ron, may_tsumo
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import Meld
from jantaku.table.riichi.pieces.seats import THREE
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import KIND, NORTH, RED_M, sort_tiles, tiles_of
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.rules import Rules


class _Discards:
    """Makes lists of discards from bit masks of tiles, sorted as in the hand. The list for each part of a suit is made
    once."""

    __slots__ = ("_by_tile", "_known")

    def __init__(self, by_tile: Options) -> None:
        self._by_tile = by_tile
        self._known: list[Options | None] = [None] * (4 << _TILES_OF_SUIT)

    def of(self, tiles: int) -> list[Action]:
        """One discard for each of these tiles."""
        found: list[Action] = []
        for suit in range(4):
            ranks = tiles >> 9 * suit & (_NUMBERS if suit < 3 else _HONOURS)
            if suit < 3 and tiles >> RED_M + suit & 1:
                ranks |= _RED
            if ranks:
                known = self._known[suit << _TILES_OF_SUIT | ranks]
                found += self._listed(suit, ranks) if known is None else known
        return found

    def _listed(self, suit: int, ranks: int) -> Options:
        tiles = sort_tiles([9 * suit + rank for rank in range(9) if ranks >> rank & 1] + [RED_M + suit] * (ranks >> 9))
        self._known[suit << _TILES_OF_SUIT | ranks] = listed = tuple([self._by_tile[tile] for tile in tiles])
        return listed


_TILES_OF_SUIT: Final = 10
"""Number of bits for a suit: nine ranks and a red five."""
_NUMBERS: Final = (1 << 9) - 1
_HONOURS: Final = (1 << 7) - 1
_RED: Final = 1 << 9
_DISCARDS: Final = _Discards(DISCARDS)
_RIICHI_DISCARDS: Final = _Discards(RIICHI_DISCARDS)
# Final copies for speed: compiled code looks another module's names up at every use
_TSUMOGIRI: Final = TSUMOGIRI
_RIICHI_TSUMOGIRI: Final = RIICHI_TSUMOGIRI
_PASS: Final = PASS
_TILE_OF_DISCARD: Final = {id(discard): tile for tile, discard in enumerate(DISCARDS)}

DECLARE_TENPAI = Choice((TENPAI, NOTEN), NOTEN)
"""A player that does not answer has not declared (S-38)."""


class AfterDraw(Choice):
    """The options with a drawn tile outside riichi: a few special ones, then discards, which are listed only on demand.
    Most players never look at the list of their discards. What the list is made from is kept as it was at the draw."""

    __slots__ = ("_counts", "_drawn", "_held", "_riichi", "_special")

    def __init__(self, held: int, drawn: int, special: Options, riichi: int, counts: tuple[int, ...] | None) -> None:
        """`held` is a mask of tiles, see `Tehai.choices`; `drawn` is the tile just drawn. `riichi` are the kinds whose
        discard may declare riichi; if `counts` (the hand, by kind) is given, only those of them that leave it tenpai.
        """
        super().__init__(None, _TSUMOGIRI[drawn])
        self._held = held
        self._drawn = drawn
        self._special = special
        self._riichi = riichi
        self._counts = counts

    def twin(self) -> Choice:
        """A copy whose kans are copies; nothing else in it can be changed."""
        special = twins(self._special) if self._special else self._special
        return AfterDraw(self._held, self._drawn, special, self._riichi, self._counts)

    def find(self, given: object) -> Action | None:
        """Return `given` if it is one of these options itself. A discard is looked up without listing the options."""
        if self._options is None:
            tile = _TILE_OF_DISCARD.get(id(given), -1)
            if tile >= 0 and self._held >> tile & 1:
                return given
        return super().find(given)

    def _listed(self) -> Options:
        drawn, riichi = self._drawn, self._riichi
        if self._counts is not None:
            riichi &= shapes.tenpai_discards(list(self._counts))
        options = list(self._special)
        if riichi:
            options += _RIICHI_DISCARDS.of(self._held & tiles_of(riichi))
            if riichi >> KIND[drawn] & 1:
                options.append(_RIICHI_TSUMOGIRI[drawn])
        options += _DISCARDS.of(self._held)
        options.append(_TSUMOGIRI[drawn])
        return tuple(options)


class Reaction(Choice):
    """Ron, calls and a pass, which is the default. The calls are made only on demand: most players pass without
    looking."""

    __slots__ = ("_melds", "_ron")

    def __init__(self, ron: bool, melds: tuple[MeldParts, ...]) -> None:
        super().__init__(None, _PASS)
        self._ron = ron
        self._melds = melds

    def twin(self) -> Choice:
        """A copy; nothing in it can be changed."""
        return Reaction(self._ron, self._melds)

    def _listed(self) -> Options:
        options: list[Action] = [RON] if self._ron else []
        options += [Call(Meld(*parts)) for parts in self._melds]
        options.append(_PASS)
        return tuple(options)


def after_draw(board: Board, rules: Rules, ready: Readiness, seat: int) -> Choice:
    """The options with a drawn tile: win, abort, kan, riichi, discard (S-28, S-30). The default is 自摸切り (S-39)."""
    hand = board.hands[seat]
    drawn = hand.drawn
    assert drawn is not None, "the turn seat has drawn"
    special: list[Action] = []
    if may_tsumo(board, rules, ready, seat):
        special.append(TSUMO)
    if board.first_round and rules.abort.kyuushu and is_kyuushu(hand):
        special.append(KYUUSHU)
    if hand.four or hand.melds:  # without these there is nothing to make a kan of
        special += [Kan(meld) for meld in own_kans(board, rules, seat, ready.waits[seat])]
    if board.seats == THREE and may_set_aside(board, rules, seat):
        special.append(SET_ASIDE)
    if not board.riichi[seat]:
        riichi = _riichi_kinds(board, rules, ready, seat)
        counts = tuple(hand.counts) if riichi is None else None
        return AfterDraw(hand.choices(), drawn, tuple(special), hand.one if riichi is None else riichi, counts)
    special.append(TSUMOGIRI[drawn])
    return Choice(tuple(special), TSUMOGIRI[drawn])


def may_set_aside(board: Board, rules: Rules, seat: int) -> bool:
    """Whether `seat`, having drawn, may set a north aside: in riichi only the north just drawn, and never with the last
    tile of the wall (T-24, T-28)."""
    hand = board.hands[seat]
    if rules.sanma.north != "nuki" or not board.live or not hand.one >> NORTH & 1:
        return False
    return hand.drawn == NORTH or not board.riichi[seat]


def after_call(hand: Tehai, rules: Rules) -> Choice:
    """The options right after a chi or pon: the discards that kuikae allows (S-50, S-54). The default is the highest
    tile."""
    options = tuple(_DISCARDS.of(hand.choices() & ~tiles_of(kuikae(hand.melds[-1], rules))))
    return Choice(options, options[-1])


def reaction(
    board: Board, rules: Rules, ready: Readiness, seat: int, tile: int, robbed: Robbed | None, *, may_call: bool = True
) -> Choice | None:
    """What `seat` may do about `tile`, which was just discarded or, if `robbed`, may be robbed; None if nothing (S-44).
    `may_call` is False for a discard after which the kyoku ends unless a seat wins on it."""
    ron = may_ron(board, rules, ready, seat, tile, robbed)
    melds = calls(board, rules, seat, tile) if robbed is None and may_call else []
    return Reaction(ron, tuple(melds)) if ron or melds else None


def _riichi_kinds(board: Board, rules: Rules, ready: Readiness, seat: int) -> int | None:
    """The kinds whose discard may declare riichi (S-72), as a bit mask; None for all kinds that leave the hand
    tenpai."""
    if ready.far[seat] > 1:  # no discard can leave it tenpai
        return 0
    hand = board.hands[seat]
    if not hand.is_closed:
        return 0
    riichi = rules.riichi
    # 0 means no limit: riichi is allowed even below 0 points
    too_poor = riichi.min_points and board.scores[seat] < riichi.min_points
    if board.live < riichi.min_tiles or too_poor:
        return 0
    if hand.melds and not rules.draw.own_four_is_tenpai:
        return _with_a_wait_left(hand, shapes.tenpai_discards(hand.counts))
    return None


def _with_a_wait_left(hand: Tehai, kinds: int) -> int:
    """Those of `kinds` whose discard leaves a wait that is not wholly in the own hand and ankan (S-71)."""
    closed = shapes.own_four(hand)
    left = 0
    for kind, count in enumerate(hand.counts):
        if count and kinds >> kind & 1:
            counts = hand.counts[:]
            counts[kind] -= 1
            if shapes.waits(counts) & ~(closed & ~(1 << kind)):
                left |= 1 << kind
    return left
