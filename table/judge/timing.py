"""Time limits of a seat, validated when they are created."""

from typing import Literal

import msgspec

from jantaku.table.clock import DAY
from jantaku.table.errors import BadInput, all_told

LIMIT = 10.0
"""Seconds for an answer where nothing else is said: long, but no player can stop a table."""
PATIENCE = 10.0
GRACE = 10.0
"""Where CPU time counts, a player is waited for so many times as long by the wall clock, and so many seconds more."""
_TIMES = ("turn", "reaction", "bank", "increment", "margin", "start")


def spent(used: float, allowed: float | None, margin: float) -> str:
    """In words, the seconds that a question took and those that it might have taken."""
    if allowed is None:
        return f"{used:.2f} s"
    return f"{used:.2f} s of {allowed:.2f} s" + (f" and a margin of {margin:.2f} s" if margin else "")


class Clock(msgspec.Struct, frozen=True):
    """Time limits of one seat in seconds. Raises BadInput for a value that cannot be meant.

    `turn` and `reaction` are the limits of one question put to the turn seat and to another seat (None:
    no limit). `bank` is the seat's reserve, which shrinks by what a question takes beyond its limit: one for
    the whole game, or a full one for every round (in riichi a kyoku) as `bank_per` says; every question that
    was put adds `increment` to it. `margin` is granted on top, and shown in the verdict, because a busy
    machine wakes a waiting thread late. So a seat has `limit + bank + margin` at most, and nothing extends
    that but a stall of the whole process, which costs nobody but who caused it. `start` is how long a player may
    take to be made, and again to become ready, before the first turn (None: for ever).

    `counts` says which seconds: those that pass, or those of CPU time that the player computes, so that a busy machine
    takes nothing from it. `wall` says when nobody waits any longer for a player that does not compute.

    After `max_faults` questions in a row that ran out of time, also where what came cannot be used, the seat is on
    autopilot: defaults are played for it at once, until it answers a question in time that nobody waits for. 0: never.
    """

    turn: float | None = None
    reaction: float | None = None
    bank: float = 0.0
    bank_per: Literal["game", "round"] = "game"
    increment: float = 0.0
    margin: float = 0.1
    start: float | None = 10.0
    max_faults: int = 3
    counts: Literal["wall", "cpu"] = "wall"

    def __post_init__(self) -> None:
        with all_told() as part:
            for name in _TIMES:
                value = getattr(self, name)
                with part():
                    if value is not None and not 0 <= value <= DAY:  # nor is it not a number
                        raise BadInput(f"clock.{name}: {value} is not a time; allowed are seconds from 0 to {DAY}")
            with part():
                if self.max_faults < 0:
                    told = "is not a number of questions; allowed are 0 and up"
                    raise BadInput(f"clock.max_faults: {self.max_faults} {told}")
            for name in ("bank", "increment"):
                value = getattr(self, name)
                with part():
                    if value and not self.runs:
                        unused = "without clock.turn or clock.reaction, so it can never be used"
                        raise BadInput(f"clock.{name}: {value} s {unused}")

    @property
    def runs(self) -> bool:
        """Whether any question has a limit."""
        return self.turn is not None or self.reaction is not None

    def wall(self, seconds: float) -> float:
        """Seconds by the wall clock after which nobody waits any longer for a player that has `seconds`."""
        return seconds if self.counts == "wall" else seconds * PATIENCE + GRACE

    @property
    def longest(self) -> float | None:
        """The longest limit that is set, None if neither is."""
        return max((limit for limit in (self.turn, self.reaction) if limit is not None), default=None)
