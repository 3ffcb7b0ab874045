"""Reads and writes hands and melds in Majiang (電脳麻将) notation.

Hand: concealed tiles by suit (`m055z7`), a drawn tile last with its own suit letter, `*` for riichi, then `,` and each
meld. Meld: suit, then digits, with `-` 上家, `=` 対面 or `+` 下家 after the called one; an ankan has no mark; a kakan
is its pon and one more digit.
"""

import re
from collections.abc import Iterable

from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.pieces.melds import MARKS, Meld, ankan, chi, daiminkan, kakan, meld_text, pon
from jantaku.table.riichi.pieces.seats import WINDS
from jantaku.table.riichi.pieces.tiles import KIND, NAMES, TILE, sort_tiles, tiles_text

_GROUP = re.compile(r"([mpsz])(\d+)")
_SUIT_FIRST, _SUIT_LAST = re.compile(r"(?:[mpsz][0-9]+)+"), re.compile(r"(?:[0-9]+[mpsz])+")
_CHI = re.compile(r"([mps])(\d)(-?)(\d)(-?)(\d)(-?)")
_TRIPLET = re.compile(r"([mpsz])(\d)(\d)(\d)?(\d)([-+=])(\d)?")
_ANKAN = re.compile(r"([mpsz])(\d)(\d)(\d)(\d)")


def kyoku_text(round_wind: int, kyoku: int, honba: int) -> str:
    """A kyoku as people name it: `東1局0本場`. `kyoku` counts from 0."""
    return f"{WINDS[round_wind]}{kyoku + 1}局{honba}本場"


def hand_text(
    tiles: Iterable[int], melds: Iterable[Meld] = (), *, last: int | None = None, riichi: bool = False
) -> str:
    """A hand as text. `tiles` are the concealed ones without `last`, the tile drawn or won on."""
    text = tiles_text(sort_tiles(tiles))
    if last is not None:
        text += NAMES[last]
    return ",".join([text + "*" * riichi, *(meld_text(meld) for meld in melds)])


def parse_tiles(text: str) -> list[int]:
    """Read concealed tiles, in the order of the text. Raises BadInput if the text has anything else in it."""
    if _GROUP.sub("", text):
        raise BadInput(f"“{text}” is not a hand: tiles look like m123p0s7z1")
    try:
        return [TILE[suit + digit] for suit, digits in _GROUP.findall(text) for digit in digits]
    except KeyError as unknown:
        raise _no_tile(unknown.args[0]) from None


def tiles(text: str) -> list[int]:
    """Read tiles from "m123 p0 z11" (Majiang's notation) or "123m 0p 11z" (Tenhou's), with or without spaces. Raises
    BadInput for anything else."""
    written = "".join(text.split())
    if _SUIT_LAST.fullmatch(written):
        return parse_tiles(re.sub(r"([0-9]+)([mpsz])", r"\2\1", written))
    if written and not _SUIT_FIRST.fullmatch(written):
        raise BadInput(
            f"“{text}” is not tiles: they are written m123p0s7z1 or 123m0p7s1z, one of both in a text; 0 is a red five"
        )
    return parse_tiles(written)


def parse_tile(text: str) -> int:
    """Read one tile. Raises BadInput for any other text."""
    try:
        return TILE[text]
    except KeyError:
        raise _no_tile(text) from None


def _no_tile(text: str) -> BadInput:
    return BadInput(f"“{text}” is not a tile: allowed are m0-m9, p0-p9, s0-s9 and z1-z7")


def parse_meld(text: str) -> Meld:
    """Read a meld in Majiang notation, in normal form or not. Raises BadInput for any other text."""
    meld = _parse_kan_or_triplet(text) or _parse_chi(text)
    if meld is None:
        raise BadInput(f"“{text}” is not a meld: they look like m12-3, p505=, z1111, s999+9")
    return meld


def _parse_chi(text: str) -> Meld | None:
    match = _CHI.fullmatch(text)
    if not match or text.count("-") != 1:
        return None
    suit, *parts = match.groups()
    tiles = [parse_tile(suit + digit) for digit in parts[0::2]]
    called = tiles[parts[1::2].index("-")]
    kinds = sorted(KIND[tile] for tile in tiles)
    if kinds != [kinds[0], kinds[0] + 1, kinds[0] + 2] or kinds[0] // 9 != kinds[2] // 9:
        return None
    tiles.remove(called)
    return chi(called, *tiles)


def _parse_kan_or_triplet(text: str) -> Meld | None:
    closed = _ANKAN.fullmatch(text)
    called = _TRIPLET.fullmatch(text)
    match = closed or called
    if match is None:
        return None
    suit = match[1]
    tiles = [parse_tile(suit + part) for part in match.groups()[1:] if part and part.isdigit()]
    if len({KIND[tile] for tile in tiles}) != 1:
        return None
    if called is None:
        return ankan(*tiles)
    source = MARKS.index(called[6])
    if called[7]:
        return None if called[4] else kakan(pon(tiles[2], source, *tiles[:2]), tiles[3])
    *own, taken = tiles
    return daiminkan(taken, source, *own) if len(own) == 3 else pon(taken, source, *own)
