"""The three functions of `xiangting` that `shapes` uses, implemented with `mahjong`, for machines without its wheel.

Correct but much slower (tens of microseconds to a millisecond a call). Hands are 34 counts of concealed tiles; the
replacement number is the shanten + 1: 0 complete, 1 tenpai.
"""

from collections.abc import Sequence
from typing import Final

from mahjong.shanten import Shanten


class PlayerCount:
    """Number of players. The functions take it only because the functions of `xiangting` do."""

    FOUR: Final = 4


def calculate_replacement_number(counts: Sequence[int], _players: int) -> int:
    """The number of tiles to replace until the hand is complete."""
    return Shanten.calculate_shanten(list(counts)) + 1


def calculate_necessary_tiles(counts: Sequence[int], players: int) -> tuple[int, int]:
    """The replacement number, and the kinds whose draw lowers it as a bit mask."""
    number = calculate_replacement_number(counts, players)
    hand, mask = list(counts), 0
    for kind, count in enumerate(counts):
        if count == 4:  # there is no fifth tile to draw
            continue
        hand[kind] += 1
        if calculate_replacement_number(hand, players) < number:
            mask |= 1 << kind
        hand[kind] -= 1
    return number, mask


def calculate_unnecessary_tiles(counts: Sequence[int], players: int) -> tuple[int, int]:
    """The replacement number, and the kinds whose discard does not raise it as a bit mask."""
    number = calculate_replacement_number(counts, players)
    hand, mask = list(counts), 0
    for kind, count in enumerate(counts):
        if not count:
            continue
        hand[kind] -= 1
        if calculate_replacement_number(hand, players) == number:
            mask |= 1 << kind
        hand[kind] += 1
    return number, mask
