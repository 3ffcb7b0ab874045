"""Simulates looking at a match after every set: how often does an interval miss the truth?

    python -m scripts.looks --runs 2000
    python -m scripts.looks --match DIR…      (sets of matches 1v3 that were played, drawn again and again)

A row is a kind of match. `t` is the share of matches in which the t interval misses the truth at any look, from --first
sets on; `any` the same for `Looks.ANY` from the first set on. For every width, with t and with `Looks.WIDTH`: the share
of matches that end with an interval that misses the truth, if a match ends as soon as it is that narrow, and the mean
number of sets. `wide` is the half-width of `Looks.ANY` after all sets, beside that of t.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from jantaku.table.arena.match.figures.statistics import Looks, squared_half
from jantaku.table.arena.match.figures.stops import FARTHEST_SET
from scripts.stopping import EVEN, sets_of

WIDTHS = (0.15, 0.1, 0.05)
Numbers = npt.NDArray[np.float64]


def main() -> None:
    """Print a row for each kind of match."""
    given = _arguments()
    print(f"{given.runs} matches of {given.sets} sets each, errors in per cent")
    widths = "".join(f"{f'± {width}: t':>12} {'sets':>5} {'width':>6} {'sets':>5}" for width in WIDTHS)
    print(f"{'sets':24} {'t':>6} {'any':>6} {'wide':>6}{widths}")
    for name, ranks, truth in _kinds(given):
        seen = SeenMatches(ranks, truth)
        once, everywhere = (seen.halves(looks) for looks in (Looks.ONCE, Looks.ANY))
        missed = [seen.missed(once, given.first), seen.missed(everywhere, 1)]
        wide = float(np.mean(everywhere[:, -1]) / np.mean(once[:, -1]))
        ends = [seen.ended(half, width) for width in WIDTHS for half in (once, seen.halves(Looks.WIDTH))]
        ended = "".join(f"{error:{7 if n % 2 else 12}.1%} {sets:5.0f}" for n, (error, sets) in enumerate(ends))
        print(f"{name:24} {missed[0]:6.1%} {missed[1]:6.1%} {wide:6.2f}{ended}", flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=2000, help="simulated matches a row (2000)")
    parser.add_argument("--sets", type=int, default=1000, help="sets of each, with a look after each (1000)")
    parser.add_argument("--first", type=int, default=20, help="sets before the first look at the t interval (20)")
    parser.add_argument("--match", type=Path, nargs="+", default=[], metavar="DIR", help="matches 1v3 that were played")
    return parser.parse_args()


def _kinds(given: argparse.Namespace) -> Iterator[tuple[str, Numbers, float]]:
    """Yield name, mean ranks of the sets of each run, and their true mean."""
    numbers, shape = np.random.default_rng(1), (given.runs, given.sets)
    for folder in given.match:
        real = np.array(list(sets_of(folder)))
        yield folder.name[-24:], numbers.choice(real, shape), float(real.mean())
    for spread in () if given.match else (0.2, 0.35, 0.45, 0.6):
        drawn = numbers.normal(EVEN, spread, shape)
        yield f"spread {spread}", np.clip(np.round(drawn * 4) / 4, 1, 4), EVEN
    for share in () if given.match else (0.01, 0.03, 0.07):
        rare = np.where(numbers.random(shape) < share, EVEN + FARTHEST_SET, EVEN)
        yield f"last four times in {share:.0%}", rare, EVEN + FARTHEST_SET * share


class SeenMatches:
    """Simulated matches, one per row, with their means after every set."""

    def __init__(self, ranks: Numbers, truth: float) -> None:
        self._sets = np.arange(1, ranks.shape[1] + 1)
        means = np.cumsum(ranks, axis=1) / self._sets
        self._spread = np.maximum(np.cumsum(ranks**2, axis=1) - self._sets * means**2, 0.0)
        self._away = np.abs(means - truth) - 1e-9

    def halves(self, looks: Looks) -> Numbers:
        """Return the half-widths after every set, infinite where there is no interval."""
        kept = np.full(self._away.shape, np.inf)
        for sets in self._sets:
            # The squared half-width is linear in D, so D = 0 and D = 1 determine it.
            none, one = (squared_half(looks, int(sets), spread, FARTHEST_SET) for spread in (0.0, 1.0))
            if none is not None and one is not None:
                kept[:, sets - 1] = np.sqrt(none + (one - none) * self._spread[:, sets - 1])
        return kept

    def missed(self, half: Numbers, first: int) -> float:
        """Return the share of matches in which any look, from that set on, misses the truth."""
        return float((self._away > half)[:, first - 1 :].any(axis=1).mean())

    def ended(self, half: Numbers, width: float, least: int = 20) -> tuple[float, float]:
        """Return the share of matches that miss the truth at their end, when they are that narrow, and the mean number
        of sets."""
        narrow = (half <= width) & (self._sets >= least)
        ends = np.where(narrow.any(axis=1), narrow.argmax(axis=1), len(self._sets) - 1)
        rows = np.arange(len(ends))
        return float((self._away[rows, ends] > half[rows, ends]).mean()), float(ends.mean() + 1)


if __name__ == "__main__":
    main()
