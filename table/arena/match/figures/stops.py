"""When a match may end early: by its results, or because one player has more faults than the others."""

import math
from array import array
from collections.abc import Iterator
from typing import Final

import msgspec

from jantaku.table.arena.match.figures.statistics import Figures, Interval, Looks, Mean, beta_above, unseen
from jantaku.table.arena.match.figures.summary import HanchanSummary, is_bad
from jantaku.table.arena.match.figures.tally import mean_of
from jantaku.table.arena.match.matchfile import Stop
from jantaku.table.arena.match.plan import Job, MatchPlan
from jantaku.table.drawing.columns import shortened

# Tests whether one player has faults in more hanchan than the others; the test may be looked at any number of times.
#
# If the player is no worse, a hanchan with a fault is equally likely to be any seat's: with a quarter of the seats it
# has a quarter of those hanchan. The evidence against that is the likelihood ratio of larger shares, averaged
# uniformly over all of them. By Ville's inequality it ever exceeds 1 / error with a chance of at most `error`,
# however often somebody looks; a test for a number of hanchan fixed in advance would not keep that promise.

NOBODY_PLAYS: Final = "nobody plays: defaults are played for all players"
"""Why a match ends in which all players live on defaults, so that there is nothing to compare."""
MOST_DEFAULTS: Final = 0.1
"""A player does not play if defaults replaced more than this share of its answers."""


class Faultiness:
    """Counts for one player, and for all others together, the seats in hanchan and how many of them had a fault."""

    def __init__(self, name: str, unit: str) -> None:
        self._name, self._unit = name, unit
        self.own = self.own_seats = self.others = self.others_seats = 0
        self._beyond = {True: 0.0, False: 0.0}
        """By key True (the player) and False (the others): defaults beyond the share `MOST_DEFAULTS` of the
        questions."""

    def add(self, line: HanchanSummary) -> None:
        """Add one hanchan. A hanchan without a result does not count."""
        if not line.ranks:
            return
        asked = line.asked or (0, 0, 0, 0)  # summaries of older versions do not count questions
        for name, faults, questions in zip(line.players, line.faults, asked, strict=True):
            bad = any(map(is_bad, faults))
            lost = sum(count for word, count in faults.items() if is_bad(word))
            if questions:
                self._beyond[name == self._name] += lost - MOST_DEFAULTS * questions
            if name == self._name:
                self.own, self.own_seats = self.own + bad, self.own_seats + 1
            else:
                self.others, self.others_seats = self.others + bad, self.others_seats + 1

    def is_certain(self, error: float) -> bool:
        """Return whether the player has faults in more hanchan than the others, with a chance of error of at most
        `error`."""
        return is_certain(self.own, self.own_seats, self.others, self.others_seats, error)

    @property
    def nobody_plays(self) -> bool:
        """Whether neither the player nor the others play: defaults replace their answers."""
        return min(self._beyond.values()) > 0

    @property
    def text(self) -> str:
        """The counts of both sides as a sentence."""
        told = f"the first player has faults in {self.own} of its {self.own_seats} {self._unit}"
        return f"{told}, others in {self.others} of {self.others_seats}"


def is_certain(own: int, own_seats: int, others: int, others_seats: int, error: float) -> bool:
    """Return whether the evidence that one player has more faults exceeds 1 / error, which chance does less often than
    `error`."""
    if not own or not others_seats:
        return False
    share = own_seats / (own_seats + others_seats)
    larger = beta_above(own + 1, others + 1, share)
    if larger <= 0.0:
        return False
    beta = math.lgamma(own + 1) + math.lgamma(others + 1) - math.lgamma(own + others + 2)
    log = beta + math.log(larger) - math.log1p(-share)
    return log - own * math.log(share) - others * math.log1p(-share) > -math.log(error)


# When a match may end early. Judged after every whole set, in the order of the plan, by the first player's results up
# to that set; so the answer does not depend on when each hanchan was played.
#
# The test is a generalised SPRT on sets: the first player's mean rank in each set is taken as normal with the
# variance that the sets show. With the mean x̄ of S sets and D, the sum of their squared distances from it, the log
# likelihood ratio of rank1 against rank0 is (rank1 - rank0) · (2x̄ - rank0 - rank1) · S · (S - 3) / (2D). (S - 3) / D
# estimates 1 / variance without bias, so that few sets do not look surer than they are. The ratio grows with the
# distance from both hypotheses, so that a very bad player is refused as soon as a match may stop (`python -m
# scripts.intervals gate` measures it).
#
# D is at least `unseen` at e, the smaller of alpha and beta, for a set that is 1.5 ranks from an even one. So sets
# with equal or nearly equal results are not taken for certainty: equal ones decide on 0.1 ranks after 65 sets, with
# errors of 0.05. H1 is accepted at ln((1 - beta) / alpha), H0 at ln(beta / (1 - alpha)).
#
# A match that ends by the width of its interval uses `Looks.WIDTH`; the mean shown while a match runs uses
# `Looks.ANY`.

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


def looks_of(stop: Stop) -> Looks:
    """Return how often somebody may look at a match that ends by these rules; its intervals must allow for it."""
    return Looks.ANY if stop.sprt else Looks.ONCE if stop.ci is None else Looks.WIDTH


class Stopping:
    """Follows a match and says when it may end; the `Schedule` of its hanchan, which may come in any order."""

    def __init__(self, plan: MatchPlan, last: int | None = None) -> None:
        """`last`: the largest number of sets to play; None for all of the plan."""
        self._plan, self._stop, self._last = plan, plan.stop, last
        self._waiting: dict[int, list[HanchanSummary]] = {}
        """Hanchan of sets that are incomplete, or that come after an incomplete one."""
        self._ranks = Mean()
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
            told = (mean_of(one, self._plan.names[0], one.ranks) for one in lines)
            for one in lines:
                self._faultiness.add(one)
            if ranks := [rank for rank in told if rank is not None]:
                self._ranks.add(sum(ranks) / len(ranks))
            self.sets += 1
            self.reason = self._why()

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
        parts = [] if estimate is None else [f"{name} mean rank {estimate.text(3)}{looks}"]
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
