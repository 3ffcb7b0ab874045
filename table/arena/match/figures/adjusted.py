"""The figures of a match adjusted for luck by control variates: luck, whose mean is zero, is multiplied by a fitted
factor and subtracted.

The factors come from the same match by cross-fitting: the sets are dealt into ten groups, and the factors for one
group are fitted to the other nine by least squares. So they do not depend on that group's luck, and what is
subtracted has the mean zero for any factors: mean(factor · luck) = mean(factor) · mean(luck) = 0. A wrong factor
makes the interval wider, never wrong. The interval is computed from the sets after the subtraction.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Final

from jantaku.table.arena.match.figures.looks import Looks
from jantaku.table.arena.match.figures.statistics import Interval, LuckFigures, Mean, Pair, WithoutLuck, interval
from jantaku.table.arena.match.figures.summary import HanchanSummary, Luck

FEWEST: Final = LuckFigures.FEWEST
_GROUPS: Final = 10
_TINY: Final = 1e-12
"""A kind of luck that keeps less than this share of itself beside the other kinds is taken for a combination of
them."""
_KINDS: Final = 3
"""Rough luck has three kinds, `luck.PARTS`; learned luck has one, filled up with zeros."""
Numbers = Sequence[float]


class _SetSamples:
    """Sums of ranks, points and luck by wall set, of a player or of the difference of two."""

    def __init__(self) -> None:
        self._sets: dict[int, Numbers] = {}

    def add(self, number: int, means: Numbers) -> None:
        """Add one hanchan of wall set `number`: rank, points, and every kind of luck of the rank and of the points."""
        row = [1.0, *means]
        self._sets[number] = [a + b for a, b in zip(self._sets.get(number, [0.0] * len(row)), row, strict=True)]

    def intervals(self, looks: Looks, farthest: float) -> list[Interval]:
        """Return the rank, plain and adjusted, then the points, plain and adjusted."""
        weights, ranks, points, *all_luck = zip(*(self._sets[number] for number in sorted(self._sets)), strict=True)
        found = []
        for values, far, luck in ((ranks, farthest, all_luck[:_KINDS]), (points, 0.0, all_luck[_KINDS:])):
            for used in (values, adjusted(values, weights, luck)):
                found.append(interval(used, weights, looks, far))
        return found


def adjusted(values: Numbers, weights: Numbers, luck: Sequence[Numbers]) -> Numbers:
    """Return the sums `values` of the sets, each over `weights` hanchan, less what `luck` (one column per kind)
    explains."""
    sets = range(len(values))
    if len(sets) < FEWEST:
        return values
    found = list(values)
    for group in range(_GROUPS):
        others = [number for number in sets if number % _GROUPS != group]
        mean = math.fsum(values[number] for number in others) / math.fsum(weights[number] for number in others)
        away = left = [value - weight * mean for value, weight in zip(values, weights, strict=True)]
        for kind in _apart(luck, others):
            left = _less(left, kind, others)
        for number in sets[group::_GROUPS]:
            found[number] += left[number] - away[number]
    return found


def _apart(kinds: Sequence[Numbers], sets: Sequence[int]) -> list[Numbers]:
    """Make the kinds of luck orthogonal over these sets (Gram-Schmidt)."""
    apart: list[Numbers] = []
    for kind in kinds:
        left = kind
        for before in apart:
            left = _less(left, before, sets)
        if _product(left, left, sets) > _TINY * _product(kind, kind, sets):
            apart.append(left)
    return apart


def _less(numbers: Numbers, kind: Numbers, sets: Sequence[int]) -> list[float]:
    """Subtract from all numbers what this kind of luck explains; the factor is fitted to `sets` by least squares."""
    factor = _product(numbers, kind, sets) / _product(kind, kind, sets)
    return [number - factor * luck for number, luck in zip(numbers, kind, strict=True)]


def _product(a: Numbers, b: Numbers, sets: Sequence[int]) -> float:
    return math.fsum(a[number] * b[number] for number in sets)


class LuckTally:
    """Takes hanchan with the luck of their players, one after another."""

    def __init__(self, looks: Looks = Looks.ONCE) -> None:
        self._looks = looks
        self._farthest = 0.0
        """The largest possible difference of two ranks."""
        self._sets = set[int]()
        self._learned = True
        self.why = ""
        """Why luck is not told, if a hanchan does not tell of it that should."""
        self._players: dict[str, _SetSamples] = {}
        self._pairs: dict[tuple[str, str], _SetSamples] = {}

    def add(self, number: int, line: HanchanSummary, luck: Sequence[Luck], own: Mapping[str, Sequence[int]]) -> None:
        """Add a hanchan of set `number` that has a result. `own`: the places of each player."""
        self._farthest = max(self._farthest, len(line.ranks) - 1.0)
        self._sets.add(number)
        self._learned &= len(luck[0].rank) == 1
        kinds = zip(*[_padded(one.rank) + _padded(one.points) for one in luck], strict=True)
        rows = [line.ranks, line.points, *kinds]
        means = {name: [fmean(row[place] for place in places) for row in rows] for name, places in own.items()}
        for name, mean in means.items():
            self._players.setdefault(name, _SetSamples()).add(number, mean)
        for a, b in combinations(sorted(means), 2):
            ahead = [one - other for one, other in zip(means[a], means[b], strict=True)]
            self._pairs.setdefault((a, b), _SetSamples()).add(number, ahead)

    def figures(self, names: Iterable[str]) -> LuckFigures:
        """Return the figures of all of `names` that have a result, or why there are none."""
        if self.why:
            return LuckFigures(0, (), (), why=self.why)
        playing = [name for name in names if name in self._players]
        half = self._farthest / 2
        players = (WithoutLuck(name, *self._players[name].intervals(self._looks, half)) for name in playing)
        pairs = (self._pair(a, b) for a, b in combinations(playing, 2))
        found = tuple(pair for pair in pairs if pair)
        return LuckFigures(len(self._sets), tuple(players), found, self._learned)

    def _pair(self, a: str, b: str) -> Pair | None:
        samples = self._pairs.get((min(a, b), max(a, b)))
        if samples is None:
            return None
        _, rank, _, points = samples.intervals(self._looks, self._farthest)
        return Pair(a, b, rank, points) if a < b else Pair(a, b, rank.reversed, points.reversed)


def _padded(luck: tuple[float, ...]) -> tuple[float, ...]:
    return luck + (0.0,) * (_KINDS - len(luck))


class Running:
    """Takes learned luck out of sets as they come, for tests that may stop after any of them: the factor for a set
    depends on earlier sets alone. So the mean stays what it is at every set, whatever the luck of the earlier ones."""

    def __init__(self) -> None:
        self._values, self._luck = Mean(), Mean()
        self._products = 0.0
        """The sum of the products of distances from the means."""

    def less_luck(self, value: float, luck: float) -> float:
        """Return the result of the next set less its luck times a factor: 1 at first, and later more and more what
        least squares say of the earlier sets."""
        sets, spread = self._luck.count, self._luck.spread
        fitted = self._products / spread if spread else 1.0
        factor = (sets * fitted + FEWEST) / (sets + FEWEST)
        away = luck - self._luck.mean
        self._luck.add(luck)
        self._values.add(value)
        self._products += away * (value - self._values.mean)
        return value - factor * luck


def worth(plain: Interval, without: Interval) -> float | None:
    """Return how many plain hanchan one adjusted hanchan is worth; None if an interval has no width."""
    return (plain.half / without.half) ** 2 if plain.half and without.half else None
