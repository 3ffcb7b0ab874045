"""Ends a match if a player cannot begin: in its first hanchan of a run every player must become ready.

Workers may finish later hanchan before that one. A hanchan in which a player was not ready is held back until its
first one is over: then it is known whether the player cannot begin at all, or fails now and then, which is a fault
like others. So the hanchan that count depend neither on the number nor on the speed of the workers.
"""

from collections.abc import Iterable, Iterator

import msgspec

from jantaku.table.arena.match.hanchan import PlayedHanchan
from jantaku.table.arena.match.pool import Job
from jantaku.table.ground.port import Verdict


class Starting:
    """Follows one run of a match: the jobs handed out, and the hanchan that come back."""

    def __init__(self) -> None:
        self._first: dict[int, int] = {}
        """By player: the number of its first hanchan in this run."""
        self._open: set[int] = set()
        """The first hanchan of players that are not over yet."""
        self._held: list[PlayedHanchan] = []

    def marked(self, jobs: Iterable[Job | None]) -> Iterator[Job | None]:
        """Yield the same jobs. In each player's first one all players must become ready (`must_start`)."""
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
        """Return the hanchan that count now that this one is over."""
        self._open.discard(played.job.game)
        came = [played, *self._held]
        self._held = [one for one in came if self._is_open(one)]
        return [one for one in came if not self._is_open(one)]

    def _is_open(self, played: PlayedHanchan) -> bool:
        """Return whether a player was not ready in it, and that player's first hanchan is not over."""
        seats = zip(played.job.seating, played.line.faults, strict=True)
        return any(self._first[player] in self._open for player, faults in seats if Verdict.START_FAILED in faults)
