"""The danger of a discard against a riichi: 現物 are safe, then 筋 and walls, then honours that are nearly gone."""

from typing import Final

from jantaku.table.riichi.pieces.tiles import EAST, KINDS, kinds_in, mask_of

# Chances in a thousand, rounded from common statistics, that a seat in riichi wins on a tile.
LIVE_HONOUR: Final = (0, 0, 35, 10, 2)
"""By the number of copies seen, the one in hand included; with fewer than two, `FRESH_HONOUR` applies."""
FRESH_HONOUR: Final = 55
NUMBER: Final[tuple[tuple[int, ...], ...]] = ((25, 60), (40, 80), (50, 90), (40, 70, 125), (40, 70, 125))
"""By the distance from the end of the suit (0: 1 and 9), then by the number of two-sided waits still possible."""

BEARABLE: Final = 50
"""The danger that a hand one step from tenpai still accepts."""


def dangers(safe_against: list[int], seen: list[int], kinds: int) -> list[int]:
    """By kind, for those in the mask `kinds`, the danger of a discard summed over all threatening seats. `safe_against`
    has for each of them the mask of kinds that are safe against it; `seen` are the visible copies by kind."""
    total = [0] * KINDS
    gone = all_gone(seen)
    for safe in safe_against:
        for kind in kinds_in(kinds & ~safe):
            total[kind] += danger(kind, safe, seen[kind], gone)
    return total


def all_gone(seen: list[int]) -> int:
    """The kinds of which all copies are seen, as a bit mask."""
    return mask_of([kind for kind, copies in enumerate(seen) if copies >= 4])


def danger(kind: int, safe: int, copies: int, gone: int) -> int:
    """The danger of a kind that is not safe itself and of which `copies` are visible. `safe` is the mask of safe kinds
    (S-77), `gone` the mask of kinds of which all four copies are visible.

    A two-sided wait on one side of the tile is impossible if its other end is safe, or if a tile of it is gone."""
    if kind >= EAST:
        return LIVE_HONOUR[copies] if copies >= 2 else FRESH_HONOUR
    rank = kind % 9
    above = rank < 6 and not (safe >> 3 | gone >> 1 | gone >> 2) >> kind & 1
    below = rank > 2 and not (safe << 3 | gone << 1 | gone << 2) >> kind & 1
    return NUMBER[min(rank, 8 - rank)][above + below]
