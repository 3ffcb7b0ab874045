"""How wide an interval of a mean must be for how often somebody looks at it before the match is over.

An interval for one look at the end, Student's t, misses the truth in 5 % of matches. Who looks after every set, and may
stop at any, misses it with one of them in 40 % of matches of a thousand sets: it is no interval of such a match.

`Looks.ANY` is for all looks together: with 95 % chance none of all its intervals, one after every set for ever, leaves
the truth out. It is the confidence sequence that belongs to a sequential t test whose alternatives, in standard
deviations, are drawn from a normal distribution of variance v: with S sets, D the sum of their squared distances from
their mean and r = 1 + v S, a mean that is d from theirs is left out where

    ((D + S d²) / (D + S d² / r)) ^ (S / 2) > √r / e

with e = 0.05. What stands on the left, over √r, is a martingale of mean 1 under the truth whatever the variance, which
ever reaches 1 / e with chance e at the most (Ville). So it is exact for normal sets of unknown variance, and near it
for others. (H. Robbins, Ann. Math. Stat. 41, 1970; T. L. Lai, Ann. Stat. 4, 1976; H. Wang and A. Ramdas,
arXiv:2310.03722, which also has this test; I. Waudby-Smith and others, Ann. Stat. 52, 2024, for many sets that are not
normal.) It takes 11 sets. Beside the t interval it is narrowest around 100 sets, 1.6 times its width, and 1.7 times
after 1,000.

`Looks.WIDTH` is for a match that ends as soon as the interval is narrow enough. What ends it is the spread of the sets,
not their mean: the t interval at that end is right but for what few sets tell of their spread (Y. S. Chow and
H. Robbins, Ann. Math. Stat. 36, 1965).

For both, sets that came out alike, or nearly, are no certainty: `unseen` is added to D. Several means that somebody
looks at to find the best among them, `arms`, share the 5 % (Bonferroni).
"""

import math
from enum import StrEnum
from itertools import count
from typing import Final

from jantaku.table.match.figures.distributions import student

ERROR: Final = 0.05
"""What an interval misses."""
FEWEST: Final = 5
"""Sets below which no t interval is stated: ranks of fewer sets are too often alike, see docs/statistics.md."""
_NARROWEST: Final = 100
"""After about so many sets `Looks.ANY` is narrowest beside a t interval."""
_LOGS: Final = -2 * math.log(ERROR)
_VARIANCE: Final = (_LOGS + math.log(_LOGS + 1)) / _NARROWEST


class Looks(StrEnum):
    """How often somebody looks: once at the end, until it is narrow enough, or at any time."""

    ONCE = "once"
    WIDTH = "width"
    ANY = "any"

    @property
    def said(self) -> str:
        """What is to be said of such an interval, behind the word; empty for an ordinary one."""
        return " that holds however often one looks" if self is Looks.ANY else ""

    @property
    def fewest(self) -> int:
        """The number of sets from which on there is such an interval."""
        return next(sets for sets in count(1) if multiple(self, sets) is not None)


def unseen(error: float, farthest: float) -> float:
    """What is counted on, as a sum of squared distances from the mean, for what sets have not shown: in S sets it may
    yet happen in ln(1 / e) / S of them (the “rule of three” for e = 0.05), and be `farthest` off."""
    return -math.log(error) * farthest**2


def squared_half(
    looks: Looks, sets: int, spread: float, farthest: float = 0.0, arms: int = 1, error: float = ERROR
) -> float | None:
    """The square of the half-width of the mean of so many independent sets, whose squared distances from it add up to
    `spread`. A set can be `farthest` off what is expected of it; 0 where nobody knows. None with too few sets."""
    error /= arms
    found = multiple(looks, sets, error)
    if found is None:
        return None
    return found * (spread if looks is Looks.ONCE else spread + unseen(error, farthest)) / sets


def multiple(looks: Looks, sets: int, error: float = ERROR) -> float | None:
    """By what the mean square of the distances is multiplied for the square of the half-width; None with too few
    sets."""
    if sets < FEWEST:
        return None
    if looks is not Looks.ANY:
        return student(sets - 1, error / 2) ** 2 / (sets - 1)
    ratio = 1 + _VARIANCE * sets
    bound = math.exp((math.log(ratio) - 2 * math.log(error)) / sets)
    return (bound - 1) / (1 - bound / ratio) if bound < ratio else None
