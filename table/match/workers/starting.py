"""A match ends where a player cannot begin: in its first hanchan of a run everybody must become ready.

Workers may be done with later hanchan before that one. What they played while a player was not ready is held back
until it is known which it is: a player that cannot begin at all, or one that fails now and then, which is a fault like
others. So what counts depends neither on the number of workers nor on which of them is faster.
"""

from collections.abc import Iterable, Iterator

import msgspec

from jantaku.table.match.plan.pool import Job
from jantaku.table.match.workers.hanchan import PlayedHanchan
from jantaku.table.port import Verdict


class Starting:
    """Follows one run of a match: the jobs as they are handed out, and the hanchan as they come back."""

    def __init__(self) -> None:
        self._first: dict[int, int] = {}
        """By player, the hanchan of this run in which it sits first."""
        self._open: set[int] = set()
        """Those of these that are not over."""
        self._held: list[PlayedHanchan] = []

    def marked(self, jobs: Iterable[Job | None]) -> Iterator[Job | None]:
        """The same jobs; in the first one of each player all must become ready."""
        for job in jobs:
            if job is None:
                yield None
                continue
            new = set(job.seating) - self._first.keys()
            self._first.update(dict.fromkeys(new, job.game))
            if new:
                self._open.add(job.game)
            yield msgspec.structs.replace(job, must_start=bool(new))

    def counted(self, played: PlayedHanchan) -> list[PlayedHanchan]:
        """The hanchan that count now that this one is over."""
        self._open.discard(played.job.game)
        came = [played, *self._held]
        self._held = [one for one in came if self._is_open(one)]
        return [one for one in came if not self._is_open(one)]

    def _is_open(self, played: PlayedHanchan) -> bool:
        """Whether a player was not ready in it of which it is not known yet whether it can begin."""
        seats = zip(played.job.seating, played.line.faults, strict=True)
        return any(self._first[player] in self._open for player, faults in seats if Verdict.START_FAILED in faults)
