"""Decides by trial whether a worker keeps to one core. Threads that hand each other the turn wake each other across
cores, which takes longer than the turn; a player that computes in threads of its own needs all cores."""

import os
import sys
from collections import deque

from jantaku.table.arena.match.plan.pool import PoolPlan
from jantaku.table.arena.match.workers.hanchan import PlayedHanchan
from jantaku.table.judge.turn.way import Mode
from jantaku.table.play.roster import terms_in

TRIAL = (True, False, True, False)
"""For each hanchan of the trial, whether it is played on one core."""


def core_for(plan: PoolPlan, worker: int) -> int | None:
    """Return the core that worker number `worker` of this process may keep to. None if pinning is no use: no threads,
    players in processes of their own, or only one core. Matches that run at the same time start with different
    cores."""
    if sys.platform != "linux" or plan.threads is Mode.INLINE:
        return None
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2 or any(terms.scheme for terms in terms_in(plan.players)):
        return None
    return cores[(os.getpid() + worker) % len(cores)]


class Pinning:
    """Keeps the calling thread, and threads that it starts later, to `core` or lets them use all cores, whichever is
    faster. The first hanchan is not measured, because it loads what the bots need."""

    def __init__(self, core: int) -> None:
        self._cores = {True: {core}, False: {core}}
        if sys.platform == "linux":
            self._cores[False] = os.sched_getaffinity(0)
        self._to_try = deque(TRIAL)
        self._took = {True: 0.0, False: 0.0}
        self.pinned: bool | None = None
        """Whether the hanchan in progress keeps to the core; None in the first one."""

    def played(self, hanchan: PlayedHanchan, seconds: float) -> None:
        """Take note that a hanchan has taken `seconds`, and choose the cores of the next one."""
        if self.pinned is not None:
            questions = sum(sum(times.counts.values()) for times in hanchan.times.times)
            self._took[self.pinned] += seconds / max(1, questions)
        if self._to_try:
            self._keep(self._to_try.popleft())
        else:
            self._keep(self._took[True] < self._took[False])

    def free(self) -> None:
        """Give all cores back."""
        self._keep(False)

    def _keep(self, pinned: bool) -> None:
        if sys.platform == "linux" and pinned is not self.pinned:
            os.sched_setaffinity(0, self._cores[pinned])
            self.pinned = pinned
