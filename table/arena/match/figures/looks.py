"""How wide an interval must be, given how often somebody looks at it before the match is over.

An interval for one look at the end, Student's t, misses the truth in 5 % of matches. Somebody who looks after every
set and may stop at any of them gets at least one interval that misses it in 40 % of matches of a thousand sets.

`Looks.ANY` covers all looks together: with a chance of 95 % none of its intervals, one after every set for ever,
misses the truth. It is the confidence sequence of a sequential t test whose alternatives, in standard deviations,
have a normal prior of variance v. With S sets, D the sum of their squared distances from their mean, and r = 1 + v
S, a mean at distance d from the mean of the sets is outside if

  ((D + S d²) / (D + S d² / r)) ^ (S / 2) > √r / e

with e = 0.05. The left side divided by √r is a martingale of mean 1 under the truth, whatever the variance; it ever
reaches 1 / e with a chance of at most e (Ville). So it is exact for normal sets of unknown variance, and nearly so
for others. (H. Robbins, Ann. Math. Stat. 41, 1970; T. L. Lai, Ann. Stat. 4, 1976; H. Wang and A. Ramdas,
arXiv:2310.03722, which also has this test; I. Waudby-Smith and others, Ann. Stat. 52, 2024, for many sets that are
not normal.) It needs 11 sets. Compared with the t interval it is narrowest around 100 sets, 1.6 times as wide, and
1.7 times after 1,000.

`Looks.WIDTH` is for a match that ends as soon as the interval is narrow enough. The spread of the sets ends it, not
their mean, so the t interval at that end is right except that few sets tell little of their spread (Y. S. Chow and
H. Robbins, Ann. Math. Stat. 36, 1965).

For both, sets with equal or nearly equal results are no certainty: `unseen` is added to D. If somebody looks at
several means to find the best, these `arms` share the 5 % (Bonferroni).
"""

import math
from enum import StrEnum
from itertools import count
from typing import Final

from jantaku.table.ground.distributions import student

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
        return " that holds at every look" if self is Looks.ANY else ""

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
