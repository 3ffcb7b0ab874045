"""Forking and asking as jobs of match workers: one job per hanchan of the baseline."""

from pathlib import Path

import msgspec

from jantaku.table.arena.forks.between import Beside
from jantaku.table.arena.forks.course import course_in
from jantaku.table.arena.forks.fork import ForkedGame, Forking
from jantaku.table.arena.match.hanchan import JobTable, Places, PlayedHanchan, give_up
from jantaku.table.arena.match.plan import MatchPlan
from jantaku.table.arena.match.pool import Job
from jantaku.table.play import seeds
from jantaku.table.play.seating.spec import Terms
from jantaku.table.records.journal.writer import journal_of


class ForkedHanchan(PlayedHanchan, frozen=True):
    """The result of a worker. `forked` is None if its process died again and again."""

    forked: ForkedGame | None = None


class ForkWork(msgspec.Struct, frozen=True):
    """What the workers do: ask `candidate` beside the records in this folder and fork them, and in every hanchan whose
    number is a multiple of `control` ask the baseline's own player as well. Without `control` nothing is forked. A call
    makes the table of a process: see `executors.Opened`."""

    candidate: Terms
    records: Path
    control: int = 0

    def __call__(self, plan: MatchPlan, places: Places) -> "ForkTable":
        return ForkTable(self, plan, places)


class ForkTable(JobTable):
    def __init__(self, work: ForkWork, plan: MatchPlan, places: Places) -> None:
        super().__init__([plan.players[0], work.candidate], places.logs)
        self._work, self._plan = work, plan
        own, other = self._entrants
        self._forking = Forking(own, other, Beside(plan.clock, plan.threads))

    def play(self, job: Job) -> ForkedHanchan:
        """Fork one hanchan. BadInput if a player cannot begin, or the engine would not play this record."""
        course = course_in(journal_of(self._work.records, job.game))
        seed = seeds.of_game(seeds.of_game(self._plan.seed, job.set), job.game)
        often = self._work.control
        control = bool(often) and job.game % often == 0
        forked = self._forking.forked(course, seed, job.game, control=control, asked_only=not often)
        empty = give_up(self._plan, job, None, "")
        return ForkedHanchan(job, empty.line, empty.times, {}, (), forked)
