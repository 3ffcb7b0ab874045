"""Detects that the process stood still, and tells its supervisor whether the interpreter runs."""

import contextlib
import mmap
import os
import sys
import threading
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final, Protocol

from jantaku.table.ground.clock import cpu_of_all, now
from jantaku.table.judge.shared import start

# Detects stalls: the whole process stood still, stopped by a signal, frozen with its container, or because one call
# held the interpreter's lock (GIL).
#
# Nobody could answer or be heard then, so that this time is not charged to players. A thread wakes up twenty times a
# second; code that is about to apply a time limit checks whether it did, so that it does not matter which of them
# runs first after a stall. The thread that held the lock has used most of the CPU time meanwhile; its seat gets no
# time back.

BEAT: Final = 0.05
"""Seconds between two heartbeats."""
KEPT: Final = 0.075
"""Seconds of CPU in a stall that a thread must have used to be the one that held the lock: more than it can have used
between the last beat and a signal that stopped the process. A share of the stall would depend on the load of the
machine."""
MOST: Final = 0.6
"""And its share of all CPU time that the process used meanwhile."""
STALL: Final = 0.1
"""Seconds without a beat that count as a stall. Shorter delays are covered by the clock's margin."""


class Clocked(Protocol):
    """A participant whose time may be running."""

    def beat(self, since: float, until: float, stalled: bool, computed: float) -> None:
        """Called at every beat. `stalled`: seconds of a stall since the last one; `computed`: seconds of CPU that all
        threads of the process used meanwhile."""


class StallDetector:
    """The detector of this process. Its thread lives while there are participants, or a supervisor."""

    def __init__(self) -> None:
        self._clocked: set[Clocked] = set()
        self._lock = threading.Lock()
        self._bounds: list[float] = []
        self._last = self._computed = 0.0
        self.heartbeat: Heartbeat | None = None
        """The heartbeat that another process reads."""
        self._thread: threading.Thread | None = None

    def join(self, clocked: Collection[Clocked], longest: float | None) -> None:
        """Notify these at every beat from now on. `longest`: the longest time that one of them may have in seconds,
        None without a clock. RuntimeError if no thread can be started."""
        with self._lock:
            if self._thread is None and (clocked or self.heartbeat is not None):
                thread = threading.Thread(target=self._live, name="jantaku stalls", daemon=True)
                self._last, self._computed = now(), cpu_of_all()
                start(thread)  # first: a seat that could not join must not leave
                self._thread = thread
            self._bounds.append(UNBOUNDED if longest is None else longest + SLACK)
            self._show_bound()
            self._clocked.update(clocked)

    def leave(self, clocked: Iterable[Clocked], longest: float | None) -> None:
        """Stop notifying these, which joined with the same arguments."""
        with self._lock:
            self._clocked.difference_update(clocked)
            self._bounds.remove(UNBOUNDED if longest is None else longest + SLACK)
            self._show_bound()

    def _show_bound(self) -> None:
        if self.heartbeat is not None:
            self.heartbeat.bound(max(self._bounds, default=0.0))

    def check(self, at: float) -> None:
        """Check for a stall at the time `at`, before a time limit is applied."""
        if at - self._last > STALL:
            self._beat()

    def _live(self) -> None:
        pause = threading.Event()
        while True:
            pause.wait(BEAT)
            self._beat()
            with self._lock:
                if not self._bounds:
                    self._thread = None
                    return

    def _beat(self) -> None:
        with self._lock:
            if self.heartbeat is not None:
                self.heartbeat.beat()
            since, until = self._last, now()
            before, self._computed = self._computed, cpu_of_all()
            computed = self._computed - before
            for clocked in self._clocked:
                clocked.beat(since, until, until - since > STALL, computed)
            self._last = until  # last: a thread that checks before that waits here until all are told


STALLS: Final = StallDetector()
"""The detector of this process."""


# The heartbeat of a table's process, read by its supervisor: whether the interpreter runs, and which thread computes.
#
# It is a page of shared memory. No lock guards it: each number has one writer, and readers poll.

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
