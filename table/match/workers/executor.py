"""Executors of a match: this process, worker processes, or actors on a Ray cluster."""

from collections import deque
from collections.abc import Generator, Iterable
from typing import Protocol

from table.match.plan.plan import Job, MatchPlan
from table.match.workers.hanchan import HanchanTable, Places, PlayedHanchan

TRIES = 3
"""Attempts at a hanchan whose worker dies, before it is given up."""


class Executor(Protocol):
    """Plays jobs in any order. Results depend neither on the order nor on the executor."""

    def run(self, jobs: Iterable[Job]) -> Generator[PlayedHanchan, None, None]:
        """Play `jobs` and yield each hanchan as it is finished. Closing the iterator drops what is being played, within
        seconds, and leaves no process behind. Raises BadInput and TableFault as a table does."""


class Here:
    """This very process, for debugging: a bot that crashes takes the match with it."""

    def __init__(self, plan: MatchPlan, places: Places) -> None:
        self._plan, self._places = plan, places

    def run(self, jobs: Iterable[Job]) -> Generator[PlayedHanchan, None, None]:
        """See `Executor.run`."""
        with HanchanTable(self._plan, self._places) as table:
            for job in jobs:
                yield table.play(job)


class Queue:
    """The queue of jobs. Hanchan of dead workers come first."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._jobs = iter(jobs)
        self._again: deque[Job] = deque()
        self._tries: dict[int, int] = {}

    def next(self) -> Job | None:
        """The next hanchan, None if there is none."""
        return self._again.popleft() if self._again else next(self._jobs, None)

    def back(self, job: Job) -> bool:
        """Put an unfinished hanchan back; False if it has had its attempts."""
        tries = self._tries[job.game] = self._tries.get(job.game, 0) + 1
        if tries >= TRIES:
            return False
        self._again.append(job)
        return True


def died(how: str) -> str:
    """The reason of a hanchan that was given up."""
    return f"the process that played it died {TRIES} times; last time: {how}"
