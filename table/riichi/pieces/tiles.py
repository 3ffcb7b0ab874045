"""Tiles as small integers.

A *tile* is 0..36: 0-8 萬子 1-9m, 9-17 筒子 1-9p, 18-26 索子 1-9s, 27-33 東南西北白發中, and
34, 35, 36 the red fives of m, p and s. A *kind* is 0..33: a red five is of the kind of its plain five.
Text is Majiang's (電脳麻将) notation: `m1`..`m9`, `m0` for the red five, `z1`..`z7`.
"""

from collections.abc import Iterable
from typing import Final, TypeGuard

KINDS: Final = 34
TILES: Final = 37
COPIES: Final = 4
"""Copies of each kind."""
RED_M: Final = 34
RED_P: Final = 35
RED_S: Final = 36
LOWEST_M: Final = 0
HIGHEST_M: Final = 8
EAST: Final = 27
NORTH: Final = 30
WHITE: Final = 31
GREEN: Final = 32
RED: Final = 33
FIVES: Final = (4, 13, 22)
"""The kinds that have red fives, in the order m, p, s."""

IN_PLAY: Final = {4: (1 << KINDS) - 1, 3: (1 << KINDS) - 1 & ~((1 << HIGHEST_M) - (1 << LOWEST_M + 1))}
"""By number of seats, the kinds in play as a bit mask: a three-player game has no 2m to 8m (T-01)."""

KIND: Final[tuple[int, ...]] = (*range(34), *FIVES)
"""The kind of each tile."""

NAMES: Final = (
    *(f"{suit}{rank}" for suit in "mps" for rank in range(1, 10)),
    *(f"z{rank}" for rank in range(1, 8)),
    *(f"{suit}0" for suit in "mps"),
)
"""The text of each tile."""

TILE = {name: tile for tile, name in enumerate(NAMES)}
"""The tile of each text."""

ORDER: Final = tuple(tile * 2 if tile < KINDS else KIND[tile] * 2 - 1 for tile in range(TILES))
"""The sort key of each tile: suits m p s z, ranks ascending, a red five just before the plain one."""

TERMINALS_AND_HONOURS: frozenset[int] = frozenset((0, 8, 9, 17, 18, 26, *range(27, 34)))
"""The thirteen kinds of 么九牌."""


def is_tile(thing: object) -> TypeGuard[int]:
    """Whether `thing` is a tile. A bot may return any object."""
    return isinstance(thing, int) and 0 <= thing < TILES


def tile_text(thing: object) -> str:
    """The text of a tile; for any other object, its repr and "(no tile)"."""
    return NAMES[thing] if is_tile(thing) else f"{thing!r} (no tile)"


def tiles_text(tiles: Iterable[int]) -> str:
    """Tiles as text in the given order, the suit letter once per run of a suit."""
    text, suit = "", ""
    for tile in tiles:
        name = NAMES[tile]
        text += name if name[0] != suit else name[1]
        suit = name[0]
    return text


def mask_of(kinds: Iterable[int]) -> int:
    """The bit mask of a set of kinds: bit k for kind k."""
    mask = 0
    for kind in kinds:
        mask |= 1 << kind
    return mask


def tiles_of(kinds: int) -> int:
    """The bit mask of all tiles of the kinds in a mask, red fives included."""
    for suit, five in enumerate(FIVES):
        kinds |= (kinds >> five & 1) << RED_M + suit
    return kinds


def kinds_in(mask: int) -> list[int]:
    """The kinds of a bit mask, lowest first."""
    kinds = []
    while mask:
        lowest = mask & -mask
        kinds.append(lowest.bit_length() - 1)
        mask ^= lowest
    return kinds


YAOCHUU: Final = mask_of(TERMINALS_AND_HONOURS)
"""Terminals and honours (么九牌) as a bit mask."""


_NUMBERS: Final = (1 << EAST) - 1
_RANK_1: Final = mask_of((0, 9, 18))
_RANK_9: Final = mask_of((8, 17, 26))


def run_kinds(held: int) -> int:
    """The kinds that complete a run with two of the kinds in the mask `held`, as a bit mask."""
    held &= _NUMBERS
    above = (held & ~_RANK_1) >> 1  # bit k: rank k+1 of the same suit is held
    below = (held & ~_RANK_9) << 1
    two_above = (above & ~_RANK_1) >> 1
    two_below = (below & ~_RANK_9) << 1
    return above & below | above & two_above | below & two_below


def dora_of(indicator: int, seats: int = 4) -> int:
    """The kind that an indicator makes dora: the next rank, 9→1, 東→南→西→北→東, 白→發→中→白 (S-26). In a three-player
    game 1m makes 9m dora, as no rank between them is in play (T-43)."""
    kind = KIND[indicator]
    if seats == 3 and kind == LOWEST_M:
        return HIGHEST_M
    if kind < EAST:
        return kind - 8 if kind % 9 == 8 else kind + 1
    if kind < WHITE:
        return EAST + (kind - EAST + 1) % 4
    return WHITE + (kind - WHITE + 1) % 3


def sort_tiles(tiles: Iterable[int]) -> list[int]:
    """Sort tiles into the order of a Majiang hand string."""
    return sorted(tiles, key=ORDER.__getitem__)


def full_set(red_m: int, red_p: int, red_s: int, seats: int = 4) -> list[int]:
    """All tiles in tile order, with this many red fives of each suit: 136 (S-01), or 108 in a three-player game, which
    has no 2m to 8m (T-01)."""
    tiles = [kind for kind in range(KINDS) for _ in range(4)]
    for red, five, count in zip((RED_M, RED_P, RED_S), FIVES, (red_m, red_p, red_s), strict=True):
        first = five * 4
        tiles[first : first + count] = [red] * count
    return tiles if seats == 4 else tiles[: (LOWEST_M + 1) * 4] + tiles[HIGHEST_M * 4 :]
