"""Notices that this process stood still: stopped by a signal, frozen with its container, or without the interpreter's
lock because one call kept it. Nobody could answer or be heard then, so that time is not the players'.

A thread wakes up twenty times a second. Whoever is about to judge by the clock looks whether it did: so it does not
matter which of them runs first after a stall. Who kept the lock has done most of the computing meanwhile, and gets no
time back.
"""

import threading
from collections.abc import Iterable
from typing import Final, Protocol

from table.clock import cpu_of_all, now
from table.judge.vitals import SLACK, UNBOUNDED, Vitals

BEAT: Final = 0.05
"""Seconds from beat to beat."""
KEPT: Final = 0.075
"""Seconds of CPU in a stall that a thread must have used to be the one that kept the lock: more than it can have used
between the last beat and a signal that stopped the process. A share of the stall would depend on what else the machine
does."""
MOST: Final = 0.6
"""And its share of all CPU time that the process used meanwhile."""
STALL: Final = 0.1
"""Seconds without a beat from which on the process has stood still. Below that the clock's margin has to do."""


class Clocked(Protocol):
    """Somebody whose time may run."""

    def beat(self, since: float, until: float, stalled: bool, computed: float) -> None:
        """The process has come from one beat to the next. `stalled`: it stood still in between; `computed`: the seconds
        of CPU that all its threads took meanwhile."""


class Pulse:
    """The pulse of this process. Its thread lives while somebody's time may run."""

    def __init__(self) -> None:
        self._clocked: set[Clocked] = set()
        self._lock = threading.Lock()
        self._bounds: list[float] = []
        self._last = self._computed = 0.0
        self.vitals: Vitals | None = None
        """Where another process sees the beats."""
        self._thread: threading.Thread | None = None

    def join(self, clocked: Iterable[Clocked], longest: float | None) -> None:
        """Tell these of every beat from now on. `longest`: seconds that one of them may have in all, None without a
        clock. RuntimeError if there is no thread left."""
        with self._lock:
            self._bounds.append(UNBOUNDED if longest is None else longest + SLACK)
            self._show_bound()
            if self._thread is None:
                thread = threading.Thread(target=self._live, name="jantaku pulse", daemon=True)
                self._last, self._computed = now(), cpu_of_all()
                thread.start()
                self._thread = thread
            self._clocked.update(clocked)

    def leave(self, clocked: Iterable[Clocked], longest: float | None) -> None:
        """Do not tell these any more, that joined in the same words."""
        with self._lock:
            self._clocked.difference_update(clocked)
            self._bounds.remove(UNBOUNDED if longest is None else longest + SLACK)
            self._show_bound()

    def _show_bound(self) -> None:
        if self.vitals is not None:
            self.vitals.bound(max(self._bounds, default=0.0))

    def feel(self, at: float) -> None:
        """It is `at` now, and somebody is about to go by the clock: see whether the process has just stood still."""
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
            if self.vitals is not None:
                self.vitals.beat()
            since, until = self._last, now()
            self._last = until
            before, self._computed = self._computed, cpu_of_all()
            computed = self._computed - before
            for clocked in self._clocked:
                clocked.beat(since, until, until - since > STALL, computed)


PULSE: Final = Pulse()
"""That of this process."""
