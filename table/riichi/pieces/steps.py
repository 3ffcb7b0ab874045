"""Events in brief: what changes on a board, as plain tuples, which compiled code reads far faster than events.

A step is made of an event once, and is then told to everybody who may see it. It is a tuple of what cannot be changed:
no bot that gets hold of one can alter what the others are told.
"""

from typing import Any, Final

Step = tuple[Any, ...]
"""What changes (one of the numbers below), the seat, the tile (None: hidden), two flags and whatever else there is."""

NOTHING: Final = 0
GAME: Final = 1
"""The rules are said; behind the flags is the event, as for all that has more than fits."""
DEAL: Final = 2
DRAW: Final = 3
"""The first flag: a rinshan tile."""
DISCARD: Final = 4
"""The flags: tsumogiri, riichi."""
RIICHI: Final = 5
"""It stands: the stick is placed."""
CALL: Final = 6
"""Behind the flags: the meld. So for a kan."""
KAN: Final = 7
NORTH_ASIDE: Final = 8
INDICATOR: Final = 9
WIN: Final = 10
RYUKYOKU: Final = 11


def step_of(event: Any) -> Step:
    """An event of `table.riichi.events` in brief."""
    change: int = event.change
    if change == DRAW:
        return change, event.seat, event.tile, event.rinshan, False, None
    if change == DISCARD:
        return change, event.seat, event.tile, event.tsumogiri, event.riichi, None
    if change in (CALL, KAN):
        return change, event.seat, None, False, False, event.meld
    if change in (RIICHI, NORTH_ASIDE):
        return change, event.seat, None, False, False, None
    if change == INDICATOR:
        return change, 0, event.indicator, False, False, None
    return change, 0, None, False, False, event
