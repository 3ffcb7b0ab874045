"""Calls of another seat's discard: chi, pon, daiminkan, and kuikae (S-34, S-44, S-50)."""

from itertools import combinations

from table.riichi.law.kans import tiles_of_kind
from table.riichi.pieces.board import MOST_KANS, Board
from table.riichi.pieces.melds import Meld, MeldKind, chi, daiminkan, pon
from table.riichi.pieces.seats import steps_from
from table.riichi.pieces.tehai import Tehai
from table.riichi.pieces.tiles import KIND, run_kinds
from table.riichi.rules import Rules


def calls(board: Board, rules: Rules, seat: int) -> list[Meld]:
    """The melds that `seat` may make of the last discard: daiminkan, pon, chi.

    None on the last discard of the wall (S-82) and none in riichi (S-76).
    """
    if not board.live or board.riichi[seat] or board.last_tile is None:
        return []
    hand, tile, source = board.hands[seat], board.last_tile, steps_from(seat, board.last_seat)
    kind = KIND[tile]
    melds: list[Meld] = []
    if hand.two >> kind & 1:
        held = tiles_of_kind(hand, kind)
        if len(held) == 3 and board.kans < MOST_KANS:
            melds.append(daiminkan(tile, source, *held))
        melds += [pon(tile, source, *pair) for pair in sorted(set(combinations(held, 2)), reverse=True)]
    if source == 3 and run_kinds(hand.one) >> kind & 1:
        melds += _chis(hand, tile, rules)
    return melds


def _chis(hand: Tehai, tile: int, rules: Rules) -> list[Meld]:
    """Runs with `tile`, lowest first, a red five before a plain one; none that leaves nothing to discard."""
    kind = KIND[tile]
    melds = []
    for low in range(max(kind - 2, kind // 9 * 9), min(kind, kind // 9 * 9 + 6) + 1):
        first, second = (other for other in (low, low + 1, low + 2) if other != kind)
        for one in dict.fromkeys(tiles_of_kind(hand, first)):
            for two in dict.fromkeys(tiles_of_kind(hand, second)):
                meld = chi(tile, one, two)
                if _leaves_a_discard(hand, meld, rules):
                    melds.append(meld)
    return melds


def _leaves_a_discard(hand: Tehai, meld: Meld, rules: Rules) -> bool:
    """Whether some tile outside the meld may be discarded after it."""
    banned = kuikae(meld, rules)
    used = [KIND[tile] for tile in meld.own]
    rest = hand.one
    for kind in used:
        if hand.counts[kind] == used.count(kind):
            rest &= ~(1 << kind)
    return bool(rest & ~banned)


def kuikae(meld: Meld, rules: Rules) -> int:
    """Kinds that may not be discarded right after this chi or pon, as a bit mask (S-50).

    The called kind; for a two-sided run also the tile at its other end.
    """
    if rules.call.kuikae == "free" or meld.called is None:
        return 0
    called = KIND[meld.called]
    banned = 1 << called
    if meld.kind == MeldKind.CHI and rules.call.kuikae == "forbidden":
        low = meld.tile_kind
        if called == low and low % 9 < 6:
            banned |= 1 << low + 3
        elif called == low + 2 and low % 9 > 0:
            banned |= 1 << low - 1
    return banned
