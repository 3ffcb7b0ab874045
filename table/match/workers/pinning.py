"""Whether a worker keeps to one core. Threads that hand each other the turn wake each other across cores, which takes
longer than the turn; a player that computes in threads of its own needs all cores. So it is found out by trying."""

import os
import sys
from collections import deque

from jantaku.table.judge.turn.way import Mode
from jantaku.table.match.plan.pool import PoolPlan
from jantaku.table.match.workers.hanchan import PlayedHanchan
from jantaku.table.play.roster import terms_in

TRIAL = (True, False, True, False)
"""Which hanchan of the trial are played on one core."""


def core_for(plan: PoolPlan, worker: int) -> int | None:
    """The core that a worker of this process may keep to, by its number. None where that is no use: no threads, players
    in processes of their own, or but one core. Matches at the same time begin with different cores."""
    if sys.platform != "linux" or plan.threads is Mode.INLINE:
        return None
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) < 2 or any(terms.scheme for terms in terms_in(plan.players)):
        return None
    return cores[(os.getpid() + worker) % len(cores)]


class Pinning:
    """Keeps the calling thread, and those that it starts from then on, to `core` or leaves it all cores, whichever is
    faster. It is told of every hanchan; the first is not counted, because it loads what the bots need."""

    def __init__(self, core: int) -> None:
        self._cores = {True: {core}, False: {core}}
        if sys.platform == "linux":
            self._cores[False] = os.sched_getaffinity(0)
        self._to_try = deque(TRIAL)
        self._took = {True: 0.0, False: 0.0}
        self.pinned: bool | None = None
        """Whether the hanchan in progress keeps to the core; None in the first."""

    def played(self, hanchan: PlayedHanchan, seconds: float) -> None:
        """A hanchan is over, after so many seconds; the next may be played another way."""
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
