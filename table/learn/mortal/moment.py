"""The planes of the moment: the own tiles, what is asked, what each answer does. Here a plane is a bit mask of kinds.
Without numpy: the core compiles it."""

from typing import Final

from jantaku.table.learn.mortal.hand import OwnHand
from jantaku.table.learn.mortal.numbers import CHI, CLAIMS, KAN, RIICHI, Offers
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.tiles import KIND, KINDS, RED_M
from jantaku.table.riichi.rules import Rules

OWN_TILES: Final = 7
"""The first planes of all, of the own tiles; the other planes of the moment are the last of all."""
_ALL: Final = (1 << KINDS) - 1
_KIND: Final = KIND
_SHANTENS: Final = 6


def _filled(says: bool) -> int:
    return _ALL if says else 0


def moment(
    version: int, board: Board, hand: OwnHand, offers: Offers, rules: Rules, seat: int, first: int | None
) -> list[int]:
    """The planes in their order. `first`: the second question is asked, after 37 or 42."""
    riichi, kan = first == RIICHI, first == KAN
    tehai = board.hands[seat]
    found = [tehai.one, tehai.two, tehai.three, tehai.four]
    found += [_filled(count > 0) for count in tehai.reds]
    found += [hand.waits, _filled(hand.is_furiten(offers.win))]
    if version == 1:
        found += [_filled(hand.shanten > least) for least in range(_SHANTENS)]
    else:
        found += [_filled(min(hand.shanten, _SHANTENS) == number) for number in range(_SHANTENS + 1)]
    found += [_filled(board.deposited[seat]), _filled(kan)]
    found += _claimed(board) if offers.claims else [0, 0, 0]
    found += _discards(board, hand, offers, rules, seat, riichi) if offers.discards else [0] * 6
    found += [_filled(bool(offers.calls >> CHI + call & 1)) for call in range(CLAIMS)]
    if riichi:
        return [*found, 0, 0, 0, 0]
    return [*found, offers.ankans, offers.kakans, _filled(offers.win), _filled(offers.kyuushu)]


def _claimed(board: Board) -> list[int]:
    """The planes of the tile that may be claimed."""
    tile = board.last_tile
    assert tile is not None, "a claimed tile is seen"
    kind = _KIND[tile]
    return [1 << kind, _filled(tile >= RED_M), _filled(kind in board.dora())]


def _discards(board: Board, hand: OwnHand, offers: Offers, rules: Rules, seat: int, riichi: bool) -> list[int]:
    """The planes of what may be discarded, and of what it does."""
    allowed = kinds_of(offers.discards)
    kinds = kinds_of(offers.riichi) if riichi else allowed
    keeping, lowering = hand.flags(board.hands[seat])
    certain = hand.certain(board, seat, rules, allowed)
    declared = riichi or board.riichi[seat] > 0
    return [kinds, keeping, lowering, certain, _filled(declared), _filled(not declared and offers.riichi > 0)]


def kinds_of(tiles: int) -> int:
    """The kinds of a set of tiles, both as bit masks."""
    kinds = tiles & _ALL
    for tile in range(RED_M, RED_M + 3):
        kinds |= (tiles >> tile & 1) << _KIND[tile]
    return kinds


def doras_seen(board: Board, seat: int, factor: list[int], melded: int, reds: int) -> tuple[int, int, bytes]:
    """The dora in the own hand and melds, those that are unseen, and by kind the copies seen. `factor` says by kind how
    many indicators make it dora; `melded` are dora in own melds, `reds` red fives that all see."""
    tehai, seen = board.hands[seat], board.visible_to(seat)
    red = sum(tehai.reds)
    own, shown = red + melded, red + reds
    for kind in range(KINDS):
        times = factor[kind]
        if times:
            own += tehai.counts[kind] * times
            shown += seen[kind] * times
    return own, 4 * len(board.indicators) + 3 - shown, bytes(seen)
