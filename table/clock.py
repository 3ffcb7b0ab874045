"""The only file that reads the time. Seconds, monotonic, never the wall clock for a deadline."""

import threading
import time
from datetime import UTC, datetime

now = time.monotonic
"""Seconds of a clock that never goes back; its zero is arbitrary."""


cpu_of_all = time.process_time
"""Seconds of CPU that this process has used, all threads together."""
cpu_here = time.thread_time
"""Seconds of CPU that the thread which asks has used."""


def cpu_of(thread: int) -> float:
    """Seconds of CPU that a thread of this process has used, by its native number; 0 if it has ended, or where the
    system does not tell."""
    try:
        return time.clock_gettime(~thread << 3 | _OF_A_THREAD)
    except (OSError, AttributeError):
        return 0.0


_OF_A_THREAD = 6
"""How Linux numbers the clock of a thread: its number inverted, then three bits: of one thread, and what a scheduler
counts. `pthread_getcpuclockid` would do the same, but crashes for a thread that has ended."""


def deadline(seconds: float | None) -> float | None:
    """When so many seconds will be over, None for never; never later than a thread can wait for (centuries)."""
    return None if seconds is None else now() + min(seconds, threading.TIMEOUT_MAX)


def stamp() -> str:
    """The date and time of day in UTC, for file names and headers only."""
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")


def time_of_day() -> str:
    """The time of day in UTC for people, as `9:05:00`."""
    at = datetime.now(UTC)
    return f"{at.hour}:{at:%M:%S}"
