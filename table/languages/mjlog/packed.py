"""The numbers of a Tenhou log (mjlog): its tiles, and the 16 bits into which it packs a meld.

Tiles are numbers 0 to 135, four to a kind; 16, 52 and 88 are the red fives if there are red fives. Of a meld the two
lowest bits give the seat that the tile came from (0 none, 1 下家, 2 対面, 3 上家), the next three the kind; the meaning
of the rest depends on the kind.
"""

from collections.abc import Callable

from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.pieces.melds import Meld, ankan, chi, daiminkan, kakan, pon
from jantaku.table.riichi.pieces.seats import BEFORE
from jantaku.table.riichi.pieces.tiles import COPIES, EAST, KINDS, RED_M, RED_P, RED_S

_CHI, _PON, _KAKAN, _NUKI = 0x4, 0x8, 0x10, 0x20
_KINDS = 0x3F
_MOST = 0xFFFF

TileOf = Callable[[int], int]
"""Converts a Tenhou number to our tile."""


def numbered(number: int, reds: bool = True) -> int:
    """Return the tile for one of the 136 numbers. Raises BadInput for any other number."""
    if not 0 <= number < KINDS * COPIES:
        raise BadInput(f"{number} is no tile; allowed are 0 to {KINDS * COPIES - 1}")
    plain = number // COPIES
    return {16: RED_M, 52: RED_P, 88: RED_S}.get(number, plain) if reds else plain


def is_north(packed: int) -> bool:
    """Whether this is a north that one of three players set aside."""
    return packed & _KINDS == _NUKI


def unpack(packed: int, tile_of: TileOf) -> Meld:
    """Unpack a meld. Raises BadInput for any other number, and for a north set aside (see `is_north`)."""
    source = packed & 3
    if not 0 <= packed <= _MOST or is_north(packed):
        raise BadInput(f"{packed} is no meld")
    if packed & _CHI:
        if source != BEFORE:
            raise BadInput(f"{packed} is no meld: a chi that is not from 上家")
        return _chi(packed, tile_of)
    if packed & (_PON | _KAKAN):
        if not source:
            raise BadInput(f"{packed} is no meld: a pon from nobody")
        return _triplet(packed, source, tile_of)
    number = packed >> 8
    first = number // COPIES * COPIES
    rest = [tile_of(other) for other in range(first, first + COPIES) if other != number]
    return daiminkan(tile_of(number), source, *rest) if source else ankan(tile_of(number), *rest)


def _chi(packed: int, tile_of: TileOf) -> Meld:
    """Bits 3-8: which copy of each tile; above: run times three plus the place of the called tile."""
    run, place = divmod(packed >> 10, 3)
    first = run // 7 * 9 + run % 7
    if first >= EAST:
        raise BadInput(f"{packed} is no meld: a run of honours")
    tiles = [tile_of((first + step) * COPIES + (packed >> 3 + 2 * step & 3)) for step in range(3)]
    called = tiles.pop(place)
    return chi(called, *tiles)


def _triplet(packed: int, source: int, tile_of: TileOf) -> Meld:
    """Bits 5-6: the copy that the pon leaves out; above: kind times three plus the place of the called tile."""
    kind, place = divmod(packed >> 9, 3)
    copies = [kind * COPIES + copy for copy in range(COPIES)]
    left_out = copies.pop(packed >> 5 & 3)
    called = copies.pop(place)
    made = pon(tile_of(called), source, *map(tile_of, copies))
    return made if packed & _PON else kakan(made, tile_of(left_out))
