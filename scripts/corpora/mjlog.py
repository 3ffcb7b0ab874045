"""The XML of Tenhou logs (mjlog): its tags, and the numbers into which its melds are packed.

Tiles are numbers 0 to 135, four to a kind; 16, 52 and 88 are the red fives if there are red fives. Melds are 16 bits:
the two lowest give the seat that the tile came from (0 none, 1 下家, 2 対面, 3 上家), the next three the kind; the
meaning of the rest depends on the kind.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from jantaku.table.riichi.pieces.melds import Meld, ankan, chi, daiminkan, kakan, pon

_TAG = re.compile(r"<([A-Za-z]+)(\d*)((?:\s+\w+=\"[^\"]*\")*)\s*/?>")
_ATTRIBUTE = re.compile(r"(\w+)=\"([^\"]*)\"")
_CHI, _PON, _KAKAN, _NUKI = 0x4, 0x8, 0x10, 0x20
_KINDS = 0x3F

TileOf = Callable[[int], int]
"""Converts a Tenhou number to our tile."""


class Tag(NamedTuple):
    """One tag: `<D39/>` has the name D and the number 39."""

    name: str
    number: int | None
    attributes: Mapping[str, str]

    def ints(self, name: str) -> list[int]:
        """Return a comma-separated attribute; empty if it is missing."""
        text = self.attributes.get(name)
        return [int(part) for part in text.split(",")] if text else []


def tags(xml: str) -> Iterator[Tag]:
    """Yield the tags of a log in order."""
    for name, number, attributes in _TAG.findall(xml):
        yield Tag(name, int(number) if number else None, dict(_ATTRIBUTE.findall(attributes)))


def unpack(packed: int, tile_of: TileOf) -> Meld:
    """Unpack a meld. ValueError for a north that is set aside, which is not a meld: see `is_north`."""
    source = packed & 3
    if packed & _CHI:
        return _chi(packed, tile_of)
    if packed & (_PON | _KAKAN):
        return _triplet(packed, source, tile_of)
    if is_north(packed):
        raise ValueError("a north that is set aside is no meld")
    number = packed >> 8
    rest = [tile_of(other) for other in range(number // 4 * 4, number // 4 * 4 + 4) if other != number]
    return daiminkan(tile_of(number), source, *rest) if source else ankan(tile_of(number), *rest)


def is_north(packed: int) -> bool:
    """Return whether this is a north that one of three players set aside."""
    return packed & _KINDS == _NUKI


def _chi(packed: int, tile_of: TileOf) -> Meld:
    """Bits 3-8: which copy of each tile; above: run times three plus the place of the called tile."""
    run, place = divmod(packed >> 10, 3)
    first = run // 7 * 9 + run % 7
    tiles = [tile_of((first + step) * 4 + (packed >> 3 + 2 * step & 3)) for step in range(3)]
    called = tiles.pop(place)
    return chi(called, *tiles)


def _triplet(packed: int, source: int, tile_of: TileOf) -> Meld:
    """Bits 5-6: the copy that the pon leaves out; above: kind times three plus the place of the called tile."""
    kind, place = divmod(packed >> 9, 3)
    copies = [kind * 4 + copy for copy in range(4)]
    left_out = copies.pop(packed >> 5 & 3)
    called = copies.pop(place)
    made = pon(tile_of(called), source, *map(tile_of, copies))
    return made if packed & _PON else kakan(made, tile_of(left_out))
