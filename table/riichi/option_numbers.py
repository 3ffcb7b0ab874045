"""Every action of riichi as a number from 0 to 352 (353 in a three-player game), for programs that learn. The table is
fixed (see `VERSION`) and listed in docs/self-play.md.

Tiles are 0 to 36 (34 to 36: the red fives) and kinds 0 to 33, see `pieces/tiles.py`. The options of one question have
different numbers: the called tile lies on the table, and so do the three tiles under a kakan, so own tiles are enough
to distinguish melds. `NAMES` has each number in words; chi and pon are in the order of `CHI` and `PON`.
"""

from collections.abc import Iterator
from typing import Final

from jantaku.table.ground.port import Action
from jantaku.table.riichi import actions
from jantaku.table.riichi.pieces import tiles
from jantaku.table.riichi.pieces.melds import Meld, MeldKind, sorted_own
from jantaku.table.riichi.pieces.tiles import FIVES, KINDS, RED_M, TILES, tiles_text

VERSION: Final = 1
"""Version of this table. A number never changes its meaning within a version; decision tables name the version that
they use."""

_Own = tuple[int, ...]


def _with_reds(own: _Own) -> Iterator[_Own]:
    """Yield these plain tiles, then the same with a red five in place of each plain one, one after another."""
    yield own
    for place, tile in enumerate(own):
        if tile in FIVES:
            own = (*own[:place], RED_M + FIVES.index(tile), *own[place + 1 :])
            yield own


def _pairs_in_runs() -> Iterator[_Own]:
    for first in range(27):
        for second in (first + 1, first + 2):
            if second // 9 == first // 9:
                yield from _with_reds((first, second))


CHI: Final = tuple(sorted_own(*own) for own in _pairs_in_runs())
"""The two own tiles of each chi, in the order of the numbers: m12, m13, m23, m24, … m35, m30, …"""
PON: Final = tuple(sorted_own(*own) for kind in range(KINDS) for own in _with_reds((kind, kind)))
"""The two own tiles of each pon, in the order of the numbers: m11, m22, … m55, m05, m00, …"""

WORDS: Final = (actions.TSUMO, actions.RON, actions.KYUUSHU, actions.PASS, actions.TENPAI, actions.NOTEN)
"""The actions without a tile, in the order of the numbers."""
FIRST_WORD: Final = 4 * TILES
FIRST_CHI: Final = FIRST_WORD + len(WORDS)
FIRST_PON: Final = FIRST_CHI + len(CHI)
FIRST_KAN: Final = FIRST_PON + len(PON)
_KANS: Final = (MeldKind.DAIMINKAN, MeldKind.ANKAN, MeldKind.KAKAN)
COUNT: Final = FIRST_KAN + len(_KANS) * KINDS
"""Number of actions in a four-player game: 353."""
ASIDE: Final = COUNT
"""The number for setting a north aside, 353: the one more action of a three-player game."""

_WORD: Final[dict[Action, int]] = {
    **{action: FIRST_WORD + place for place, action in enumerate(WORDS)},
    actions.SET_ASIDE: ASIDE,
}
_CHI: Final = {own: FIRST_CHI + place for place, own in enumerate(CHI)}
_PON: Final = {own: FIRST_PON + place for place, own in enumerate(PON)}
_KAN: Final = {kind: FIRST_KAN + KINDS * place for place, kind in enumerate(_KANS)}
_DISCARDS: Final = (actions.DISCARDS, actions.TSUMOGIRI, actions.RIICHI_DISCARDS, actions.RIICHI_TSUMOGIRI)
_CONSTANTS: Final = {
    **{id(action): number for action, number in _WORD.items()},
    **{id(one): TILES * place + tile for place, discards in enumerate(_DISCARDS) for tile, one in enumerate(discards)},
}
"""By the id of an action that is a constant of the game: these are found in a fifth of the time."""


def number_of(action: Action) -> int:
    """The number of an action, 0 to 353. Raises KeyError for an object that is not an action of riichi."""
    known = _CONSTANTS.get(id(action), -1)
    if known >= 0:
        return known
    if isinstance(action, actions.Discard):
        return discard_number(action.tile, action.tsumogiri, action.riichi)
    if isinstance(action, actions.Call | actions.Kan):
        return meld_number(action.meld)
    return _WORD[action]


def discard_number(tile: int, tsumogiri: bool, riichi: bool) -> int:
    """The number of a discard, 0 to 147."""
    return tile + TILES * tsumogiri + 2 * TILES * riichi


def meld_number(meld: Meld) -> int:
    """The number of the call or kan that makes this meld, 154 to 352."""
    if meld.kind == MeldKind.CHI:
        return _CHI[meld.own]
    if meld.kind == MeldKind.PON:
        return _PON[meld.own]
    return _KAN[meld.kind] + meld.tile_kind


def _names() -> Iterator[str]:
    for mark in ("", "_", "*", "_*"):
        yield from (f"discard {name}{mark}" for name in tiles.NAMES)
    yield from (str(action).lower() for action in WORDS)
    yield from (f"chi with {tiles_text(own)}" for own in CHI)
    yield from (f"pon with {tiles_text(own)}" for own in PON)
    for kind in _KANS:
        yield from (f"{kind.name.lower()} {name}" for name in tiles.NAMES[:KINDS])
    yield "set a north aside"


NAMES: Final = tuple(_names())
"""By number, the action in words: `discard m1`, `discard p5_*` (drawn, riichi), `ron`, `chi with m34`, `ankan z1`."""
