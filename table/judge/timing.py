"""Time limits of a seat, validated when they are created."""

from enum import StrEnum
from typing import Literal

import msgspec

from jantaku.table.ground.clock import DAY
from jantaku.table.ground.errors import BadInput, all_told

LIMIT = 10.0
"""The default limit of an answer in seconds: long, but no player can block a table."""
START = 30.0
"""The default time in seconds to be made, and again to become ready: long enough to load a net from a slow disk."""
PATIENCE = 10.0
GRACE = 10.0
"""Where CPU time counts, a player with `s` seconds is given up after `s * PATIENCE + GRACE` seconds of wall time."""
_TIMES = ("turn", "reaction", "bank", "increment", "margin", "start")


def spent(used: float, allowed: float | None, margin: float) -> str:
    """Say how many seconds a question took, and how many were allowed."""
    if allowed is None:
        return f"{used:.2f} s"
    return f"{used:.2f} s of {allowed:.2f} s" + (f" and a margin of {margin:.2f} s" if margin else "")


class Flag(StrEnum):
    """What an answer lost to the clock (`late`, `silent`, `not_asked`) costs. The default is played in any case."""

    DEFAULT = "default"  # nothing more
    FORFEIT = "forfeit"  # the seat is not asked again in this game
    VOID = "void"  # the game stops and does not count


class Clock(msgspec.Struct, frozen=True):
    """Time limits of one seat in seconds. Raises BadInput for an invalid value.

    `turn` and `reaction` limit one question to the turn seat and to another seat (None: no limit). `bank` is the seat's
    reserve: what a question takes beyond its limit is deducted from it, and every question adds `increment`. `bank_per`
    says whether the reserve is for the whole game or for every round (in riichi a kyoku). `margin` is granted on top,
    because a busy machine wakes a waiting thread late. Only a stall of the whole process extends that, for every seat
    but the one that caused it. `start` is how long a player may take to be made, and again to warm up or become ready
    (None: no limit). `counts` says which seconds: wall time, or the CPU time that the player uses. `flag` says what an
    answer lost to the clock costs, see `Flag`.

    After `max_faults` questions in a row out of time the seat is on autopilot: the default is played at once, until the
    player answers in time. 0: never.
    """

    turn: float | None = None
    reaction: float | None = None
    bank: float = 0.0
    bank_per: Literal["game", "round"] = "game"
    increment: float = 0.0
    margin: float = 0.1
    start: float | None = START
    max_faults: int = 3
    counts: Literal["wall", "cpu"] = "wall"
    flag: Flag = Flag.DEFAULT

    def __post_init__(self) -> None:
        with all_told() as part:
            for name in _TIMES:
                value = getattr(self, name)
                with part():
                    if value is not None and not 0 <= value <= DAY:  # nor is it not a number
                        raise BadInput(f"clock.{name}: {value} is not a time; allowed are seconds from 0 to {DAY}")
            for name in ("turn", "reaction"):
                with part():
                    if getattr(self, name) == 0 and not (self.bank or self.increment):
                        told = "leaves no time to answer; allowed are seconds above 0, or 0 beside a bank"
                        raise BadInput(f"clock.{name}: 0 {told}")
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
        """Seconds of wall time after which a player that has `seconds` is given up."""
        return seconds if self.counts == "wall" else seconds * PATIENCE + GRACE

    @property
    def longest(self) -> float | None:
        """The longest limit that is set, None if neither is."""
        return max((limit for limit in (self.turn, self.reaction) if limit is not None), default=None)
