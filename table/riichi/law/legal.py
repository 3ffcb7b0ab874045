"""The options of every question, and the default that is played for a seat that does not answer.

Among them are calls and kans, with the seat that is liable for a yakuman which a call makes certain.
"""

from collections.abc import Iterator, Sequence
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
from jantaku.table.riichi.law.readiness import Readiness, is_kyuushu
from jantaku.table.riichi.law.ruling import Robbed, may_ron, may_tsumo
from jantaku.table.riichi.pieces.board import MOST_KANS, Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind, ankan, kakan
from jantaku.table.riichi.pieces.seats import BEFORE, SEATS, THREE, at_side, side_of
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import (
    EAST,
    FIVES,
    KIND,
    KINDS,
    NORTH,
    RED,
    RED_M,
    WHITE,
    run_kinds,
    sort_tiles,
    tiles_of,
)
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.points.payments import Liability
from jantaku.table.riichi.rules import Rules

# Liability (包, S-60): which seat fed the meld that makes a yakuman certain.

DRAGON_KINDS = range(WHITE, RED + 1)
WIND_KINDS = range(EAST, NORTH + 1)


def liabilities(melds: Sequence[Meld], owner: int, seats: int = SEATS) -> tuple[Liability, ...]:
    """The liable seats for every yakuman that these melds show, whether or not the rules apply liability."""
    found = []
    triplets = [meld for meld in melds if meld.kind != MeldKind.CHI]
    if feeder := _feeder([meld for meld in triplets if meld.tile_kind in DRAGON_KINDS], 3):
        found.append(Liability("daisangen", at_side(owner, feeder, seats)))
    if feeder := _feeder([meld for meld in triplets if meld.tile_kind in WIND_KINDS], 4):
        found.append(Liability("daisuushi", at_side(owner, feeder, seats)))
    kans = [meld for meld in triplets if meld.is_kan]
    if len(kans) == 4 and kans[-1].kind == MeldKind.DAIMINKAN:
        found.append(Liability("suukantsu", at_side(owner, kans[-1].source, seats)))
    return tuple(found)


def _feeder(melds: list[Meld], needed: int) -> int:
    """The side that the last of `needed` melds was called from; 0 if it was closed, or if there are fewer melds."""
    return melds[needed - 1].source if len(melds) >= needed else 0


# Calls of another seat's discard: chi, pon, daiminkan, and kuikae (S-34, S-44, S-50).

MeldParts = tuple[MeldKind, tuple[int, ...], int, int]
"""The parts of a called meld, in the order of `Meld`: kind, own tiles, called tile, source."""
# Final copies for speed: compiled code looks another module's names up at every use
_CHI: Final = MeldKind.CHI
_PON: Final = MeldKind.PON
_NEVER_STUCK: Final = 4
"""A hand of more kinds than this can discard after any chi: two kinds go into the run, and at most two are kuikae."""


def calls(board: Board, rules: Rules, seat: int, tile: int) -> list[MeldParts]:
    """The melds that `seat` may make of `tile`, the last discard: daiminkan, pon, chi.

    There are none on the last discard of the wall (S-82) and none in riichi (S-76); there is no chi in a three-player
    game (T-21).
    """
    if not board.live or board.riichi[seat]:
        return []
    hand, source = board.hands[seat], side_of(seat, board.last_seat, board.seats)
    kind = KIND[tile]
    melds: list[MeldParts] = []
    if hand.two >> kind & 1:
        held = tiles_of_kind(hand, kind)
        if len(held) == 3 and board.kans < MOST_KANS:
            melds.append((MeldKind.DAIMINKAN, tuple(held), tile, source))
        melds.append((_PON, (held[0], held[1]), tile, source))
        if len(held) == 3 and held[0] != held[2]:
            melds.append((_PON, (held[1], held[2]), tile, source))
    if source == BEFORE and board.seats == SEATS and run_kinds(hand.one) >> kind & 1:
        melds += _chis(hand, tile, rules)
    return melds


def _chis(hand: Tehai, tile: int, rules: Rules) -> list[MeldParts]:
    """The runs with `tile`, lowest first, a red five before a plain one; without those that leave nothing to
    discard."""
    kind = KIND[tile]
    melds: list[MeldParts] = []
    free = hand.one.bit_count() > _NEVER_STUCK
    for low in range(max(kind - 2, kind // 9 * 9), min(kind, kind // 9 * 9 + 6) + 1):
        first = low + 1 if low == kind else low
        second = low + 1 if low + 2 == kind else low + 2
        if hand.one >> first & 1 and hand.one >> second & 1:
            for one in _different(hand, first):
                for two in _different(hand, second):
                    meld = (_CHI, (one, two), tile, BEFORE)
                    if free or _leaves_a_discard(hand, Meld(*meld), rules):
                        melds.append(meld)
    return melds


def _different(hand: Tehai, kind: int) -> list[int]:
    """The different tiles of a kind that the hand has, a red five first."""
    reds = hand.reds[kind // 9] if kind in FIVES else 0
    if not reds:
        return [kind]
    return [RED_M + kind // 9, kind] if hand.counts[kind] > reds else [RED_M + kind // 9]


def _leaves_a_discard(hand: Tehai, meld: Meld, rules: Rules) -> bool:
    """Whether the hand has a tile outside the meld that may be discarded after it."""
    banned = kuikae(meld, rules)
    used = [KIND[tile] for tile in meld.own]
    rest = hand.one
    for kind in used:
        if hand.counts[kind] == used.count(kind):
            rest &= ~(1 << kind)
    return bool(rest & ~banned)


def kuikae(meld: Meld, rules: Rules) -> int:
    """The kinds that may not be discarded right after this chi or pon, as a bit mask (S-50).

    These are the called kind and, for a two-sided run, the kind at its other end.
    """
    rule, tile = rules.call.kuikae, meld.called
    if rule == "free" or tile is None:
        return 0
    called = KIND[tile]
    banned = 1 << called
    if meld.kind == _CHI and rule == "forbidden":
        low = min(called, KIND[meld.own[0]], KIND[meld.own[1]])
        if called == low and low % 9 < 6:
            banned |= 1 << low + 3
        elif called == low + 2 and low % 9 > 0:
            banned |= 1 << low - 1
    return banned


# Kans on the seat's own turn, and the ankan that riichi still allows (S-56, S-57, S-76).

# Final copies for speed: compiled code looks another module's names up at every use


def own_kans(board: Board, rules: Rules, seat: int, waits: int) -> list[Meld]:
    """The ankan and kakan that `seat`, having drawn, may make. `waits` are its waits before the draw.

    There are none with the last tile of the wall, and none after four kans (S-61, S-82).
    """
    hand = board.hands[seat]
    if not board.live or board.kans == MOST_KANS:
        return []
    if board.riichi[seat]:
        return _ankan_in_riichi(hand, rules, waits)
    kans = [_ankan_of(hand, kind) for kind in range(KINDS) if hand.four >> kind & 1] if hand.four else []
    for meld in hand.melds:
        if meld.kind is _PON:
            kind = KIND[meld.own[0]]
            if hand.counts[kind]:
                kans.append(kakan(meld, tiles_of_kind(hand, kind)[0]))
    return kans


def tiles_of_kind(hand: Tehai, kind: int) -> list[int]:
    """The concealed tiles of one kind, red fives first."""
    reds = hand.reds[kind // 9] if kind in FIVES else 0
    return [RED_M + kind // 9] * reds + [kind] * (hand.counts[kind] - reds)


def _ankan_of(hand: Tehai, kind: int) -> Meld:
    return ankan(*tiles_of_kind(hand, kind))


def _ankan_in_riichi(hand: Tehai, rules: Rules, waits: int) -> list[Meld]:
    """The ankan allowed in riichi: it uses the tile just drawn, and the hand keeps its waits as `riichi.ankan`
    demands."""
    level = rules.riichi.ankan
    if level == "never" or hand.drawn is None or not hand.four >> KIND[hand.drawn] & 1:
        return []
    kind = KIND[hand.drawn]
    before = hand.counts[:]
    before[kind] -= 1
    after = hand.counts[:]
    after[kind] = 0
    waits_after = shapes.waits(after)
    if level == "shape":
        allowed = bool(waits_after) and _readings(before, waits) <= _readings(after, waits_after)
    else:
        allowed = waits_after == waits and (level == "waits" or _always_triplet(before, kind, waits))
    return [_ankan_of(hand, kind)] if allowed else []


Groups = tuple[tuple[int, ...], ...]


def divisions(counts: list[int], has_pair: bool = False, start: int = 0) -> Iterator[Groups]:
    """Every way to read concealed tiles as triplets, runs and one pair. `counts` is restored afterwards."""
    while start < KINDS and not counts[start]:
        start += 1
    if start == KINDS:
        if has_pair:
            yield ()
        return
    run = (start, start + 1, start + 2)
    shapes_here: list[tuple[int, ...]] = [(start,) * 3] if counts[start] >= 3 else []
    if not has_pair and counts[start] >= 2:
        shapes_here.append((start,) * 2)
    if start < EAST and start % 9 < 7 and counts[start + 1] and counts[start + 2]:
        shapes_here.append(run)
    for group in shapes_here:
        for kind in group:
            counts[kind] -= 1
        for rest in divisions(counts, has_pair or len(group) == 2, start):
            yield (group, *rest)
        for kind in group:
            counts[kind] += 1


def _wins(counts: list[int], waits: int) -> Iterator[tuple[int, Groups]]:
    """Yield (winning kind, reading) for every wait."""
    for kind in range(KINDS):
        if waits >> kind & 1:
            counts[kind] += 1
            for groups in divisions(counts):
                yield kind, groups
            counts[kind] -= 1


def _readings(counts: list[int], waits: int) -> int:
    """The number of ways in which the hand wins: pairs of a decomposition and a group in it that the winning tile
    completes."""
    return sum(len({group for group in groups if kind in group}) for kind, groups in _wins(counts, waits))


def _always_triplet(counts: list[int], kind: int, waits: int) -> bool:
    """Whether three tiles of `kind` are a triplet in every reading of every win."""
    return all((kind,) * 3 in groups for _, groups in _wins(counts, waits))


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

    Most players never look at the list of their discards. What the list is made from is kept as it was at the draw.
    """

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

    `may_call` is False for a discard after which the kyoku ends unless a seat wins on it.
    """
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
