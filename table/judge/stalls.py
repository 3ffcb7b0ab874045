"""Detects stalls: the whole process stood still, stopped by a signal, frozen with its container, or because one call
held the interpreter's lock (GIL).

Nobody could answer or be heard then, so that this time is not charged to players. A thread wakes up twenty times a
second; code that is about to apply a time limit checks whether it did, so that it does not matter which of them runs
first after a stall. The thread that held the lock has used most of the CPU time meanwhile; its seat gets no time
back.
"""

import threading
from collections.abc import Collection, Iterable
from typing import Final, Protocol

from jantaku.table.ground.clock import cpu_of_all, now
from jantaku.table.judge.heartbeat import SLACK, UNBOUNDED, Heartbeat
from jantaku.table.judge.shared import start

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
        """Called at every beat. `stalled`: whether the process stood still since the last one; `computed`: CPU seconds
        that all threads of the process used meanwhile."""


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
