"""Shapes of hands: complete, tenpai, waits, shanten. Only this file knows which library computes them.

A hand is the list of 34 counts of its *concealed* tiles, drawn tile included; the number of melds follows from the
number of tiles, 3n+1 before and 3n+2 after a draw. Impossible counts are not refused everywhere. Sets of kinds are bit
masks, bit k for kind k. Seven pairs and kokushi count for a hand without melds.

A kind whose four copies are all concealed is never a wait (S-71). Copies in the owner's melds do not matter here: see
`own_four`.
"""

from collections.abc import Callable
from typing import Any, Final

from jantaku.table.riichi.pieces.tehai import Tehai
from jantaku.table.riichi.pieces.tiles import COPIES, KIND, KINDS, kinds_in

try:
    from xiangting import (
        PlayerCount,
        calculate_necessary_tiles,
        calculate_replacement_number,
        calculate_unnecessary_tiles,
    )
except ImportError:  # the library has no wheel for this machine
    from jantaku.table.riichi.points.slow_shapes import (  # type: ignore[assignment]
        PlayerCount,
        calculate_necessary_tiles,
        calculate_replacement_number,
        calculate_unnecessary_tiles,
    )

_FOUR: Final = PlayerCount.FOUR
_Hand = bytes | bytearray
"""The counts as passed to the library. It reads bytes far faster than a list, which its type hints ask for."""
_replacements: Final[Callable[[_Hand, Any], int]] = calculate_replacement_number  # type: ignore[assignment]
_necessary: Final[Callable[[_Hand, Any], tuple[int, int]]] = calculate_necessary_tiles  # type: ignore[assignment]
_unnecessary: Final[Callable[[_Hand, Any], tuple[int, int]]] = calculate_unnecessary_tiles  # type: ignore[assignment]


def shanten(counts: list[int]) -> int:
    """The number of tiles by which the hand is away from tenpai: 0 tenpai, -1 complete."""
    return _replacements(bytes(counts), _FOUR) - 1


def is_complete(counts: list[int]) -> bool:
    """Whether these 3n+2 tiles are a winning shape."""
    return shanten(counts) == -1


def waits(counts: list[int]) -> int:
    """The kinds that complete these 3n+1 tiles, as a bit mask; 0 if the hand is not tenpai."""
    away, mask = useful(counts)
    return 0 if away else mask


def useful(counts: list[int]) -> tuple[int, int]:
    """The shanten of these 3n+1 tiles, and the kinds that lower it (受け入れ) as a bit mask."""
    number, mask = _necessary(bytes(counts), _FOUR)
    return number - 1, mask


def tenpai_discards(counts: list[int]) -> int:
    """The kinds whose discard leaves these 3n+2 tiles tenpai, as a bit mask; 0 if there is none."""
    hand = bytes(counts)
    number = _replacements(hand, _FOUR)
    if number == 1:
        return _unnecessary(hand, _FOUR)[1]
    # After any discard a complete hand waits for the discarded kind, of which it holds at most three more.
    return held(counts) if number == 0 else 0


def best_discards(counts: list[int]) -> tuple[int, int]:
    """The lowest shanten that one discard from these 3n+2 tiles can leave, and the kinds that leave it as a bit
    mask."""
    number, mask = _unnecessary(bytes(counts), _FOUR)
    return (number - 1, mask) if number else (0, held(counts))  # every discard leaves a complete hand tenpai, see above


def widest_discards(
    counts: list[int], candidates: int, plan: int, seen: list[int], river: int
) -> tuple[list[int], int]:
    """The kinds among `candidates` whose discard from these 3n+2 tiles leaves the lowest shanten and then the widest
    ukeire, and that width: the number of unseen copies of useful kinds in the mask `plan`, halved if the hand would be
    tenpai and furiten. `river` is a mask of the kinds in the own river, `seen` the visible copies by kind."""
    kinds: list[int] = []
    least, widest = KINDS, 0
    rest = bytearray(counts)
    for kind in kinds_in(candidates):
        rest[kind] -= 1
        number, mask = _necessary(rest, _FOUR)
        rest[kind] += 1
        shanten = number - 1
        width = unseen(mask & plan, seen)
        if shanten == 0 and mask & (river | 1 << kind):
            width //= 2
        if shanten < least or (shanten == least and width > widest):
            kinds, least, widest = [kind], shanten, width
        elif shanten == least and width == widest:
            kinds.append(kind)
    return kinds, widest


def unseen(kinds: int, seen: list[int]) -> int:
    """How many copies of the kinds in a mask are unseen. `seen` are the visible copies by kind."""
    copies = 0
    kind = 0
    while kinds:
        if kinds & 1:
            copies += COPIES - seen[kind]
        kinds >>= 1
        kind += 1
    return copies


def held(counts: list[int]) -> int:
    """The kinds of which the hand has at least one, as a bit mask."""
    mask = 0
    for kind, count in enumerate(counts):
        if count:
            mask |= 1 << kind
    return mask


def own_four(tehai: Tehai) -> int:
    """The kinds whose four copies the owner has, concealed and in melds together, as a bit mask.

    If the rule `draw.own_four_is_tenpai` is off, a hand that waits only for such kinds is not tenpai (S-71).
    """
    if not tehai.melds:
        return tehai.four
    counts = [*tehai.counts]
    for meld in tehai.melds:
        for tile in meld.tiles:
            counts[KIND[tile]] += 1
    mask = 0
    for kind in range(KINDS):
        if counts[kind] == 4:
            mask |= 1 << kind
    return mask
