"""When a match may end early: judged after every whole set, in the order of the plan, by what the first player did in
the sets up to there. So the answer does not depend on who played what when.

SPRT on sets: the mean rank of the first player in each set is taken as normal with unknown variance. With mean x̄ and
variance s² of S sets the log likelihood ratio of rank1 against rank0 is
S/2 · ln((s² + (x̄ - rank0)²) / (s² + (x̄ - rank1)²)).
H1 is accepted at ln((1 - beta) / alpha), H0 at ln(beta / (1 - alpha)).
"""

import math
from collections.abc import Sequence

import msgspec
import numpy as np

from table.match.plan import MatchPlan, Stop
from table.match.statistics import Interval, interval, mean_of
from table.match.summary import Line


class Sprt(msgspec.Struct, frozen=True):
    """Where a sequential test stands. `accepted` is "H0", "H1" or empty."""

    rank0: float
    rank1: float
    llr: float
    lower: float
    upper: float
    accepted: str


def sprt(ranks: Sequence[float], stop: Stop) -> Sprt:
    """The test of one mean rank per set."""
    lower, upper = math.log(stop.beta / (1 - stop.alpha)), math.log((1 - stop.beta) / stop.alpha)
    llr = _log_ratio(np.asarray(ranks, float), stop.rank0, stop.rank1)
    accepted = ""
    if len(ranks) >= stop.least:
        accepted = "H1" if llr >= upper else "H0" if llr <= lower else ""
    return Sprt(stop.rank0, stop.rank1, llr, lower, upper, accepted)


def _log_ratio(ranks: "np.ndarray[tuple[int], np.dtype[np.float64]]", rank0: float, rank1: float) -> float:
    if not len(ranks):
        return 0.0
    mean, variance = float(ranks.mean()), float(ranks.var())
    away0, away1 = variance + (mean - rank0) ** 2, variance + (mean - rank1) ** 2
    # Sets that all came out alike at one of the hypotheses leave nothing to weigh: it holds.
    tiny = np.finfo(float).tiny
    return len(ranks) / 2 * (math.log(max(away0, tiny)) - math.log(max(away1, tiny)))


class Stopping:
    """Follows a match. Hanchan may come in any order."""

    def __init__(self, plan: MatchPlan) -> None:
        self._plan, self._stop = plan, plan.stop
        self._waiting: dict[int, list[Line]] = {}
        self._ranks: list[float] = []
        """The first player's mean rank in each set so far that has a result."""
        self.sets = 0
        """Whole sets from the first on."""
        self.reason = ""
        """Why the match is over, once it is; empty if all of the plan is to be played."""

    def add(self, line: Line) -> None:
        """One more hanchan."""
        self._waiting.setdefault(line.set, []).append(line)
        while not self.reason and len(self._waiting.get(self.sets, ())) == self._plan.set_size:
            self._take(self._waiting.pop(self.sets))
            self.sets += 1
            self.reason = self._why()

    @property
    def estimate(self) -> Interval | None:
        """The first player's mean rank over whole sets; None before the first."""
        return interval(self._ranks, [1.0] * len(self._ranks)) if self._ranks else None

    @property
    def test(self) -> Sprt | None:
        """Where the sequential test stands; None if there is none."""
        return sprt(self._ranks, self._stop) if self._stop.sprt else None

    def _take(self, lines: list[Line]) -> None:
        name = self._plan.names[0]
        # One order of adding up, whatever the order of coming: sums of fractions depend on it.
        in_order = sorted(lines, key=lambda line: line.game)
        found = [mean_of(line, name, line.ranks) for line in in_order]
        ranks = [rank for rank in found if rank is not None]
        if ranks:
            self._ranks.append(sum(ranks) / len(ranks))

    def _why(self) -> str:
        stop = self._stop
        test, estimate = self.test, self.estimate
        if test is not None and test.accepted:
            return f"SPRT accepts {test.accepted}: mean rank {test.rank0 if test.accepted == 'H0' else test.rank1}"
        if stop.ci is None or len(self._ranks) < stop.least or estimate is None or estimate.half is None:
            return ""
        return f"the interval of the mean rank is ± {estimate.half:.4f}" if estimate.half <= stop.ci else ""
