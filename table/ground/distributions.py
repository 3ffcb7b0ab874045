"""Tails of the beta and the binomial distribution, and quantiles of Student's t, all by one continued fraction.

The code is our own because scipy, which has them, takes 143 MB: more than all other dependencies together. The tests
compare both. (Numerical Recipes, 3rd edition, 6.4; the factor before the fraction as in C. Loader, Fast and Accurate
Computation of Binomial Probabilities, 2000, so that large numbers cost no digits.)
"""

import math
from functools import lru_cache
from statistics import NormalDist
from typing import Final

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
