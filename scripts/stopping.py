"""Simulate the sequential test of `jantaku match --sprt`: how often it is wrong, and how many sets it needs.

    python -m scripts.stopping --runs 1000

The mean rank of a set is drawn from a normal distribution around rank0 plus `better` ranks (negative: the player is
worse). `expected` is the number of sets by Wald's approximation with a known variance, as fastchess reports it.
"""

import argparse
import math
from collections.abc import Iterable

import numpy as np

from table.match.figures.statistics import Mean
from table.match.figures.stopping import sprt
from table.match.plan.matchfile import Stop

STOP = Stop(sprt=True)
BETTER = (-1.0, -0.5, -0.2, -0.1, -0.05, 0.0, 0.05, 0.1, 0.15, 0.2, 0.5)


def main() -> None:
    """Print a row for each true difference."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000, help="simulated matches a row (1000)")
    parser.add_argument("--spread", type=float, default=0.5, help="standard deviation of a set's mean rank (0.5)")
    parser.add_argument("--most", type=int, default=5000, help="sets after which a match is undecided (5000)")
    given = parser.parse_args()
    print(f"rank0 {STOP.rank0}, rank1 {STOP.rank1}, alpha {STOP.alpha}, beta {STOP.beta}, least {STOP.least} sets")
    print(f"{'better':>7} {'H0':>7} {'H1':>7} {'neither':>8} {'sets':>7} {'expected':>9}")
    for better in BETTER:
        numbers = np.random.default_rng(1)
        ends = [
            match(numbers.normal(STOP.rank0 - better, given.spread, given.most).tolist()) for _ in range(given.runs)
        ]
        said = [sum(word == accepted for accepted, _ in ends) / given.runs for word in ("H0", "H1", "")]
        sets = sum(count for _, count in ends) / given.runs
        wald = expected(better, given.spread)
        print(f"{better:+7.2f} {said[0]:7.1%} {said[1]:7.1%} {said[2]:8.1%} {sets:7.1f} {wald:9.1f}")


def match(ranks: Iterable[float]) -> tuple[str, int]:
    """What the test accepts of these sets, and after how many."""
    seen = Mean()
    for rank in ranks:
        seen.add(rank)
        if seen.count >= STOP.least and (accepted := sprt(seen, STOP).accepted):
            return accepted, seen.count
    return "", seen.count


def expected(better: float, spread: float) -> float:
    """Sets to a decision by Wald's approximation, for a player that is so many ranks better than rank0."""
    apart = STOP.rank0 - STOP.rank1
    lower, upper = math.log(STOP.beta / (1 - STOP.alpha)), math.log((1 - STOP.beta) / STOP.alpha)
    drift, scale = apart * (better - apart / 2) / spread**2, (apart / spread) ** 2
    if abs(drift) < 1e-12:
        return -lower * upper / scale
    power = -2 * drift / scale
    reach = (1 - math.exp(power * lower)) / (math.exp(power * upper) - math.exp(power * lower))
    return (reach * upper + (1 - reach) * lower) / drift


if __name__ == "__main__":
    main()
