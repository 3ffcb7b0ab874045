"""Executors of a match: this process, or worker processes."""

from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import Any, Protocol

from jantaku.table.arena.match.hanchan import HanchanTable, JobTable, Places, PlayedHanchan
from jantaku.table.arena.match.pool import Job, PoolPlan
from jantaku.table.ground.clock import Deadline

Opened = Callable[[Any, Places], JobTable]
"""Makes the table of a process. Worker processes receive it pickled, so it must be importable by name, or a partial of
such."""
TRIES = 3
"""A hanchan is given up when its worker has died this many times."""


class Executor(Protocol):
    """Plays jobs in any order. Results depend neither on the order nor on the executor."""

    def run(self, jobs: Iterable[Job | None]) -> Generator[PlayedHanchan, None, None]:
        """Play `jobs` and yield each hanchan when it is finished.

        None in place of a job: the next job depends on hanchan in progress. Closing the iterator drops the hanchan in
        progress within seconds and leaves no process behind. Raises BadInput and TableFault as a table does.
        """


class Here:
    """Plays in this process: a bot that crashes takes the match with it."""

    def __init__(self, plan: PoolPlan, places: Places, opened: "Opened" = HanchanTable) -> None:
        self._plan, self._places, self._opened = plan, places, opened

    def run(self, jobs: Iterable[Job | None]) -> Generator[PlayedHanchan, None, None]:
        return self.play(Queue(jobs))

    def play(self, queue: "Queue", seconds: float | None = None) -> Generator[PlayedHanchan, None, None]:
        """Do the same with a queue, and begin no hanchan after `seconds`."""
        until = Deadline(seconds)
        with self._opened(self._plan, self._places) as table:
            while not until.over and (job := queue.next()) is not None:
                yield table.play(job)


class Queue:
    """The queue of jobs. Jobs whose worker died come first."""

    def __init__(self, jobs: Iterable[Job | None]) -> None:
        self._jobs = iter(jobs)
        self._again: deque[Job] = deque()
        self._tries: dict[int, int] = {}

    def next(self) -> Job | None:
        """Return the next job; None if there is none, or none before a hanchan in progress ends."""
        return self._again.popleft() if self._again else next(self._jobs, None)

    def back(self, job: Job) -> bool:
        """Put an unfinished job back; False if it has used its attempts."""
        tries = self._tries[job.game] = self._tries.get(job.game, 0) + 1
        if tries >= TRIES:
            return False
        self._again.append(job)
        return True


def died(how: str) -> str:
    return f"the process that played it died {TRIES} times; last time: {how}"
