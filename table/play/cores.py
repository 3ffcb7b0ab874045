"""Whether games keep to one core: a trial decides.

Threads that hand each other the turn wake each other across cores, which takes longer than the turn; a player that
computes in threads of its own needs all cores.
"""

import contextlib
import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator

from jantaku.table.judge.mode import Mode

TRIAL = (True, False, True, False)
"""For each game of the trial, whether it is played on one core."""
_THREADED = ("jax", "numpy", "onnxruntime", "tensorflow", "torch")
"""Libraries that compute in threads of their own."""


def usable() -> int:
    """How many cores this process may use: `taskset` or a cluster's scheduler may have given it some of the host's."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def core_for(mode: Mode, schemes: Iterable[str], number: int = 0) -> int | None:
    """Return the core that games of this process may keep to; None if that is no use: no threads, or only one core, or
    players in processes of their own (`schemes`: of each player's terms). `number` tells the processes of one command
    apart, and commands that run at the same time start with different cores."""
    if sys.platform != "linux" or not hasattr(os, "sched_getaffinity") or mode is Mode.INLINE or any(schemes):
        return None
    cores = sorted(os.sched_getaffinity(0))
    return cores[(os.getpid() + number) % len(cores)] if len(cores) > 1 else None


class Pinning:
    """Keeps the calling thread, and threads that it starts later, to `core` or lets them use all cores, whichever is
    faster. The first game is not measured, because it loads what the bots need: it is `pinned` or not."""

    def __init__(self, core: int, *, pinned: bool = False) -> None:
        self._cores = {True: {core}, False: {core}}
        if sys.platform == "linux":
            self._cores[False] = os.sched_getaffinity(0)
        self._to_try = deque(TRIAL)
        self._took = {True: 0.0, False: 0.0}
        self._sizes = {True: 0, False: 0}
        self._is_measured = False
        self.pinned: bool | None = None
        """Whether the game in progress keeps to the core; None if nothing was chosen yet."""
        if pinned:
            self._keep(True)

    def played(self, size: int, seconds: float) -> None:
        """Take note that a game of this size (its questions, or its kyoku) has taken `seconds`, and choose the cores of
        the next one."""
        if self._is_measured and self.pinned is not None:
            self._took[self.pinned] += seconds
            self._sizes[self.pinned] += max(1, size)
        self._is_measured = True
        if self._to_try:
            self._keep(self._to_try.popleft())
        else:
            self._keep(self._pace(True) < self._pace(False))

    def free(self) -> None:
        self._keep(False)

    def _pace(self, pinned: bool) -> float:
        """Return the mean seconds of a question, or of a kyoku, in the games that were played so."""
        return self._took[pinned] / self._sizes[pinned]

    def _keep(self, pinned: bool) -> None:
        if sys.platform == "linux" and pinned is not self.pinned:
            os.sched_setaffinity(0, self._cores[pinned])
            self.pinned = pinned


@contextlib.contextmanager
def on_core(core: int | None) -> Iterator[None]:
    """Keep the calling thread, and threads that it starts in the block, to `core` (None: to no core), without a trial;
    where a library computes in threads of its own they keep all cores."""
    pinning = None if core is None or not are_single(sys.modules) else Pinning(core, pinned=True)
    try:
        yield
    finally:
        if pinning is not None:
            pinning.free()


def are_single(modules: Iterable[str]) -> bool:
    """Return whether nothing that was imported computes in threads of its own: then even a first game is faster on one
    core."""
    return not set(_THREADED) & set(modules)
