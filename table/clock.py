"""The only file that reads a clock. Seconds, monotonic, never the wall clock for a deadline."""

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
"""Seconds of the longest time that anybody may ask for: the system's clocks do not take arbitrarily large numbers."""
cpu_of_all = time.process_time
"""Seconds of CPU that this process has used, all threads together."""
cpu_here = time.thread_time
"""Seconds of CPU that the calling thread has used."""


def cpu_of(thread: int) -> float:
    """Seconds of CPU that a thread of this process has used, by its native number; 0 if it has ended, or where the
    system does not tell."""
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
    """Seconds of CPU that a process has used, all threads together, by its pid. OSError if it has ended, or where the
    system does not tell."""
    if sys.platform == "win32":
        raise OSError
    return time.clock_gettime(~process << 3 | _OF_A_PROCESS)


def cpu_in_all() -> float:
    """Seconds of CPU that this process has used, with all processes that it has started and that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


_OF_A_PROCESS = 2
"""The same for a process, as clock_getcpuclockid(3) makes it."""


def _nothing() -> float:
    return 0.0


class Deadline:
    """The moment `seconds` from now, None for never. When it is reached, `more` may grant further seconds, again and
    again: so a wait goes on where the clock of those who wait was stopped meanwhile."""

    __slots__ = ("_end", "_more")

    def __init__(self, seconds: float | None, more: Callable[[], float] = _nothing) -> None:
        self._end = math.inf if seconds is None else now() + seconds
        self._more = more

    @property
    def left(self) -> float | None:
        """Seconds until then, as a wait takes them: None for ever, never below 0, never too many for a lock."""
        if self._end == math.inf:
            return None
        left = self._end - now()
        if left <= 0 and (left := self._more()) > 0:
            self._end = now() + left
        return min(max(0.0, left), threading.TIMEOUT_MAX)

    @property
    def over(self) -> bool:
        """Whether it is reached, and no more time is granted."""
        return self.left == 0


def stamp() -> str:
    """The date and time of day in UTC, for file names and headers only."""
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")


def time_of_day() -> str:
    """The time of day in UTC for people, as `9:05:00`."""
    at = datetime.now(UTC)
    return f"{at.hour}:{at:%M:%S}"
