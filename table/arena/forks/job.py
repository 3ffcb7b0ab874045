"""Forking and asking as jobs of match workers: one job per hanchan of the baseline."""

from collections.abc import Generator, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, Self

import msgspec

from jantaku.table.arena.forks.course import course_in
from jantaku.table.arena.forks.forking import ForkedGame, Forking, first_differences
from jantaku.table.arena.forks.shadow import Beside
from jantaku.table.arena.match.plan.plan import MatchPlan
from jantaku.table.arena.match.plan.pool import Job
from jantaku.table.arena.match.workers.executor import Executor
from jantaku.table.arena.match.workers.hanchan import HanchanTable, Places, PlayedHanchan, give_up
from jantaku.table.play import seeds
from jantaku.table.play.roster import enlist, kept
from jantaku.table.play.seating.spec import Terms
from jantaku.table.records.journal.journal import journal_of


class ForkedHanchan(PlayedHanchan, frozen=True):
    """The result of a worker. `forked` is None if its process died again and again."""

    forked: ForkedGame | None = None


class ForkWork(msgspec.Struct, frozen=True):
    """What the workers do: ask `candidate` beside the records in this folder, and in every hanchan whose number is a
    multiple of `control` the baseline's own player as well. A call makes the table of a process: see
    `executor.Opened`."""

    candidate: Terms
    records: Path
    control: int

    def __call__(self, plan: MatchPlan, places: Places) -> "ForkTable":
        """Make the table of this process."""
        return ForkTable(self, plan, places)


class ForkTable:
    """Forks hanchan of a baseline one after another; a context manager. Implements `executor.JobTable`."""

    def __init__(self, work: ForkWork, plan: MatchPlan, places: Places) -> None:
        self._work, self._plan = work, plan
        self._entrants = enlist([plan.players[0], work.candidate], places.logs)
        own, other = self._entrants
        self._forking = Forking(own, other, Beside(plan.clock, plan.threads))
        self._alive = kept(self._entrants)

    def __enter__(self) -> Self:
        self._alive.__enter__()
        return self

    def __exit__(self, *problem: Any) -> None:
        self._alive.__exit__(*problem)

    def play(self, job: Job) -> ForkedHanchan:
        """Fork one hanchan. BadInput if a player cannot begin, or the engine would not play this record."""
        course = course_in(journal_of(self._work.records, job.game))
        seed = seeds.of_game(seeds.of_game(self._plan.seed, job.set), job.game)
        forked = self._forking.forked(course, seed, job.game, control=job.game % self._work.control == 0)
        empty = give_up(self._plan, job, None, "")
        return ForkedHanchan(job, empty.line, empty.times, {}, (), forked)


class AskedHanchan(PlayedHanchan, frozen=True):
    """The result of a worker: the hanchan if it was played now, and how many kyoku differ."""

    kyoku: int = 0
    differing: int = 0
    asked: int = 0


class AskWork(msgspec.Struct, frozen=True):
    """What the workers do: ask `candidate` beside the records in this folder; missing records are played first. A call
    makes the table of a process: see `executor.Opened`."""

    candidate: Terms
    records: Path

    def __call__(self, plan: MatchPlan, places: Places) -> "AskTable":
        """Make the table of this process."""
        return AskTable(self, plan, places)


class AskTable:
    """Plays missing hanchan of a baseline and asks the candidate beside each. Implements `executor.JobTable`."""

    def __init__(self, work: AskWork, plan: MatchPlan, places: Places) -> None:
        self._work, self._plan, self._places = work, plan, places
        self._games = HanchanTable(plan, places)
        (self._other,) = entrants = enlist([work.candidate], places.logs)
        self._alive = kept(entrants)

    def __enter__(self) -> Self:
        self._games.__enter__()
        self._alive.__enter__()
        return self

    def __exit__(self, *problem: Any) -> None:
        self._alive.__exit__(*problem)
        self._games.__exit__(*problem)

    def play(self, job: Job) -> AskedHanchan:
        """Do one hanchan. BadInput if a player cannot begin, or the engine would not play this record."""
        path = journal_of(self._work.records, job.game)
        played = give_up(self._plan, job, None, "")
        if not path.exists():
            played = self._games.play(job)
            path = journal_of(self._places.records or self._work.records, job.game)
            if not played.line.ended:
                return AskedHanchan(job, played.line, played.times, played.files, played.faults)
        course = course_in(path)
        seed = seeds.of_game(seeds.of_game(self._plan.seed, job.set), job.game)
        _, found = first_differences(course, self._other, Beside(self._plan.clock, self._plan.threads, seed, job.game))
        return AskedHanchan(
            job,
            played.line,
            played.times,
            played.files,
            played.faults,
            kyoku=course.seats * len(course.kyoku),
            differing=sum(one.differs for one in found),
            asked=len(found),
        )


class Asking:
    """An executor that also keeps the results of asking, by hanchan. Implements `Executor`."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self.found: dict[int, AskedHanchan] = {}

    def run(self, jobs: Iterable[Job | None]) -> Generator[PlayedHanchan, None, None]:
        with closing(self._executor.run(jobs)) as hanchan:
            for one in hanchan:
                if isinstance(one, AskedHanchan) and one.kyoku:
                    self.found[one.job.game] = one
                yield one
