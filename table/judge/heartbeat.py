"""The heartbeat of a table's process, read by its supervisor: whether the interpreter runs, and which thread computes.

It is a page of shared memory. No lock guards it: each number has one writer, and readers poll.
"""

import contextlib
import mmap
import os
import sys
from pathlib import Path
from typing import Final

SLACK: Final = 10.0
"""Seconds without a heartbeat after which the process is given up, on top of the longest time that any seat has."""
UNBOUNDED: Final = 60.0
"""The same limit where no clock runs: how long a single call may hold the interpreter's lock (GIL)."""
SEATS: Final = 64
SIZE: Final = 1024
"""The smallest size of the page, in bytes."""
_BEATS, _BOUND, _THREADS = 0, 1, 2
_TURN = _THREADS + SEATS
_WHOLE = 0
"""Stands in place of a thread's number for the whole process."""
_COMPUTES, _FAR_MORE = 0.1, 4.0
"""A thread is held responsible if it used at least `_COMPUTES` of a core and `_FAR_MORE` times as much as any other."""


class Heartbeat:
    """The writer's side of the page. `memory` is shared by the process and its supervisor."""

    def __init__(self, memory: "mmap.mmap | memoryview") -> None:
        self.numbers = memoryview(memory).cast("B").cast("q")

    def beat(self) -> None:
        """Count one beat: the interpreter runs."""
        self.numbers[_BEATS] += 1

    def bound(self, seconds: float) -> None:
        """Set the seconds without a heartbeat after which the process may be given up; 0 while nothing is played."""
        self.numbers[_BOUND] = int(seconds * 1000)

    def enter(self, seat: int, thread: int) -> None:
        """Note that the thread with this native id is inside the player of `seat`."""
        self.numbers[_THREADS + seat % SEATS] = thread

    def turn(self, seat: int) -> None:
        """Note that `seat` is asked next, where seats have no threads of their own and are asked one after another."""
        self.numbers[_TURN] = seat + 1


class Supervision:
    """The supervisor's side: watches the heartbeat of the process `pid`. The supervisor calls `look` periodically."""

    def __init__(self, heartbeat: Heartbeat, pid: int) -> None:
        self._numbers, self._pid = heartbeat.numbers, pid
        self._seen, self._silent, self._stopped, self._looked = -1, 0.0, 0.0, 0.0
        self._computed: dict[int, float] = {}

    def look(self, at: float) -> bool:
        """Return whether the heartbeat has been missing for too long. Time does not count while the supervisor itself
        did not run, or while a signal had stopped the process."""
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
        """Start again, after the process was woken up."""
        self._silent, self._stopped, self._computed = 0.0, 0.0, {}

    @property
    def silent(self) -> float:
        """Seconds since the last heartbeat."""
        return self._silent

    @property
    def stopped(self) -> float:
        """Seconds for which a signal has kept the process stopped; 0 unless they exceed the limit (`SLACK` if nothing
        has been played yet)."""
        return self._stopped if self._stopped > (self._numbers[_BOUND] / 1000 or SLACK) else 0.0

    def culprit(self) -> int | None:
        """The seat whose thread has computed while the process was silent, or, without threads, the seat that was asked
        last; None if no seat stands out."""
        grown = [(_cpu(self._pid, thread) - self._computed.get(seat, 0.0), seat) for seat, thread in self._threads()]
        (most, seat), (next_most, _) = sorted([*grown, (0.0, -1), (0.0, -1)], reverse=True)[:2]
        return seat if most > _COMPUTES * self._silent and most > _FAR_MORE * next_most else None

    def _threads(self) -> list[tuple[int, int]]:
        found = [(seat, thread) for seat in range(SEATS) if (thread := self._numbers[_THREADS + seat])]
        turn = self._numbers[_TURN]
        return [(turn - 1, _WHOLE)] if turn and not found else found


def _cpu(pid: int, thread: int) -> float:
    """Seconds of CPU time that a thread of another process has used, or the whole process."""
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
    """The fields of a stat file from the state on. They are split after the name, which may contain blanks."""
    return path.read_text("latin-1").rpartition(")")[2].split()
