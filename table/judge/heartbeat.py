"""The heartbeat of a table's process for its supervisor: whether the interpreter runs, and which thread computes.

It is a page of shared memory. No lock guards it: each number has one writer, and readers poll.
"""

import contextlib
import mmap
import os
import sys
from pathlib import Path
from typing import Final

SLACK: Final = 10.0
"""Seconds without a heartbeat, beyond the longest time that any seat has, after which the process is given up."""
UNBOUNDED: Final = 60.0
"""The same where no clock runs: how long a single call may hold the interpreter's lock."""
SEATS: Final = 64
SIZE: Final = 1024
"""Size of the page in bytes, at least."""
_BEATS, _BOUND, _THREADS = 0, 1, 2
_TURN = _THREADS + SEATS
_WHOLE = 0
"""No thread's number: the whole process."""
_COMPUTES, _FAR_MORE = 0.1, 4.0
"""A thread is held responsible if it used at least this share of a core, and this many times as much as any other."""


class Heartbeat:
    """The page. `memory` is shared by the process and its supervisor."""

    def __init__(self, memory: "mmap.mmap | memoryview") -> None:
        self.numbers = memoryview(memory).cast("B").cast("q")

    def beat(self) -> None:
        """The interpreter runs."""
        self.numbers[_BEATS] += 1

    def bound(self, seconds: float) -> None:
        """Seconds without a heartbeat after which the process may be given up; 0: nothing is played."""
        self.numbers[_BOUND] = int(seconds * 1000)

    def enter(self, seat: int, thread: int) -> None:
        """The thread with that native id is inside the player of a seat."""
        self.numbers[_THREADS + seat % SEATS] = thread

    def turn(self, seat: int) -> None:
        """A seat without a clock is next: where no seat has a thread of its own, one is asked after another."""
        self.numbers[_TURN] = seat + 1


class Supervision:
    """Supervises the process `pid` by its heartbeat. `look` is called periodically."""

    def __init__(self, heartbeat: Heartbeat, pid: int) -> None:
        self._numbers, self._pid = heartbeat.numbers, pid
        self._seen, self._silent, self._stopped, self._looked = -1, 0.0, 0.0, 0.0
        self._computed: dict[int, float] = {}

    def look(self, at: float) -> bool:
        """Whether the heartbeat has been missing for too long. Time does not count in which the supervisor itself was
        not running, or in which the process was stopped by a signal."""
        beats, bound = self._numbers[_BEATS], self._numbers[_BOUND] / 1000
        passed, self._looked = min(at - self._looked, 1.0), at
        stopped = beats == self._seen and _is_stopped(self._pid)
        if stopped:
            self._silent, self._stopped = 0.0, self._stopped + passed
        elif beats != self._seen or not bound:
            self._seen = beats
            self.forget()
        else:
            self._silent += passed
        if self._silent and not self._computed:
            self._computed = {seat: _cpu(self._pid, thread) for seat, thread in self._threads()}
        return bool(bound) and self._silent > bound

    def forget(self) -> None:
        """Start again after the process was woken up."""
        self._silent, self._stopped, self._computed = 0.0, 0.0, {}

    @property
    def silent(self) -> float:
        """Seconds since the last heartbeat."""
        return self._silent

    @property
    def stopped(self) -> float:
        """Seconds for which it has been stopped by a signal: 0 unless that is longer than the limit. It may have been
        stopped before anything was played."""
        return self._stopped if self._stopped > (self._numbers[_BOUND] / 1000 or SLACK) else 0.0

    def culprit(self) -> int | None:
        """The seat whose thread has computed all the time that the process was silent, or without threads the one that
        was asked last; None if none can be named."""
        grown = [(_cpu(self._pid, thread) - self._computed.get(seat, 0.0), seat) for seat, thread in self._threads()]
        (most, seat), (next_most, _) = sorted([*grown, (0.0, -1), (0.0, -1)], reverse=True)[:2]
        return seat if most > _COMPUTES * self._silent and most > _FAR_MORE * next_most else None

    def _threads(self) -> list[tuple[int, int]]:
        found = [(seat, thread) for seat in range(SEATS) if (thread := self._numbers[_THREADS + seat])]
        turn = self._numbers[_TURN]
        return [(turn - 1, _WHOLE)] if turn and not found else found


def _cpu(pid: int, thread: int) -> float:
    """Seconds of CPU that a thread of another process has used, or all of it."""
    if sys.platform == "win32":
        return 0.0
    with contextlib.suppress(OSError, ValueError):
        task = "" if thread == _WHOLE else f"task/{thread}/"
        user, system = _stat(Path(f"/proc/{pid}/{task}stat"))[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _is_stopped(pid: int) -> bool:
    try:
        return _stat(Path(f"/proc/{pid}/stat"))[:1] == ["T"]
    except OSError:
        return False


def _stat(path: Path) -> list[str]:
    """From the state on; a name before it may have blanks."""
    return path.read_text("latin-1").rpartition(")")[2].split()
