"""The figures of a match with luck taken out of them: what chance gave, whose mean is zero, times how much of the
result it explains, is subtracted.

How much that is is found from the same match by cross-fitting: the sets are dealt to ten groups, and what is taken from
the sets of a group is found by least squares from the others. So the factors of a group do not depend on its luck, and
the mean of what is subtracted is zero, whatever they are: mean(factor · luck) = mean(factor) · mean(luck) = 0. A wrong
factor costs width, never truth. The interval is that of the sets after the subtraction.
"""

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from table.match.figures.looks import Looks
from table.match.figures.luck import Luck
from table.match.figures.statistics import Interval, Pair, interval
from table.match.figures.summary import HanchanSummary
from table.match.figures.tally import places_of

FEWEST: Final = 30
"""Sets below which nothing is taken out: too few to tell what luck explains."""
_GROUPS: Final = 10
Numbers = npt.NDArray[np.float64]


class WithoutLuck(msgspec.Struct, frozen=True):
    """The mean rank and points of one player, plain and adjusted."""

    name: str
    rank: Interval
    rank_adjusted: Interval
    points: Interval
    points_adjusted: Interval


class LuckFigures(msgspec.Struct, frozen=True):
    """The players of a match, and how every two differ, adjusted for luck."""

    sets: int
    players: tuple[WithoutLuck, ...]
    pairs: tuple[Pair, ...]


class _SetSamples:
    """Ranks, points, and luck of something, summed by wall set."""

    def __init__(self) -> None:
        self._sets: dict[int, Numbers] = {}

    def add(self, number: int, rank: float, points: float, luck: Sequence[float]) -> None:
        """One hanchan of that set."""
        row = np.array([1.0, rank, points, *luck])
        self._sets[number] = self._sets[number] + row if number in self._sets else row

    def intervals(self, looks: Looks, farthest: float) -> list[Interval]:
        """Rank, plain and adjusted, then points."""
        rows = np.array([self._sets[number] for number in sorted(self._sets)])
        weights, luck = rows[:, 0], rows[:, 3:]
        found = []
        for values, far in ((rows[:, 1], farthest), (rows[:, 2], 0.0)):
            for used in (values, adjusted(values, weights, luck)):
                found.append(interval(used.tolist(), weights.tolist(), looks, far))
        return found


def adjusted(values: Numbers, weights: Numbers, luck: Numbers) -> Numbers:
    """Sums `values` over `weights` hanchan of every set less what their luck, a row each, explains."""
    if len(values) < FEWEST:
        return values
    found, groups = values.copy(), np.arange(len(values)) % _GROUPS
    for group in range(_GROUPS):
        own = groups == group
        others = ~own
        away = values[others] - weights[others] * (values[others].sum() / weights[others].sum())
        factors = np.linalg.lstsq(luck[others], away, rcond=None)[0]
        found[own] -= luck[own] @ factors
    return found


class LuckTally:
    """Takes hanchan with the luck of their players, one after another."""

    def __init__(self, looks: Looks = Looks.ONCE) -> None:
        self._looks = looks
        self._farthest = 0.0
        """How far two ranks can be from each other."""
        self._numbers: dict[tuple[str, int], int] = {}
        self._players: dict[str, _SetSamples] = {}
        self._pairs: dict[tuple[str, str], _SetSamples] = {}

    def add(self, line: HanchanSummary, luck: Sequence[Luck]) -> None:
        """A hanchan; one without a result is left out."""
        if not line.ended:
            return
        self._farthest = max(self._farthest, len(line.ranks) - 1.0)
        number = self._numbers.setdefault((line.seed, line.set), len(self._numbers))
        values = np.array([line.ranks, line.points, *zip(*luck, strict=True)], float)
        means = {name: values[:, places].mean(axis=1) for name, places in places_of(line.players).items()}
        for name, mean in means.items():
            self._players.setdefault(name, _SetSamples()).add(number, mean[0], mean[1], mean[2:])
        for a, b in combinations(sorted(means), 2):
            mean = means[a] - means[b]
            self._pairs.setdefault((a, b), _SetSamples()).add(number, mean[0], mean[1], mean[2:])

    def figures(self, names: Iterable[str]) -> LuckFigures:
        """The figures of those of `names` that have a result."""
        playing = [name for name in names if name in self._players]
        half = self._farthest / 2
        players = (WithoutLuck(name, *self._players[name].intervals(self._looks, half)) for name in playing)
        pairs = (self._pair(a, b) for a, b in combinations(playing, 2))
        return LuckFigures(len(self._numbers), tuple(players), tuple(pair for pair in pairs if pair))

    def _pair(self, a: str, b: str) -> Pair | None:
        samples = self._pairs.get((min(a, b), max(a, b)))
        if samples is None:
            return None
        _, rank, _, points = samples.intervals(self._looks, self._farthest)
        return Pair(a, b, rank, points) if a < b else Pair(a, b, rank.reversed, points.reversed)


def worth(plain: Interval, without: Interval) -> float | None:
    """How many hanchan one is worth if luck is taken out; None where that cannot be told."""
    return (plain.half / without.half) ** 2 if plain.half and without.half else None
