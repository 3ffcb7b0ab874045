"""How dangerous a discard is against a riichi: 現物, then 筋 and walls, then honours that are nearly gone."""

from players.base import RiichiPlayer
from table.riichi.pieces.tiles import EAST, KINDS

# Chances in a thousand, rounded from what is commonly measured, that a tile is ronned by a seat in riichi.
LIVE_HONOUR = (0, 0, 35, 10, 2)
"""By the copies seen, the one in hand included; with fewer than two: `FRESH_HONOUR`."""
FRESH_HONOUR = 55
NUMBER = ((25, 60), (40, 80), (50, 90), (40, 70, 125), (40, 70, 125))
"""By the distance from the end of the suit (0: 1 and 9), then by the two-sided waits that are still possible."""

BEARABLE = 50
"""What a hand one step from tenpai still risks."""


def dangers(player: RiichiPlayer, threats: list[int], seen: list[int]) -> list[int]:
    """By kind, the danger of a discard to all seats in `threats` together. `seen` are the visible copies."""
    total = [0] * KINDS
    for seat in threats:
        safe = player.safe_against(seat)
        for kind in range(KINDS):
            if not safe >> kind & 1:
                total[kind] += danger(kind, safe, seen)
    return total


def danger(kind: int, safe: int, seen: list[int]) -> int:
    """The danger of a kind that is not safe itself; `safe` is the mask of kinds that are (S-77)."""
    if kind >= EAST:
        return LIVE_HONOUR[seen[kind]] if seen[kind] >= 2 else FRESH_HONOUR
    rank = kind % 9
    above = rank < 6 and not _covered(kind, 1, safe, seen)
    below = rank > 2 and not _covered(kind, -1, safe, seen)
    return NUMBER[min(rank, 8 - rank)][above + below]


def _covered(kind: int, step: int, safe: int, seen: list[int]) -> bool:
    """Whether the run on that side cannot be waiting on both ends: its other end is safe, or a tile of it is gone."""
    return bool(safe >> kind + 3 * step & 1) or seen[kind + step] >= 4 or seen[kind + 2 * step] >= 4
