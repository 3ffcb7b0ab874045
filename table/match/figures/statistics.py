"""What a match shows, with its uncertainty. The unit is the wall set, never the single hanchan.

The hanchan of one set share their walls and are not independent. Means are ratios of sums over sets (total of a player
over number of its hanchan), and their intervals come from how sets differ: with S sets, t of S - 1 degrees of freedom
and the linearised variance of a ratio. For sets of equal size that is the t interval of the sets' means. Where somebody
looks before the end they are those of `looks`, which also says from how many sets on there is one.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence

import msgspec

from jantaku.table.match.figures.looks import Looks, multiple, squared_half
from jantaku.table.match.figures.rating import Rating

FARTHEST = 1_000_000
"""Sets beyond which nobody asks when a difference would be decided."""


class Interval(msgspec.Struct, frozen=True):
    """A mean with its 95 % interval. `half` is None with too few sets, see `Looks.fewest`; it is 0 where all sets came
    out alike, which is no measure of chance."""

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

    @property
    def decided(self) -> bool:
        """Whether it leaves zero out."""
        return self.known and abs(self.mean) > (self.half or 0.0)

    @property
    def known(self) -> bool:
        """Whether it says anything of chance."""
        return bool(self.half)

    @property
    def reversed(self) -> "Interval":
        """That of the same difference seen from the other side."""
        return Interval(-self.mean + 0.0, self.half)

    def text(self, digits: int, *, sign: bool = False) -> str:
        """`2.41 ± 0.05`; only the mean where there is no interval."""
        mean = f"{self.mean:{'+' if sign else ''}.{digits}f}"
        return f"{mean} ± {self.half:.{digits}f}" if self.known else mean

    def cell(self, digits: int, *, sign: bool = False) -> str:
        """The same for a table, below which stands the `legend`: `2.41 ± –` where there is no interval."""
        return self.text(digits, sign=sign) if self.known else f"{self.text(digits, sign=sign)} ± –"


class PlayerFigures(msgspec.Struct, frozen=True):
    """One player over all its seats. `ranks` are shares of 1st to 4th; rates are per kyoku, values in points; `faulty`
    are the seats in which it had a fault. A figure is None where it has no observations."""

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
    faulty: int = 0


class Pair(msgspec.Struct, frozen=True):
    """How two players differ in hanchan that both sat in, `a` minus `b`: a lower rank is better, more points are."""

    a: str
    b: str
    rank: Interval
    points: Interval


class Figures(msgspec.Struct, frozen=True):
    """Everything about a match that does not depend on the clock. `void` counts hanchan without a result; `looks` says
    what its intervals allow for."""

    sets: int
    games: int
    void: int
    players: tuple[PlayerFigures, ...]
    pairs: tuple[Pair, ...]
    void_reasons: tuple[str, ...] = ()
    looks: Looks = Looks.ONCE

    @property
    def best_first(self) -> Sequence[PlayerFigures]:
        """The players, the best mean rank first, of equal ones the one with more points."""
        return sorted(self.players, key=lambda player: (player.rank.mean, -player.points.mean))

    @property
    def legend(self) -> str:
        """What ± means beside these figures."""
        shown = (interval for player in self.players for interval in (player.rank, player.points))
        return legend("wall sets", shown, self.looks)


def legend(sets: str, shown: Iterable[Interval], looks: Looks = Looks.ONCE) -> str:
    """What ± means in a table of these intervals by `sets`, and what –, if one of them has that."""
    none = f"; – where there is none: below {looks.fewest} {sets}, or all came out alike"
    told = f"± is half of the 95 % interval by {sets}{looks.said}"
    return told if all(one.known for one in shown) else told + none


def interval(
    values: Sequence[float], weights: Sequence[float], looks: Looks = Looks.ONCE, farthest: float = 0.0
) -> Interval:
    """Mean of sums `values` over counts `weights`, one of each per independent set, which can be `farthest` off."""
    sets, games = len(values), math.fsum(weights)
    mean = _clean(math.fsum(values) / games)
    away = (value - mean * weight for value, weight in zip(values, weights, strict=True))
    spread = math.fsum(one**2 for one in away) / (games / sets) ** 2
    return Interval(mean, _root(squared_half(looks, sets, spread, farthest)))


class Mean:
    """Running mean and spread (sum of squared distances from the mean), in constant memory: Welford's algorithm."""

    def __init__(self) -> None:
        self.count = 0
        self.mean = self.spread = 0.0

    def add(self, value: float) -> None:
        """One more number."""
        self.count += 1
        away = value - self.mean
        self.mean += away / self.count
        self.spread += away * (value - self.mean)

    @property
    def interval(self) -> Interval:
        """As `interval` for these numbers, each from a set of its own; there must be one."""
        return self.seen(Looks.ONCE)

    def seen(self, looks: Looks, farthest: float = 0.0, arms: int = 1) -> Interval:
        """The interval for who looks so often, at so many means at the same time: see `squared_half`."""
        return Interval(_clean(self.mean), _root(squared_half(looks, self.count, self.spread, farthest, arms)))


def _clean(mean: float) -> float:
    return round(mean, 12) + 0.0  # no -0.0, and no rounding noise


def _root(square: float | None) -> float | None:
    return None if square is None else math.sqrt(square)


def sets_to_decide(difference: Interval, sets: int, looks: Looks = Looks.ONCE) -> int | None:
    """After how many sets in all the interval of a difference, found in `sets`, leaves zero out if the mean and the
    spread of the sets stay as they are. None where that is never or beyond `FARTHEST`."""
    if difference.half is None or not difference.mean:
        return None
    spread = difference.half / _share(sets, looks)
    found = bisect_left(
        range(FARTHEST), True, lo=looks.fewest, key=lambda number: _share(number, looks) * spread < abs(difference.mean)
    )
    return found if found < FARTHEST else None


def _share(sets: int, looks: Looks) -> float:
    """The half-width after so many sets, in standard deviations of a set."""
    found = multiple(looks, sets)
    return math.inf if found is None else math.sqrt(found * (sets - 1) / sets)
