"""The only file that reads a clock. All times are in seconds; deadlines use a monotonic clock, never the wall clock."""

import math
import os
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime

now = time.monotonic
"""Seconds of a clock that never goes back; its zero is arbitrary."""
DAY = 86_400
"""The longest time that a setting may ask for, in seconds: the system's clocks do not take arbitrarily large
numbers."""
cpu_of_all = time.process_time
"""CPU seconds that this process has used, all threads together."""
cpu_here = time.thread_time
"""CPU seconds that the calling thread has used."""


def cpu_of(thread: int) -> float:
    """CPU seconds that a thread of this process has used, by its native id; 0 if it has ended, or if the system cannot
    tell."""
    if sys.platform == "win32" or not hasattr(time, "clock_gettime"):
        return 0.0
    try:
        return time.clock_gettime(~thread << 3 | _OF_A_THREAD)
    except OSError:
        return 0.0


_OF_A_THREAD = 6
"""How Linux encodes the clock id of a thread: the thread id inverted, then three bits for the kind of clock.
`pthread_getcpuclockid` would do the same, but crashes for a thread that has ended."""


def cpu_of_process(process: int) -> float:
    """CPU seconds that a process has used, all threads together, by its pid. Raises OSError if it has ended, or if the
    system cannot tell."""
    if sys.platform == "win32":
        raise OSError
    return time.clock_gettime(~process << 3 | _OF_A_PROCESS)


def cpu_in_all() -> float:
    """CPU seconds that this process has used, with all its child processes that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


_OF_A_PROCESS = 2
"""The same bits for a process, as in clock_getcpuclockid(3)."""


def _nothing() -> float:
    return 0.0


class Deadline:
    """The moment `seconds` from now; None for never. When it is reached, `more` may grant further seconds, repeatedly:
    so a wait continues if the clock was stopped meanwhile."""

    __slots__ = ("_end", "_more")

    def __init__(self, seconds: float | None, more: Callable[[], float] = _nothing) -> None:
        self._end = math.inf if seconds is None else now() + seconds
        self._more = more

    @property
    def left(self) -> float | None:
        """Seconds until the deadline, usable as a timeout: None for never, never below 0, never too long for a lock."""
        if self._end == math.inf:
            return None
        left = self._end - now()
        if left <= 0 and (left := self._more()) > 0:
            self._end = now() + left
        return min(max(0.0, left), threading.TIMEOUT_MAX)

    @property
    def over(self) -> bool:
        """Whether the deadline is reached and `more` grants no more time."""
        return self.left == 0


def stamp() -> str:
    """The date and time of day in UTC, only for file names and headers."""
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")


def date_of(seconds: float) -> str:
    """Write seconds since 1970 as date and time in UTC: `2025-08-01 12:30:00`."""
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M:%S}"


def time_of_day() -> str:
    """The time of day in UTC, for people, as `9:05:00`."""
    at = datetime.now(UTC)
    return f"{at.hour}:{at:%M:%S}"
