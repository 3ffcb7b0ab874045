"""The plan of a match: everything that decides its results, and nothing else."""

from collections.abc import Iterator
from typing import Any

import msgspec

from jantaku.table.arena.match.formats import PAIRS, Format, Seatings, check_pool, even, seatings_of, set_size
from jantaku.table.arena.match.matchfile import Match, MatchFile, Stop
from jantaku.table.arena.match.pool import Job, PoolPlan, asked_by, pooled, terms_by, written
from jantaku.table.ground.errors import BadInput, all_told
from jantaku.table.play.seating.roster import terms_in

MOST_SETS = 100_000
"""The number of sets if only a stopping rule is given."""
DEFAULT_SETS = 25


class MatchPlan(PoolPlan, frozen=True, kw_only=True):
    KIND = "match"
    ORDER = (
        "version format seatings walls players names fingerprints seed sets rules rules_digest threads on_fault clock "
        "stop"
    )

    format: Format
    seatings: Seatings
    sets: int
    stop: Stop

    @property
    def sides(self) -> str:
        """Which player is the challenger and which the champion, in formats that have them; else empty."""
        if self.format not in PAIRS:
            return ""
        new, old = (f"{name} ({one.described})" for name, one in zip(self.names, terms_in(self.players), strict=True))
        return f"challenger {new} against champion {old}"

    @property
    def set_size(self) -> int:
        return set_size(self.format, len(self.players), self.seatings, self.seats)

    @property
    def games(self) -> int:
        return self.sets * self.set_size

    def jobs(self, sets: int | None = None) -> Iterator[Job]:
        """Yield every hanchan in the order of the plan, of the first `sets` sets or of all."""
        size = self.set_size
        for number in range(self.sets if sets is None else min(sets, self.sets)):
            seatings = seatings_of(self.format, len(self.players), self.seatings, self.seed, number, self.seats)
            for index, seating in enumerate(seatings):
                yield Job(number * size + index, number, seating)

    def _told(self) -> dict[str, Any]:
        """Leave out `faults` of the stopping rule at its default as well."""
        told = super()._told()
        if not self.stop.faults:
            del told["stop"]["faults"]
        return told


def file_of(plan: MatchPlan) -> MatchFile:
    match = Match(**asked_by(plan), format=plan.format, seatings=plan.seatings, sets=plan.sets)
    return MatchFile(match=match, clock=plan.clock, stop=plan.stop, rules=plan.rules, player=terms_by(plan))


def plan_of(file: MatchFile) -> MatchPlan:
    """Make the plan of a match file; looks up every player. BadInput if it cannot be played."""
    sets, stop = amounts_of(file)
    given = pooled(file, MatchPlan.KIND)
    return MatchPlan(**given, format=file.match.format, seatings=file.match.seatings, sets=sets, stop=stop)


def amounts_of(file: MatchFile) -> tuple[int, Stop]:
    """Return the number of wall sets of a match file, and its stopping rule. BadInput if it cannot be played, as far as
    that is known without the players."""
    match, seats = file.match, file.rules.game.players
    stop = _even(file.stop, seats)
    with all_told() as part:
        with part():
            check_pool(match.format, written(file.players), seats)
            sets = _sets(match, stop, len(file.players), seats)
        with part():
            if stop.sprt and stop.rank0 == stop.rank1:
                raise BadInput(f"stop: rank0 and rank1 are both {stop.rank0}; a test needs two hypotheses")
    return sets, stop


def _even(stop: Stop, seats: int) -> Stop:
    """Return the stopping rule with default hypotheses that fit a table of `seats` seats: around the mean rank of an
    even player."""
    usual, middle = Stop(), even(seats)
    if (stop.rank0, stop.rank1) != (usual.rank0, usual.rank1) or usual.rank0 == middle:
        return stop
    return msgspec.structs.replace(stop, rank0=middle, rank1=middle - (usual.rank0 - usual.rank1))


def _sets(match: Match, stop: Stop, players: int, seats: int) -> int:
    if match.sets is not None and match.games is not None:
        raise BadInput(f"give either sets or games, not both (sets = {match.sets}, games = {match.games})")
    if match.games is None:
        return match.sets or (MOST_SETS if stop.runs else DEFAULT_SETS)
    size = set_size(match.format, players, match.seatings, seats)
    sets, rest = divmod(match.games, size)
    if rest:
        near = f"{sets * size} or {(sets + 1) * size}" if sets else f"{size}"
        raise BadInput(f"games = {match.games} is not a number of whole sets of {size}; the nearest is {near}")
    return sets
