"""What a match shows, with its uncertainty. The unit is the wall set, never the single hanchan.

The hanchan of one set share their walls and are not independent. Means are ratios of sums over sets (a player's total
over the number of its hanchan). Their intervals come from the differences between sets: Student's t with S - 1 degrees
of freedom for S sets, and the linearised variance of a ratio. For sets of equal size that is the t interval of the
sets' means. If somebody looks before the end, `looks` makes the intervals wider, and says how many sets they need.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from itertools import count
from statistics import NormalDist
from typing import Final

import msgspec

# Tails and quantiles of distributions, and how wide intervals are that are looked at more than once.

# Tails of the beta and the binomial distribution, and quantiles of Student's t, all by one continued fraction.
#
# The code is our own because scipy, which has them, takes 143 MB: more than all other dependencies together. The
# tests compare both. (Numerical Recipes, 3rd edition, 6.4; the factor before the fraction as in C. Loader, Fast and
# Accurate Computation of Binomial Probabilities, 2000, so that large numbers cost no digits.)

_CLOSE: Final = 1e-14
_STEPS: Final = 100_000
"""An upper bound that no fraction reaches: one takes about √n steps for n games."""
_NEAR: Final = 0.5
_TINY: Final = 1e-300
_LARGE: Final = 16.0
"""From here on Stirling's series is exact to the last bit of a float."""


def beta_above(a: float, b: float, x: float) -> float:
    """Return the chance that a beta(a, b) variable is larger than `x`."""
    return _tails(a, b, x, 1 - x)[1]


def binomial_at_least(count: int, tries: int, chance: float) -> float:
    """Return the chance of at least `count` successes."""
    return 0.0 + (count <= 0) if not 0 < count <= tries else _tails(count, tries - count + 1, chance, 1 - chance)[0]


@lru_cache(4096)
def student(degrees: float, tail: float) -> float:
    """Return the value that Student's t with these degrees of freedom exceeds with the chance `tail`, at most 0.5.

    Newton's method starts from the normal quantile, which is smaller. The tail is convex there, so that no step
    overshoots by more than rounding.
    """
    found = -NormalDist().inv_cdf(tail)
    log = math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2) - math.log(math.pi * degrees) / 2
    for _ in range(_STEPS):
        square = found**2
        x, y = degrees / (degrees + square), square / (degrees + square)
        density = math.exp(log - (degrees + 1) / 2 * math.log1p(square / degrees))
        step = (_tails(degrees / 2, 0.5, x, y)[0] / 2 - tail) / density
        if step <= _CLOSE * found:
            break
        found += step
    return found


def _tails(a: float, b: float, x: float, y: float) -> tuple[float, float]:
    """Return the chances that a beta(a, b) variable is below `x` and above it; `y` is 1 - x. The smaller chance is
    computed directly, so that it keeps all its digits."""
    if x <= 0 or y <= 0:
        return float(x > 0), float(x <= 0)
    factor = _factor(a, b, x, y)
    if x > (a + 1) / (a + b + 2):
        above = factor * _fraction(b, a, y) / b
        return 1 - above, above
    below = factor * _fraction(a, b, x) / a
    return below, 1 - below


def _factor(a: float, b: float, x: float, y: float) -> float:
    """x^a y^b / B(a, b)."""
    both = a + b
    beyond = a - x * both if x < y else y * both - b  # of the two equal forms the one that keeps more digits
    log = a * _log(x * both / a, -beyond / a) + b * _log(y * both / b, beyond / b)
    return math.sqrt(a / both * b / math.tau) * math.exp(log + _stirling(both) - _stirling(a) - _stirling(b))


def _log(number: float, beyond: float) -> float:
    """log(`number`), which is 1 + `beyond`: near 1 the rounding of `number` would count, times a or b."""
    return math.log1p(beyond) if abs(beyond) < _NEAR else math.log(number)


def _stirling(z: float) -> float:
    """Return log Γ(z) less ((z - ½) log z - z + ½ log 2π)."""
    if z < _LARGE:
        return math.lgamma(z) - (z - 0.5) * math.log(z) + z - math.log(math.tau) / 2
    return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / z**2) / z**2) / z**2) / z**2) / z


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    upper, lower = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    found = lower
    for m in range(1, _STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            lower, upper = 1 / _away(1 + term * lower), _away(1 + term / upper)
            found *= lower * upper
        if abs(lower * upper - 1) < _CLOSE:
            break
    return found


def _away(number: float) -> float:
    return number if abs(number) > _TINY else _TINY


# How wide an interval must be, given how often somebody looks at it before the match is over.
#
# An interval for one look at the end, Student's t, misses the truth in 5 % of matches. Somebody who looks after every
# set and may stop at any of them gets at least one interval that misses it in 40 % of matches of a thousand sets.
#
# `Looks.ANY` covers all looks together: with a chance of 95 % none of its intervals, one after every set for ever,
# misses the truth. It is the confidence sequence of a sequential t test whose alternatives, in standard deviations,
# have a normal prior of variance v. With S sets, D the sum of their squared distances from their mean, and r = 1 + v
# S, a mean at distance d from the mean of the sets is outside if
#
#   ((D + S d²) / (D + S d² / r)) ^ (S / 2) > √r / e
#
# with e = 0.05. The left side divided by √r is a martingale of mean 1 under the truth, whatever the variance; it ever
# reaches 1 / e with a chance of at most e (Ville). So it is exact for normal sets of unknown variance, and nearly so
# for others. (H. Robbins, Ann. Math. Stat. 41, 1970; T. L. Lai, Ann. Stat. 4, 1976; H. Wang and A. Ramdas,
# arXiv:2310.03722, which also has this test; I. Waudby-Smith and others, Ann. Stat. 52, 2024, for many sets that are
# not normal.) It needs 11 sets. Compared with the t interval it is narrowest around 100 sets, 1.6 times as wide, and
# 1.7 times after 1,000.
#
# `Looks.WIDTH` is for a match that ends as soon as the interval is narrow enough. The spread of the sets ends it, not
# their mean, so the t interval at that end is right except that few sets tell little of their spread (Y. S. Chow and
# H. Robbins, Ann. Math. Stat. 36, 1965).
#
# For both, sets with equal or nearly equal results are no certainty: `unseen` is added to D. If somebody looks at
# several means to find the best, these `arms` share the 5 % (Bonferroni).

ERROR: Final = 0.05
"""The chance that an interval misses the truth."""
FEWEST: Final = 5
"""There is no t interval below this number of sets: the ranks of fewer sets are too often equal, see
docs/statistics.md."""
_NARROWEST: Final = 100
"""Around this number of sets `Looks.ANY` is narrowest in comparison with a t interval."""
_LOGS: Final = -2 * math.log(ERROR)
_VARIANCE: Final = (_LOGS + math.log(_LOGS + 1)) / _NARROWEST


class Looks(StrEnum):
    """How often somebody looks: once at the end, until it is narrow enough, or at any time."""

    ONCE = "once"
    WIDTH = "width"
    ANY = "any"

    @property
    def said(self) -> str:
        """What a sentence adds behind the word "interval"; empty for an ordinary one."""
        return " that holds however often one looks" if self is Looks.ANY else ""

    @property
    def fewest(self) -> int:
        """The smallest number of sets for which there is such an interval."""
        return next(sets for sets in count(1) if multiple(self, sets) is not None)


def unseen(error: float, farthest: float) -> float:
    """Return a sum of squared distances that stands for what the sets have not shown yet: in S sets, ln(1 / error) / S
    of them may still come out at the distance `farthest` (the “rule of three” for error = 0.05)."""
    return -math.log(error) * farthest**2


def squared_half(
    looks: Looks, sets: int, spread: float, farthest: float = 0.0, arms: int = 1, error: float = ERROR
) -> float | None:
    """Return the square of the half-width for the mean of independent sets whose squared distances from it add up to
    `spread`.

    `farthest`: the largest distance that a set can have from its expectation; 0 if unknown. None with too few sets.
    """
    error /= arms
    found = multiple(looks, sets, error)
    if found is None:
        return None
    return found * (spread if looks is Looks.ONCE else spread + unseen(error, farthest)) / sets


def multiple(looks: Looks, sets: int, error: float = ERROR) -> float | None:
    """Return the factor from the mean of the squared distances to the square of the half-width; None with too few
    sets."""
    if sets < FEWEST:
        return None
    if looks is not Looks.ANY:
        return student(sets - 1, error / 2) ** 2 / (sets - 1)
    ratio = 1 + _VARIANCE * sets
    bound = math.exp((math.log(ratio) - 2 * math.log(error)) / sets)
    return (bound - 1) / (1 - bound / ratio) if bound < ratio else None


FARTHEST = 1_000_000
"""`sets_to_decide` does not look beyond this number of sets."""
_NOISE = 1e-9
"""Half-widths up to this are what rounding leaves of none."""


class Interval(msgspec.Struct, frozen=True):
    """A mean with its 95 % interval. `half` is None with too few sets, see `Looks.fewest`, and 0 if all sets had equal
    results, which says nothing about chance."""

    mean: float
    half: float | None

    @property
    def low(self) -> float | None:
        """The lower end."""
        return None if self.half is None else self.mean - self.half

    @property
    def high(self) -> float | None:
        """The upper end."""
        return None if self.half is None else self.mean + self.half

    @property
    def decided(self) -> bool:
        """Whether the interval excludes zero."""
        return self.known and abs(self.mean) > (self.half or 0.0)

    @property
    def known(self) -> bool:
        """Whether the interval measures chance: it has a width."""
        return bool(self.half)

    @property
    def reversed(self) -> "Interval":
        """The interval of the opposite difference, b minus a."""
        return Interval(-self.mean + 0.0, self.half)

    def text(self, digits: int, *, sign: bool = False) -> str:
        """Write it as `2.41 ± 0.05`; only the mean if there is no interval."""
        mean = f"{self.mean:{'+' if sign else ''}.{digits}f}"
        return f"{mean} ± {self.half:.{digits}f}" if self.known else mean

    def cell(self, digits: int, *, sign: bool = False) -> str:
        """Write it for a table with a `legend`: as `text` does, but `2.41 ± –` if there is no interval."""
        return self.text(digits, sign=sign) if self.known else f"{self.text(digits, sign=sign)} ± –"


class PlayerFigures(msgspec.Struct, frozen=True):
    """One player over all its seats. `ranks` are shares of 1st to 4th, rates are per kyoku, values in points; `faulty`
    counts the seats in which it had a fault. `rank_pt` and `stable_dan`: see `units`. A figure is None if nothing was
    observed for it."""

    name: str
    seats: int
    rank: Interval
    points: Interval
    ranks: tuple[float, ...]
    win_rate: float | None
    tsumo_share: float | None
    win_value: float | None
    deal_in_rate: float | None
    deal_in_value: float | None
    riichi_rate: float | None
    call_rate: float | None
    faults: dict[str, int]
    faulty: int = 0
    rank_pt: Interval | None = None
    stable_dan: Interval | None = None


class Pair(msgspec.Struct, frozen=True):
    """How two players differ in hanchan that both sat in, `a` minus `b`: a lower rank is better, more points are
    better."""

    a: str
    b: str
    rank: Interval
    points: Interval


class OnTime(msgspec.Struct, frozen=True):
    """What is left of a match without the wall sets in which a player lost answers to the clock: `hanchan` of its
    hanchan had such a player, in `lost` wall sets. `names` are the players from the best down and `pairs` their
    differences in the `sets` others; both are empty if there are none."""

    hanchan: int
    lost: int
    sets: int
    names: tuple[str, ...]
    pairs: tuple[Pair, ...]


class Figures(msgspec.Struct, frozen=True):
    """All figures of a match that do not depend on the clock. `void` counts hanchan without a result; `looks` says how
    often somebody may have looked, which its intervals allow for; `points_by_rank` is the list of `rank_pt`. `on_time`
    is there if a player lost answers to the clock."""

    sets: int
    games: int
    void: int
    players: tuple[PlayerFigures, ...]
    pairs: tuple[Pair, ...]
    void_reasons: tuple[str, ...] = ()
    looks: Looks = Looks.ONCE
    points_by_rank: tuple[float, ...] = ()
    on_time: OnTime | msgspec.UnsetType = msgspec.UNSET

    @property
    def best_first(self) -> Sequence[PlayerFigures]:
        """The players from the best mean rank down; of equal ones the one with more points comes first."""
        return sorted(self.players, key=lambda player: (player.rank.mean, -player.points.mean))

    @property
    def legend(self) -> str:
        """What ± means in these figures."""
        shown = (interval for player in self.players for interval in (player.rank, player.points))
        return legend("wall sets", shown, self.looks)


def legend(sets: str, shown: Iterable[Interval], looks: Looks = Looks.ONCE) -> str:
    """Explain ± in a table of these intervals, whose unit is `sets`; explain – as well if an interval has no width."""
    none = f"; – where there is none: below {looks.fewest} {sets}, or all came out alike"
    told = f"± is half of the 95 % interval by {sets}{looks.said}"
    return told if all(one.known for one in shown) else told + none


def interval(
    values: Sequence[float], weights: Sequence[float], looks: Looks = Looks.ONCE, farthest: float = 0.0
) -> Interval:
    """Return mean and interval of the ratio of the sums `values` to the counts `weights`, one of each per independent
    set.

    `farthest`: the largest distance of a set from its expectation; 0 if unknown.
    """
    sets, games = len(values), math.fsum(weights)
    mean = _clean(math.fsum(values) / games)
    away = (value - mean * weight for value, weight in zip(values, weights, strict=True))
    spread = math.fsum(one**2 for one in away) / (games / sets) ** 2
    return Interval(mean, _root(squared_half(looks, sets, spread, farthest)))


class Mean:
    """Running mean and spread (sum of squared distances from the mean) in constant memory, by Welford's algorithm."""

    def __init__(self) -> None:
        self.count = 0
        self.mean = self.spread = 0.0

    def add(self, value: float) -> None:
        """Add a number."""
        self.count += 1
        away = value - self.mean
        self.mean += away / self.count
        self.spread += away * (value - self.mean)

    @property
    def interval(self) -> Interval:
        """The interval for one look at the end, each number being a set of its own. There must be at least one."""
        return self.seen(Looks.ONCE)

    def seen(self, looks: Looks, farthest: float = 0.0, arms: int = 1) -> Interval:
        """Return the interval that allows for `looks` and for `arms` means looked at together: see `squared_half`."""
        return Interval(_clean(self.mean), _root(squared_half(looks, self.count, self.spread, farthest, arms)))


def _clean(mean: float) -> float:
    return round(mean, 12) + 0.0  # no -0.0, and no rounding noise


def _root(square: float | None) -> float | None:
    """The half-width; 0 where all sets came out alike, but for the rounding of their mean."""
    return None if square is None else root if (root := math.sqrt(square)) > _NOISE else 0.0


def sets_to_decide(difference: Interval, sets: int, looks: Looks = Looks.ONCE) -> int | None:
    """Return the total number of sets after which the interval of a difference, found in `sets`, excludes zero if mean
    and spread stay the same. None if that is never, as where all sets came out alike, or beyond `FARTHEST`."""
    if not difference.known or not difference.mean:
        return None
    spread = (difference.half or 0.0) / _share(sets, looks)
    found = bisect_left(
        range(FARTHEST), True, lo=looks.fewest, key=lambda number: _share(number, looks) * spread < abs(difference.mean)
    )
    return found if found < FARTHEST else None


def _share(sets: int, looks: Looks) -> float:
    """Return the half-width after that many sets, in standard deviations of a set."""
    found = multiple(looks, sets)
    return math.inf if found is None else math.sqrt(found * (sets - 1) / sets)
