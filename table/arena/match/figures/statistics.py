"""What a match shows, with its uncertainty. The unit is the wall set, never the single hanchan.

The hanchan of one set share their walls and are not independent. Means are ratios of sums over sets (a player's total
over the number of its hanchan). Their intervals come from the differences between sets: Student's t with S - 1 degrees
of freedom for S sets, and the linearised variance of a ratio. For sets of equal size that is the t interval of the
sets' means. If somebody looks before the end, `looks` makes the intervals wider, and says how many sets they need.
"""

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import ClassVar

import msgspec

from jantaku.table.arena.match.figures.looks import Looks, multiple, squared_half

FARTHEST = 1_000_000
"""`sets_to_decide` does not look beyond this number of sets."""
_NOISE = 1e-9
"""Half-widths up to this are what rounding leaves of none."""


class Interval(msgspec.Struct, frozen=True):
    """A mean with its 95 % interval. `half` is None with too few sets, see `Looks.fewest`, and 0 if all sets had equal
    results, which says nothing about chance."""

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
        """Whether the interval excludes zero."""
        return self.known and abs(self.mean) > (self.half or 0.0)

    @property
    def known(self) -> bool:
        """Whether the interval measures chance: it has a width."""
        return bool(self.half)

    @property
    def reversed(self) -> "Interval":
        """The interval of the opposite difference, b minus a."""
        return Interval(-self.mean + 0.0, self.half)

    def text(self, digits: int, *, sign: bool = False) -> str:
        """Write it as `2.41 ± 0.05`; only the mean if there is no interval."""
        mean = f"{self.mean:{'+' if sign else ''}.{digits}f}"
        return f"{mean} ± {self.half:.{digits}f}" if self.known else mean

    def cell(self, digits: int, *, sign: bool = False) -> str:
        """Write it for a table with a `legend`: as `text` does, but `2.41 ± –` if there is no interval."""
        return self.text(digits, sign=sign) if self.known else f"{self.text(digits, sign=sign)} ± –"


class PlayerFigures(msgspec.Struct, frozen=True):
    """One player over all its seats. `ranks` are shares of 1st to 4th, rates are per kyoku, values in points; `faulty`
    counts the seats in which it had a fault. `rank_pt` and `stable_dan`: see `units`. A figure is None if nothing was
    observed for it."""

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
    faulty: int = 0
    rank_pt: Interval | None = None
    stable_dan: Interval | None = None


class Pair(msgspec.Struct, frozen=True):
    """How two players differ in hanchan that both sat in, `a` minus `b`: a lower rank is better, more points are
    better. `expected` is the difference of ranks that the results of both against everybody let expect, and `divergent`
    the share of the wall sets in which their games differ at all; None if nothing tells."""

    a: str
    b: str
    rank: Interval
    points: Interval
    expected: float | None = None
    divergent: float | None = None

    @property
    def beyond(self) -> Interval | None:
        """By how many ranks more than expected `a` is ahead of `b`; None if nothing is expected. The interval is that
        of the difference, which is a little too wide."""
        return None if self.expected is None else Interval(self.expected - self.rank.mean, self.rank.half)


class OnTime(msgspec.Struct, frozen=True):
    """What is left of a match without the wall sets in which a player lost answers to the clock: `hanchan` of its
    hanchan had such a player, in `lost` wall sets. `names` are the players from the best down and `pairs` their
    differences in the `sets` others; both are empty if there are none."""

    hanchan: int
    lost: int
    sets: int
    names: tuple[str, ...]
    pairs: tuple[Pair, ...]


class WithoutLuck(msgspec.Struct, frozen=True):
    """The mean rank and points of one player, plain and with luck taken out."""

    name: str
    rank: Interval
    rank_adjusted: Interval
    points: Interval
    points_adjusted: Interval

    @property
    def both(self) -> Sequence[tuple[Interval, Interval]]:
        """Rank and points, each plain and with luck taken out."""
        return (self.rank, self.rank_adjusted), (self.points, self.points_adjusted)


class LuckFigures(msgspec.Struct, frozen=True):
    """All players of a match, and the differences of every two, with luck taken out. `learned`: by the value function
    that was learned, not by rough sums. `why` says why there is nothing. See `adjusted`."""

    FEWEST: ClassVar = 30
    """Below this number of sets nothing is taken out: too few to fit factors."""

    sets: int
    players: tuple[WithoutLuck, ...]
    pairs: tuple[Pair, ...]
    learned: bool = False
    why: str = ""

    @property
    def known(self) -> bool:
        """Whether luck was taken out."""
        return self.sets >= self.FEWEST


class Figures(msgspec.Struct, frozen=True):
    """All figures of a match that do not depend on the clock. `void` counts hanchan without a result; `looks` says how
    often somebody may have looked, which its intervals allow for; `points_by_rank` is the list of `rank_pt`. `on_time`
    is there if a player lost answers to the clock, `luck` if that was asked for."""

    sets: int
    games: int
    void: int
    players: tuple[PlayerFigures, ...]
    pairs: tuple[Pair, ...]
    void_reasons: tuple[str, ...] = ()
    looks: Looks = Looks.ONCE
    points_by_rank: tuple[float, ...] = ()
    on_time: OnTime | msgspec.UnsetType = msgspec.UNSET
    luck: LuckFigures | msgspec.UnsetType = msgspec.UNSET

    @property
    def best_first(self) -> Sequence[PlayerFigures]:
        """The players from the best mean rank down; of equal ones the one with more points comes first."""
        return sorted(self.players, key=lambda player: (player.rank.mean, -player.points.mean))

    @property
    def legend(self) -> str:
        """What ± means in these figures."""
        shown = (interval for player in self.players for interval in (player.rank, player.points))
        return legend("wall sets", shown, self.looks)


def legend(sets: str, shown: Iterable[Interval], looks: Looks = Looks.ONCE) -> str:
    """Explain ± in a table of these intervals, whose unit is `sets`; explain – as well if an interval has no width."""
    none = f"; – stands where there is none: fewer than {looks.fewest} {sets}, or all with the same result"
    told = f"± is half of the 95 % interval by {sets}{looks.said}"
    return told if all(one.known for one in shown) else told + none


def interval(
    values: Sequence[float], weights: Sequence[float], looks: Looks = Looks.ONCE, farthest: float = 0.0
) -> Interval:
    """Return mean and interval of the ratio of the sums `values` to the counts `weights`, one of each per independent
    set.

    `farthest`: the largest distance of a set from its expectation; 0 if unknown.
    """
    sets, games = len(values), math.fsum(weights)
    mean = _clean(math.fsum(values) / games)
    away = (value - mean * weight for value, weight in zip(values, weights, strict=True))
    spread = math.fsum(one**2 for one in away) / (games / sets) ** 2
    return Interval(mean, _root(squared_half(looks, sets, spread, farthest)))


class Mean:
    """Running mean and spread (sum of squared distances from the mean) in constant memory, by Welford's algorithm."""

    def __init__(self) -> None:
        self.count = 0
        self.mean = self.spread = 0.0

    def add(self, value: float) -> None:
        """Add a number."""
        self.count += 1
        away = value - self.mean
        self.mean += away / self.count
        self.spread += away * (value - self.mean)

    @property
    def interval(self) -> Interval:
        """The interval for one look at the end, each number being a set of its own. There must be at least one."""
        return self.seen(Looks.ONCE)

    def seen(self, looks: Looks, farthest: float = 0.0, arms: int = 1) -> Interval:
        """Return the interval that allows for `looks` and for `arms` means looked at together: see `squared_half`."""
        return Interval(_clean(self.mean), _root(squared_half(looks, self.count, self.spread, farthest, arms)))


def _clean(mean: float) -> float:
    return round(mean, 12) + 0.0  # no -0.0, and no rounding noise


def _root(square: float | None) -> float | None:
    """The half-width; 0 where all sets came out alike, but for the rounding of their mean."""
    return None if square is None else root if (root := math.sqrt(square)) > _NOISE else 0.0


def sets_to_decide(difference: Interval, sets: int, looks: Looks = Looks.ONCE) -> int | None:
    """Return the total number of sets after which the interval of a difference, found in `sets`, excludes zero if mean
    and spread stay the same. None if that is never, as where all sets came out alike, or beyond `FARTHEST`."""
    if not difference.known or not difference.mean:
        return None
    spread = (difference.half or 0.0) / _share(sets, looks)
    found = bisect_left(
        range(FARTHEST), True, lo=looks.fewest, key=lambda number: _share(number, looks) * spread < abs(difference.mean)
    )
    return found if found < FARTHEST else None


def _share(sets: int, looks: Looks) -> float:
    """Return the half-width after that many sets, in standard deviations of a set."""
    found = multiple(looks, sets)
    return math.inf if found is None else math.sqrt(found * (sets - 1) / sets)
