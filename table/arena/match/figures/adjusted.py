"""The figures of a match adjusted for luck by control variates: luck, whose mean is zero, is multiplied by a fitted
factor and subtracted.

The factors come from the same match by cross-fitting: the sets are dealt into ten groups, and the factors for one
group are fitted to the other nine by least squares. So they do not depend on that group's luck, and what is
subtracted has the mean zero for any factors: mean(factor · luck) = mean(factor) · mean(luck) = 0. A wrong factor
makes the interval wider, never wrong. The interval is computed from the sets after the subtraction.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean
from typing import Final

import msgspec

from jantaku.table.arena.match.figures.looks import Looks
from jantaku.table.arena.match.figures.luck import PARTS, Luck
from jantaku.table.arena.match.figures.statistics import Interval, Pair, interval
from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.arena.match.figures.tally import places_of

FEWEST: Final = 30
"""There is no adjustment below this number of sets: too few to fit the factors."""
_GROUPS: Final = 10
_TINY: Final = 1e-12
"""A kind of luck that keeps less than this share of itself beside the other kinds is taken for a combination of
them."""
Numbers = Sequence[float]


class WithoutLuck(msgspec.Struct, frozen=True):
    """The mean rank and points of one player, plain and adjusted."""

    name: str
    rank: Interval
    rank_adjusted: Interval
    points: Interval
    points_adjusted: Interval


class LuckFigures(msgspec.Struct, frozen=True):
    """All players of a match, and the differences of every two, adjusted for luck."""

    sets: int
    players: tuple[WithoutLuck, ...]
    pairs: tuple[Pair, ...]


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
        kinds = len(PARTS)
        found = []
        for values, far, luck in ((ranks, farthest, all_luck[:kinds]), (points, 0.0, all_luck[kinds:])):
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
        self._numbers: dict[tuple[str, int], int] = {}
        self._players: dict[str, _SetSamples] = {}
        self._pairs: dict[tuple[str, str], _SetSamples] = {}

    def add(self, line: HanchanSummary, luck: Sequence[Luck]) -> None:
        """Add a hanchan. One without a result is ignored."""
        if not line.ended:
            return
        self._farthest = max(self._farthest, len(line.ranks) - 1.0)
        number = self._numbers.setdefault((line.seed, line.set), len(self._numbers))
        values = [line.ranks, line.points, *zip(*[one.rank + one.points for one in luck], strict=True)]
        means = {
            name: [fmean(row[place] for place in places) for row in values]
            for name, places in places_of(line.players).items()
        }
        for name, mean in means.items():
            self._players.setdefault(name, _SetSamples()).add(number, mean)
        for a, b in combinations(sorted(means), 2):
            ahead = [one - other for one, other in zip(means[a], means[b], strict=True)]
            self._pairs.setdefault((a, b), _SetSamples()).add(number, ahead)

    def figures(self, names: Iterable[str]) -> LuckFigures:
        """Return the figures of all of `names` that have a result."""
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
    """Return how many plain hanchan one adjusted hanchan is worth; None if an interval has no width."""
    return (plain.half / without.half) ** 2 if plain.half and without.half else None
