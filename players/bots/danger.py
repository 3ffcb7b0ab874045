"""How dangerous a discard is against a riichi: 現物, then 筋 and walls, then honours that are nearly gone."""

from typing import Final

from jantaku.table.riichi.pieces.tiles import EAST, KINDS, kinds_in, mask_of

# Chances in a thousand, rounded from what is commonly measured, that a tile is ronned by a seat in riichi.
LIVE_HONOUR: Final = (0, 0, 35, 10, 2)
"""By the copies seen, the one in hand included; with fewer than two: `FRESH_HONOUR`."""
FRESH_HONOUR: Final = 55
NUMBER: Final[tuple[tuple[int, ...], ...]] = ((25, 60), (40, 80), (50, 90), (40, 70, 125), (40, 70, 125))
"""By the distance from the end of the suit (0: 1 and 9), then by the two-sided waits that are still possible."""

BEARABLE: Final = 50
"""What a hand one step from tenpai still risks."""


def dangers(safe_against: list[int], seen: list[int], kinds: int) -> list[int]:
    """By kind, for those in the mask `kinds`, the danger of a discard to all seats that threaten together: each is
    told by the mask of kinds that are safe against it. `seen` are the visible copies."""
    total = [0] * KINDS
    gone = mask_of([kind for kind, copies in enumerate(seen) if copies >= 4])
    for safe in safe_against:
        for kind in kinds_in(kinds & ~safe):
            total[kind] += danger(kind, safe, seen[kind], gone)
    return total


def danger(kind: int, safe: int, copies: int, gone: int) -> int:
    """The danger of a kind that is not safe itself and of which so many `copies` are visible; `safe` is the mask of
    kinds that are (S-77), `gone` that of which all four are visible.

    A run on one side of the tile cannot be waiting on both ends if its other end is safe, or a tile of it is gone."""
    if kind >= EAST:
        return LIVE_HONOUR[copies] if copies >= 2 else FRESH_HONOUR
    rank = kind % 9
    above = rank < 6 and not (safe >> 3 | gone >> 1 | gone >> 2) >> kind & 1
    below = rank > 2 and not (safe << 3 | gone << 1 | gone << 2) >> kind & 1
    return NUMBER[min(rank, 8 - rank)][above + below]
