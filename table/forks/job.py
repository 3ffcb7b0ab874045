"""Forking as the work of match workers: a job is a hanchan of the baseline that is there, and is forked."""

from pathlib import Path
from typing import Any, Self

import msgspec

from table.forks.course import course_in
from table.forks.forking import ForkedGame, Forking
from table.forks.playing import Beside
from table.match.plan.plan import MatchPlan
from table.match.plan.pool import Job
from table.match.workers.hanchan import Places, PlayedHanchan, give_up
from table.play import seeds
from table.play.roster import enlist, kept
from table.record.journal import journal_of
from table.seating.spec import Terms


class ForkedHanchan(PlayedHanchan, frozen=True):
    """What a worker hands back. `forked` is missing where the process died again and again."""

    forked: ForkedGame | None = None


class ForkWork(msgspec.Struct, frozen=True):
    """Whom to ask beside which records; in every hanchan whose number is a multiple of `control` the baseline's own
    player as well. Called, it makes the table of a process: see `executor.Opened`."""

    candidate: Terms
    records: Path
    control: int

    def __call__(self, plan: MatchPlan, places: Places) -> "ForkTable":
        """The table of this process."""
        return ForkTable(self, plan, places)


class ForkTable:
    """Forks hanchan of the baseline of a plan, one after another, as a context. Implements `executor.JobTable`."""

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
        """Fork one hanchan. BadInput where a player cannot begin, or the record is not one of this engine."""
        course = course_in(journal_of(self._work.records, job.game))
        seed = seeds.of_game(seeds.of_game(self._plan.seed, job.set), job.game)
        forked = self._forking.forked(course, seed, job.game, control=job.game % self._work.control == 0)
        empty = give_up(self._plan, job, None, "")
        return ForkedHanchan(job, empty.line, empty.times, {}, (), forked)
