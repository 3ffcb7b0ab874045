"""What a match says, with what can be known from it. The unit is the wall set, never the single hanchan.

The hanchan of one set share their walls and are not independent. Means are ratios of sums over sets (total of a player
over number of its hanchan), and their intervals come from how sets differ: with S sets, t of S - 1 degrees of freedom
and the linearised variance of a ratio. For sets of equal size that is the t interval of the sets' means.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
from scipy.special import stdtrit

from table.match.rating import Rating, ratings
from table.match.summary import Counts, Line

CONFIDENCE = 0.95
SetKey = tuple[str, int]


class Interval(msgspec.Struct, frozen=True):
    """A mean with its 95 % interval; `half` is None where fewer than two sets leave it open."""

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

    def text(self, digits: int, *, sign: bool = False) -> str:
        """`2.41 ± 0.05`."""
        mean = f"{self.mean:{'+' if sign else ''}.{digits}f}"
        return mean if self.half is None else f"{mean} ± {self.half:.{digits}f}"


class PlayerFigures(msgspec.Struct, frozen=True):
    """One player over all its seats. `ranks` are shares of 1st to 4th; rates are per kyoku, values in points.

    A figure is None where nothing has happened that it could be taken from.
    """

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
    rating: Rating


class Pair(msgspec.Struct, frozen=True):
    """How two players differ in hanchan that both sat in, `a` minus `b`: a lower rank is better, more points are."""

    a: str
    b: str
    rank: Interval
    points: Interval


class Figures(msgspec.Struct, frozen=True):
    """Everything about a match that does not depend on the clock. `void` counts hanchan without a result."""

    sets: int
    games: int
    void: int
    players: tuple[PlayerFigures, ...]
    pairs: tuple[Pair, ...]
    void_reasons: tuple[str, ...] = ()


def interval(values: Sequence[float], weights: Sequence[float]) -> Interval:
    """Mean of sums `values` over counts `weights`, one of each per independent set."""
    y, m = np.asarray(values, float), np.asarray(weights, float)
    mean = round(float(y.sum() / m.sum()), 12) + 0.0  # no -0.0, and no dust of fractions
    sets = len(y)
    if sets < 2:
        return Interval(mean, None)
    spread = float(((y - mean * m) ** 2).sum())
    error = math.sqrt(sets / (sets - 1) * spread) / float(m.sum())
    return Interval(mean, float(stdtrit(sets - 1, (1 + CONFIDENCE) / 2)) * error)


def set_means(values: Iterable[tuple[Line, float | None]]) -> Interval:
    """The interval of the mean over hanchan with a value; there must be one."""
    sums: dict[SetKey, float] = {}
    counts: Counter[SetKey] = Counter()
    for line, value in values:
        if value is not None:
            key = (line.seed, line.set)
            sums[key] = sums.get(key, 0.0) + value
            counts[key] += 1
    return interval(list(sums.values()), [counts[key] for key in sums])


def mean_of(line: Line, name: str, values: Sequence[float]) -> float | None:
    """The mean of `values` by place over the seats of player `name`; None if it did not sit there or nothing ended."""
    own = [value for player, value in zip(line.players, values, strict=False) if player == name]
    return sum(own) / len(own) if own else None


def figures(lines: Sequence[Line], names: Sequence[str]) -> Figures:
    """The figures of these hanchan, players in the order of `names`. Needs a hanchan with a result."""
    ended = [line for line in lines if line.ended]
    rated = ratings(ended, names)
    playing = [name for name in names if any(name in line.players for line in ended)]
    return Figures(
        sets=len({(line.seed, line.set) for line in ended}),
        games=len(ended),
        void=len(lines) - len(ended),
        players=tuple(_player(lines, ended, name, rated[name]) for name in playing),
        pairs=tuple(_pairs(ended, playing)),
        void_reasons=tuple(sorted({line.reason for line in lines if not line.ended}))[:5],
    )


def _player(lines: Sequence[Line], ended: Sequence[Line], name: str, rating: Rating) -> PlayerFigures:
    seats = [(line, place) for line in ended for place, player in enumerate(line.players) if player == name]
    ranks = Counter(line.ranks[place] for line, place in seats)
    done = [line.counts[place] for line, place in seats]
    faults: Counter[str] = Counter()
    for line in lines:
        for place, player in enumerate(line.players):
            if player == name:
                faults.update(line.faults[place])
    kyoku, wins, deal_ins = _sum(done, "kyoku"), _sum(done, "wins"), _sum(done, "deal_ins")
    return PlayerFigures(
        name=name,
        seats=len(seats),
        rank=set_means((line, mean_of(line, name, line.ranks)) for line in ended),
        points=set_means((line, mean_of(line, name, line.points)) for line in ended),
        ranks=tuple(ranks[rank] / len(seats) for rank in range(1, 5)),
        win_rate=_ratio(wins, kyoku),
        tsumo_share=_ratio(_sum(done, "tsumo"), wins),
        win_value=_ratio(_sum(done, "win_points"), wins),
        deal_in_rate=_ratio(deal_ins, kyoku),
        deal_in_value=_ratio(_sum(done, "deal_in_points"), deal_ins),
        riichi_rate=_ratio(_sum(done, "riichi"), kyoku),
        call_rate=_ratio(_sum(done, "called"), kyoku),
        faults=dict(sorted(faults.items())),
        rating=rating,
    )


def _sum(counts: Iterable[Counts], field: str) -> int:
    return sum(getattr(count, field) for count in counts)


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _pairs(ended: Sequence[Line], names: Sequence[str]) -> Iterable[Pair]:
    for index, a in enumerate(names):
        for b in names[index + 1 :]:
            if any(a in line.players and b in line.players for line in ended):
                yield Pair(
                    a,
                    b,
                    rank=set_means((line, _difference(line, a, b, line.ranks)) for line in ended),
                    points=set_means((line, _difference(line, a, b, line.points)) for line in ended),
                )


def _difference(line: Line, a: str, b: str, values: Sequence[float]) -> float | None:
    of_a, of_b = mean_of(line, a, values), mean_of(line, b, values)
    return None if of_a is None or of_b is None else of_a - of_b
