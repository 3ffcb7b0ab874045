"""When a match may end early. Judged after every whole set, in the order of the plan, by the first player's results up
to that set; so the answer does not depend on when each hanchan was played.

The test is a generalised SPRT on sets: the first player's mean rank in each set is taken as normal with the variance
that the sets show. With the mean x̄ of S sets and D, the sum of their squared distances from it, the log likelihood
ratio of rank1 against rank0 is (rank1 - rank0) · (2x̄ - rank0 - rank1) · S · (S - 3) / (2D). (S - 3) / D estimates 1
/ variance without bias, so that few sets do not look surer than they are. The ratio grows with the distance from
both hypotheses, so that a very bad player is refused as soon as a match may stop (`python -m scripts.intervals gate`
measures it).

D is at least `unseen` at e, the smaller of alpha and beta, for a set that is 1.5 ranks from an even one. So sets
with equal or nearly equal results are not taken for certainty: equal ones decide on 0.1 ranks after 65 sets, with
errors of 0.05. H1 is accepted at ln((1 - beta) / alpha), H0 at ln(beta / (1 - alpha)).

A match that ends by the width of its interval uses `Looks.WIDTH`; the mean shown while a match runs uses
`Looks.ANY`. If a match takes luck out, all of that is judged by the ranks without it: see `Running`.
"""

import math
from array import array
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from jantaku.table.arena.match.figures.adjusted import Running
from jantaku.table.arena.match.figures.faultiness import NOBODY_PLAYS, Faultiness
from jantaku.table.arena.match.figures.looks import Looks, unseen
from jantaku.table.arena.match.figures.statistics import Figures, Interval, Mean
from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.arena.match.figures.tally import mean_of
from jantaku.table.arena.match.matchfile import Stop
from jantaku.table.arena.match.plan import MatchPlan
from jantaku.table.arena.match.pool import Job
from jantaku.table.drawing.columns import shortened
from jantaku.table.riichi.pieces.seats import SEATS

NAME: Final = 16
"""Most letters of a name in a progress line."""
FARTHEST_SET: Final = 1.5
"""The largest distance, in ranks, of a set from an even one: ranks 1 and 4 are that far from 2.5."""


class Sprt(msgspec.Struct, frozen=True):
    """The state of a sequential test. `accepted` is "H0", "H1" or empty."""

    rank0: float
    rank1: float
    llr: float
    lower: float
    upper: float
    accepted: str


def sprt(ranks: Mean, stop: Stop) -> Sprt:
    """Test the mean ranks of the sets, one per set."""
    lower, upper = math.log(stop.beta / (1 - stop.alpha)), math.log((1 - stop.beta) / stop.alpha)
    llr = _log_ratio(ranks, stop)
    accepted = ""
    if ranks.count >= stop.least:
        accepted = "H1" if llr >= upper else "H0" if llr <= lower else ""
    return Sprt(stop.rank0, stop.rank1, llr, lower, upper, accepted)


def _log_ratio(ranks: Mean, stop: Stop) -> float:
    if ranks.count <= 3:
        return 0.0
    precision = (ranks.count - 3) / max(ranks.spread, unseen(min(stop.alpha, stop.beta), FARTHEST_SET))
    return ranks.count * (stop.rank1 - stop.rank0) * (2 * ranks.mean - stop.rank0 - stop.rank1) * precision / 2


class Results(msgspec.Struct, frozen=True):
    """The content of a match's `results.json`."""

    plan: str
    format: str
    walls: str
    rules: str
    seed: int | str
    ended_by: str
    """Why the match ended before its last set; empty if it was played to the end."""
    sprt: Sprt | None
    figures: Figures | None
    """None if no hanchan has a result."""
    judged: Interval | msgspec.UnsetType = msgspec.UNSET
    """The first player's mean rank without luck, by which the match was judged, with an interval that holds at every
    look; only if luck was to be taken out."""


def looks_of(stop: Stop) -> Looks:
    """Return how often somebody may look at a match that ends by these rules; its intervals must allow for it."""
    return Looks.ANY if stop.sprt else Looks.ONCE if stop.ci is None else Looks.WIDTH


class Stopping:
    """Follows a match and says when it may end; the `Schedule` of its hanchan, which may come in any order."""

    def __init__(self, plan: MatchPlan, last: int | None = None) -> None:
        """`last`: the largest number of sets to play; None for all of the plan."""
        self._plan, self._stop, self._last = plan, plan.stop, last
        self._without = plan.luck and plan.seats == SEATS
        """Whether ranks are judged without luck: for other tables luck is counted in rough sums, which do not judge."""
        self._waiting: dict[int, list[HanchanSummary]] = {}
        """Hanchan of sets that are incomplete, or that come after an incomplete one."""
        self._ranks, self._running = Mean(), Running()
        """The first player's mean rank in each set judged so far; sets without a result are left out."""
        self._faultiness = Faultiness(plan.names[0], plan.unit)
        self.sets = 0
        """The number of sets judged so far, counted from the first one without a gap."""
        self.course = array("d")
        """The log likelihood ratio after every set so far; empty if there is no sequential test."""
        self.reason = ""
        """Why the match is over; empty while it goes on, and at its end if the whole plan was played."""

    def jobs(self) -> Iterator[Job]:
        """Yield every hanchan that may be played."""
        return self._plan.jobs(self._last)

    def add(self, line: HanchanSummary) -> None:
        """Add a hanchan, and judge every set that is complete now."""
        self._waiting.setdefault(line.set, []).append(line)
        while not self.reason and len(self._waiting.get(self.sets, ())) == self._plan.set_size:
            # Sorted, because a sum of floats depends on the order of its terms and hanchan may arrive in any.
            lines = sorted(self._waiting.pop(self.sets), key=lambda one: one.game)
            for one in lines:
                self._faultiness.add(one)
            if (rank := self._rank_in(lines)) is not None:
                self._ranks.add(rank)
            self.sets += 1
            self.reason = self._why()

    def _rank_in(self, lines: Sequence[HanchanSummary]) -> float | None:
        """The first player's mean rank in the hanchan of a set, without luck if that was learned; None without a
        result."""
        name = self._plan.names[0]
        means = [(mean_of(one, name, one.ranks), mean_of(one, name, one.learned)) for one in lines]
        ranks = [rank for rank, _ in means if rank is not None]
        luck = [found for _, found in means if found is not None]
        if not ranks:
            return None
        rank = sum(ranks) / len(ranks)
        return self._running.less_luck(rank, sum(luck) / len(luck)) if luck else rank

    @property
    def looks(self) -> Looks:
        """How often somebody may look at the match."""
        return looks_of(self._stop)

    @property
    def planned(self) -> int:
        """Number of hanchan, if nothing ends the match early."""
        return self._plan.games if self._last is None else self._last * self._plan.set_size

    @property
    def stands(self) -> str:
        """The first player's mean rank so far, and the state of the sequential test."""
        name, estimate, test = shortened(self._plan.names[0], NAME), self.estimate, self.test
        looks = " at any look" if estimate is not None and estimate.known else ""
        without = " without luck" if self._without else ""
        parts = [] if estimate is None else [f"{name} mean rank {estimate.text(3)}{without}{looks}"]
        if test is not None:
            parts.append(f"LLR {test.llr:+.2f} of {test.lower:.2f}..{test.upper:.2f}")
        return ", ".join(parts)

    def results(self, figures: Figures | None) -> Results:
        """Return the results of the match; `figures` are None if no hanchan has a result."""
        plan = self._plan
        return Results(
            plan=plan.digest,
            format=plan.format,
            walls=plan.walls,
            rules=plan.rules_digest,
            seed=plan.seed,
            ended_by=self.reason,
            sprt=self.test,
            figures=figures,
            judged=(self.estimate if self._without else None) or msgspec.UNSET,
        )

    @property
    def estimate(self) -> Interval | None:
        """The first player's mean rank over the sets judged so far, with an interval for any number of looks; None
        before the first set."""
        return self._ranks.seen(Looks.ANY, FARTHEST_SET) if self._ranks.count else None

    @property
    def test(self) -> Sprt | None:
        """The state of the sequential test; None if the plan has none."""
        return sprt(self._ranks, self._stop) if self._stop.sprt else None

    def _why(self) -> str:
        stop, test = self._stop, self.test
        if test is not None:
            self.course.append(test.llr)
        if test is not None and test.accepted:
            return f"SPRT accepts {test.accepted}: mean rank {test.rank0 if test.accepted == 'H0' else test.rank1}"
        if stop.faults and self._faultiness.nobody_plays:
            return NOBODY_PLAYS
        if stop.faults and self._faultiness.is_certain(stop.alpha):
            return self._faultiness.text
        if stop.ci is None or self._ranks.count < stop.least:
            return ""
        half = self._ranks.seen(Looks.WIDTH, FARTHEST_SET).half
        return "" if half is None or half > stop.ci else f"the interval of the mean rank is ± {half:.4f}"
