"""Screening in stages: play the baseline a little further, fork its new hanchan, look, and go on while nothing is
decided. Confirmation is an ordinary match; see `wants_match`."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Literal

import msgspec

from jantaku.table.errors import BadInput
from jantaku.table.forks.job import AskedHanchan, ForkedHanchan
from jantaku.table.forks.keeping import ForkStore
from jantaku.table.forks.screening import FEWEST, Judged, Screening, judged
from jantaku.table.match.figures.looks import Looks
from jantaku.table.match.plan.plan import MatchPlan
from jantaku.table.match.plan.pool import Job
from jantaku.table.match.workers.executor import Executor
from jantaku.table.riichi.rules import Rules

Confirm = Literal["auto", "always", "never"]
OTHER = 0.4
"""Share of kyoku that differ from which on a candidate is no change but another player: forks cost more there than
whole hanchan, and are far from what those say."""
UNSURE, MOST_PROBED = 0.2, 4
"""While the share is within so much of that, a further hanchan is asked about, so many at the most."""
LARGE = 0.1
"""Share of kyoku that differ from which on the candidate's own states are too often others than the baseline's."""
NEAR = 2.0
"""A lead that is within so many half-widths of zero may turn: forks tell it to first order."""


class Probe(msgspec.Struct, frozen=True):
    """How often the candidate plays otherwise, found before anything is forked: it is only asked beside the first
    hanchan of the baseline, which costs less than playing them. `kyoku` counts those of all four seats, `differing`
    those in which it played otherwise."""

    hanchan: int = 0
    kyoku: int = 0
    differing: int = 0
    asked: int = 0

    @property
    def share(self) -> float:
        """The share of kyoku in which it differed."""
        return self.differing / self.kyoku if self.kyoku else 0.0

    @property
    def is_other(self) -> bool:
        """Whether it is another player rather than a change."""
        return self.share >= OTHER

    @property
    def reason(self) -> str:
        """Why whole hanchan are played and nothing is forked."""
        return f"it plays otherwise in {self.share:.0%} of all kyoku, so forks cost more and say less"

    @property
    def is_sure(self) -> bool:
        """Whether a further hanchan would hardly say anything else."""
        return self.hanchan >= MOST_PROBED or (self.kyoku > 0 and abs(self.share - OTHER) > UNSURE)

    def with_hanchan(self, one: AskedHanchan) -> "Probe":
        """The same with one hanchan more."""
        return Probe(self.hanchan + 1, self.kyoku + one.kyoku, self.differing + one.differing, self.asked + one.asked)


class Until(msgspec.Struct, frozen=True):
    """When to stop: after so many hanchan; or before, when it is decided who is better, or when the interval is so
    narrow."""

    hanchan: int
    decided: bool = False
    ci: float | None = None

    @property
    def looks(self) -> Looks:
        """What the interval must allow for."""
        return Looks.ANY if self.decided else Looks.ONCE if self.ci is None else Looks.WIDTH

    def stages(self, workers: int) -> Iterator[int]:
        """How many hanchan there are at each look. At the first, one for every worker, nobody looks at the lead."""
        if workers < min(self.hanchan, FEWEST):
            yield workers
        size = FEWEST
        while self.looks is not Looks.ONCE and size < self.hanchan:
            yield size
            size *= 2
        yield self.hanchan

    def met(self, found: Screening) -> bool:
        """Whether to stop here."""
        if found.hanchan < FEWEST:
            return False
        half = found.rank.half
        return (self.decided and found.rank.decided) or (self.ci is not None and half is not None and half <= self.ci)


def missing(store: ForkStore, jobs: Sequence[Job]) -> list[Job]:
    """Those that were not forked yet. All must become ready: a player that cannot begin ends it."""
    return [msgspec.structs.replace(job, must_start=True) for job in jobs if job.game not in store.games]


def fork_all(store: ForkStore, executor: Executor, jobs: Sequence[Job], tell: Callable[[int], object]) -> None:
    """Fork these hanchan of the baseline, as far as they are not forked yet. `tell` is called after each."""
    with closing(executor.run(missing(store, jobs))) as done:
        for one in done:
            if not isinstance(one, ForkedHanchan) or one.forked is None:
                raise BadInput(f"hanchan {one.job.game} cannot be forked: {one.line.reason}")
            store.keep(one.forked)
            tell(len(store.games))


def look(store: ForkStore, games: Sequence[int], rules: Rules, looks: Looks) -> Judged:
    """What these hanchan say, which were forked."""
    return judged([store.games[game] for game in games], rules, looks)


def wants_match(found: Screening, confirm: Confirm) -> str:
    """Why whole hanchan are to be played; empty if not."""
    if confirm != "auto":
        return "it was asked for" if confirm == "always" else ""
    if found.share >= LARGE:
        return f"it plays otherwise in {found.share:.0%} of all kyoku, and forks see only the states of the other"
    if found.rank.decided and abs(found.rank.mean) < NEAR * (found.rank.half or 0.0):
        return "the lead is near zero, and forks tell it to first order only"
    return ""


def jobs_of(plan: MatchPlan, hanchan: int, ended: Callable[[int], bool]) -> list[Job]:
    """The jobs of the first hanchan of a baseline, without those that have no result."""
    return [job for job in plan.jobs(hanchan) if ended(job.game)]
