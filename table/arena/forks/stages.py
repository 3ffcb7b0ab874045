"""Screens a candidate in stages: play the baseline a little further, fork its new hanchan, look, and go on while
nothing is decided. Confirmation is an ordinary match; see `wants_match`."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Literal

import msgspec

from jantaku.table.arena.forks.fork import ForkedGame
from jantaku.table.arena.forks.gains import FEWEST, Screening
from jantaku.table.arena.forks.jobs import ForkedHanchan
from jantaku.table.arena.match.executors import Executor
from jantaku.table.arena.match.figures.looks import Looks
from jantaku.table.arena.match.pool import Job
from jantaku.table.ground.errors import BadInput

Confirm = Literal["auto", "always", "never"]
OTHER = 0.4
"""From this share of different kyoku on, a candidate counts as another player, not as a change: forks would cost more
than whole hanchan, and say something else."""
UNSURE, MOST_PROBED = 0.2, 4
"""While the share is within `UNSURE` of `OTHER`, one more hanchan is asked about, up to `MOST_PROBED`."""
LARGE = 0.1
"""From this share of different kyoku on, the candidate reaches too many states that the baseline's player does not,
which forks never see."""
NEAR = 2.0
"""A lead within this many half-widths of zero may change its sign: forks are right to first order only."""


class Probe(msgspec.Struct, frozen=True):
    """How often the candidate differs, found out before anything is forked: it is only asked beside the first hanchan
    of the baseline, which is cheaper than playing. `kyoku` counts each kyoku once per seat, `differing` those in which
    it differs."""

    hanchan: int = 0
    kyoku: int = 0
    differing: int = 0
    asked: int = 0

    @property
    def share(self) -> float:
        return self.differing / self.kyoku if self.kyoku else 0.0

    @property
    def is_other(self) -> bool:
        """Whether it is another player rather than a change."""
        return self.share >= OTHER

    @property
    def reason(self) -> str:
        """Why whole hanchan are played and nothing is forked."""
        return f"it plays differently in {self.share:.0%} of all kyoku, so forks cost more and say less"

    @property
    def is_sure(self) -> bool:
        """Whether one more hanchan would hardly change the answer."""
        return self.hanchan >= MOST_PROBED or (self.kyoku > 0 and abs(self.share - OTHER) > UNSURE)

    def with_hanchan(self, one: ForkedGame) -> "Probe":
        kyoku, differing = self.kyoku + one.kyoku, self.differing + len(one.forks)
        return Probe(self.hanchan + 1, kyoku, differing, self.asked + one.asked)


class Until(msgspec.Struct, frozen=True):
    """When to stop: after `hanchan` hanchan, or earlier, when it is `decided` which player is better, or when the
    half-width is at most `ci`."""

    hanchan: int
    decided: bool = False
    ci: float | None = None

    @property
    def looks(self) -> Looks:
        return Looks.ANY if self.decided else Looks.ONCE if self.ci is None else Looks.WIDTH

    def stages(self, workers: int) -> Iterator[int]:
        """Yield the number of hanchan at each look. The first one has a hanchan per worker; the lead is not judged
        there."""
        if workers < min(self.hanchan, FEWEST):
            yield workers
        size = FEWEST
        while self.looks is not Looks.ONCE and size < self.hanchan:
            yield size
            size *= 2
        yield self.hanchan

    def met(self, found: Screening) -> bool:
        if found.hanchan < FEWEST:
            return False
        half = found.rank.half
        return (self.decided and found.rank.decided) or (self.ci is not None and half is not None and half <= self.ci)


def forked(executor: Executor, jobs: Iterable[Job]) -> Iterator[ForkedGame]:
    """Yield these hanchan of the baseline, forked. All players must become ready: one that cannot begin ends the
    comparison."""
    with closing(executor.run(msgspec.structs.replace(job, must_start=True) for job in jobs)) as done:
        for one in done:
            if not isinstance(one, ForkedHanchan) or one.forked is None:
                raise BadInput(f"hanchan {one.job.game} cannot be forked: {one.line.reason}")
            yield one.forked


def wants_match(found: Screening, confirm: Confirm) -> str:
    """Say why whole hanchan should be played; empty if they should not."""
    if confirm != "auto":
        return "it was asked for" if confirm == "always" else ""
    if found.share >= LARGE:
        return f"it plays differently in {found.share:.0%} of all kyoku, and forks see only the states of the other"
    if found.rank.decided and abs(found.rank.mean) < NEAR * (found.rank.half or 0.0):
        return "the lead is near zero, and forks measure it to first order only"
    return ""
