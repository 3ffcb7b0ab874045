"""Calls of another seat's discard: chi, pon, daiminkan, and kuikae (S-34, S-44, S-50)."""

from typing import Final

from jantaku.table.riichi.law.kans import tiles_of_kind
from jantaku.table.riichi.pieces.board import MOST_KANS, Board
from jantaku.table.riichi.pieces.melds import Meld, MeldKind
from jantaku.table.riichi.pieces.seats import BEFORE, SEATS, side_of
from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import FIVES, KIND, RED_M, run_kinds
from jantaku.table.riichi.rules import Rules

MeldParts = tuple[MeldKind, tuple[int, ...], int, int]
"""The parts of a called meld, in the order of `Meld`: kind, own tiles, called tile, source."""
# Final copies for speed: compiled code looks another module's names up at every use
_CHI: Final = MeldKind.CHI
_PON: Final = MeldKind.PON
_NEVER_STUCK: Final = 4
"""A hand of more kinds than this can discard after any chi: two kinds go into the run, and at most two are kuikae."""


def calls(board: Board, rules: Rules, seat: int, tile: int) -> list[MeldParts]:
    """The melds that `seat` may make of `tile`, the last discard: daiminkan, pon, chi. There are none on the last
    discard of the wall (S-82) and none in riichi (S-76); there is no chi in a three-player game (T-21)."""
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
    """The kinds that may not be discarded right after this chi or pon, as a bit mask (S-50). These are the called kind
    and, for a two-sided run, the kind at its other end."""
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
