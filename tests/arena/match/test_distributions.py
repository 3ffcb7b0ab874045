"""Tails and quantiles, against scipy's over wide ranges."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import special

from jantaku.table.arena.match.figures.distributions import beta_above, binomial_at_least, student

CHANCES = st.floats(1e-6, 1 - 1e-6)
SEEN = 1e-250
"""A chance below this is none: nobody looks at its digits."""


@st.composite
def tries(draw: st.DrawFn) -> tuple[int, int]:
    """Successes of so many tries, with many tries as likely as few."""
    number = round(10 ** draw(st.floats(0, 5)))
    return draw(st.integers(0, number)), number


def same(wanted: float) -> object:
    return pytest.approx(float(wanted), rel=1e-10, abs=SEEN)


@given(tries(), CHANCES)
def test_tails_of_the_binomial_distribution_are_those_of_scipy(seen: tuple[int, int], chance: float) -> None:
    count, number = seen
    least = 1.0 if count == 0 else special.betainc(count, number - count + 1, chance)
    assert binomial_at_least(count, number, chance) == same(least)


@given(st.floats(-3, 5), st.floats(-3, 5), CHANCES)
@example(-2.0, 5.0, 1e-6)
def test_the_beta_distribution_is_that_of_scipy(a: float, b: float, x: float) -> None:
    assert beta_above(10**a, 10**b, x) == same(special.betaincc(10**a, 10**b, x))


@given(st.floats(0, 6), st.floats(-12, math.log10(0.5)))
def test_quantiles_of_student_are_those_of_scipy(log_degrees: float, log_tail: float) -> None:
    degrees, tail = round(10**log_degrees), 10**log_tail
    assert student(degrees, tail) == pytest.approx(-float(special.stdtrit(degrees, tail)), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("chance", "at_least"), [(0.0, 0.0), (1.0, 1.0)])
def test_what_never_or_always_happens_is_no_chance(chance: float, at_least: float) -> None:
    assert binomial_at_least(1, 5, chance) == at_least
    assert binomial_at_least(0, 5, chance) == 1.0
