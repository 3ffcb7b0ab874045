"""Sums up the hanchan of a match one after another.

It keeps sums by wall set, never the hanchan, so that memory hardly grows with the match.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import accumulate, combinations, zip_longest

import msgspec

from jantaku.table.arena.match.figures.adjusted import LuckTally
from jantaku.table.arena.match.figures.looks import Looks
from jantaku.table.arena.match.figures.opponents import Divergence, strengths
from jantaku.table.arena.match.figures.statistics import (
    Figures,
    Interval,
    OnTime,
    Pair,
    PlayerFigures,
    interval,
)
from jantaku.table.arena.match.figures.summary import DEFECT, Counts, HanchanSummary, is_bad
from jantaku.table.arena.match.figures.units import rank_pt, stable_dan
from jantaku.table.arena.match.ranklists import USUAL, rank_points
from jantaku.table.judge.faults import OUT_OF_TIME

USUAL_POINTS = rank_points(USUAL)
REASONS = 5
"""At most this many different reasons of hanchan without a result are listed."""


class SetSums:
    """Sums of a value over the hanchan of each wall set, and their numbers. Sets are numbered in the order of their
    first hanchan. Its intervals allow for `looks`."""

    def __init__(self, looks: Looks = Looks.ONCE) -> None:
        self._looks, self._farthest = looks, 0.0
        self._sums, self._counts = array("d"), array("q")

    def add(self, number: int, value: float, farthest: float = 0.0) -> None:
        """Add one hanchan of set `number`. `farthest`: the largest distance of its value from the expected one; 0 if
        unknown."""
        self._farthest = max(self._farthest, farthest)
        missing = number + 1 - len(self._sums)
        if missing > 0:
            self._sums.extend([0.0] * missing)
            self._counts.extend([0] * missing)
        self._sums[number] += value
        self._counts[number] += 1

    @property
    def interval(self) -> Interval:
        """The interval of the mean over all hanchan; there must be at least one."""
        sums, counts = self._used()
        return self._interval(sums, counts)

    def without(self, left_out: Set[int]) -> "SetSums":
        """Return the sums without the sets of these numbers."""
        rest = SetSums(self._looks)
        rest._farthest = self._farthest
        for number, (total, count) in enumerate(zip(self._sums, self._counts, strict=True)):
            kept = number not in left_out
            rest._sums.append(total if kept else 0.0)
            rest._counts.append(count if kept else 0)
        return rest

    def __bool__(self) -> bool:
        return any(self._counts)

    @property
    def games(self) -> int:
        """Number of hanchan."""
        return sum(self._counts)

    def course(self, stops: int) -> tuple[list[int], list[Interval]]:
        """Return intervals after growing numbers of sets, at most `stops` of them, and the numbers of hanchan played by
        then."""
        sums, counts = self._used()
        last, played = len(sums), list(accumulate(counts))
        parts = min(last, stops)
        found = sorted({round(1 + (last - 1) * part / max(parts - 1, 1)) for part in range(parts)} | {last})
        return [played[stop - 1] for stop in found], [self._interval(sums[:stop], counts[:stop]) for stop in found]

    def _interval(self, sums: Sequence[float], counts: Sequence[float]) -> Interval:
        return interval(sums, counts, self._looks, self._farthest)

    def _used(self) -> tuple[list[float], list[int]]:
        used = [(total, count) for total, count in zip(self._sums, self._counts, strict=True) if count]
        return [total for total, _ in used], [count for _, count in used]


class RankCounts:
    """How often a player came first, second, …, by wall set."""

    def __init__(self) -> None:
        self._counts: list[array[int]] = []

    def add(self, number: int, rank: int) -> None:
        """Add a seat of set `number`."""
        self._counts += [array("q") for _ in range(rank - len(self._counts))]
        counts = self._counts[rank - 1]
        counts.extend([0] * (number + 1 - len(counts)))
        counts[number] += 1

    def by_set(self, places: int) -> Sequence[Sequence[int]]:
        """For each set in which the player sat, how often it came first, second, … of `places`."""
        columns = zip_longest(*self._counts, *([()] * (places - len(self._counts))), fillvalue=0)
        return [row for row in columns if any(row)]


class PlayerSums:
    """The running figures of one player over all its seats. `points_by_rank`: the list of its rank points."""

    def __init__(self, looks: Looks = Looks.ONCE, points_by_rank: Sequence[float] = USUAL_POINTS) -> None:
        self._looks, self._points_by_rank, self._counts = looks, points_by_rank, RankCounts()
        self.seats = self.faulty = 0
        self.rank, self.points = SetSums(looks), SetSums(looks)
        self.ranks: Counter[int] = Counter()
        self._last = 0
        """The worst possible rank: the number of places of a table."""
        self.done: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()

    def take(self, line: HanchanSummary, number: int, places: Sequence[int]) -> None:
        """Add a hanchan with a result in which the player sat at these places."""
        self.seats += len(places)
        self._last = max(self._last, len(line.ranks))
        self.rank.add(number, _mean(line.ranks, places), (len(line.ranks) - len(places)) / 2)  # all first, or all last
        self.points.add(number, _mean(line.points, places))
        for place in places:
            self.faulty += any(is_bad(word) for word in line.faults[place])
            self.ranks[line.ranks[place]] += 1
            self._counts.add(number, line.ranks[place])
            for name in Counts.__struct_fields__:
                self.done[name] += getattr(line.counts[place], name)

    def figures(self, name: str) -> PlayerFigures:
        """Compute the player's figures. At least one of its hanchan must have a result."""
        done, points, counts = self.done, self._points_by_rank, self._counts.by_set(self._last)
        return PlayerFigures(
            name=name,
            seats=self.seats,
            rank=self.rank.interval,
            points=self.points.interval,
            ranks=tuple(self.ranks[rank] / self.seats for rank in range(1, self._last + 1)),
            win_rate=_ratio(done["wins"], done["kyoku"]),
            tsumo_share=_ratio(done["tsumo"], done["wins"]),
            win_value=_ratio(done["win_points"], done["wins"]),
            deal_in_rate=_ratio(done["deal_ins"], done["kyoku"]),
            deal_in_value=_ratio(done["deal_in_points"], done["deal_ins"]),
            riichi_rate=_ratio(done["riichi"], done["kyoku"]),
            call_rate=_ratio(done["called"], done["kyoku"]),
            faults=dict(sorted(self.faults.items())),
            faulty=self.faulty,
            rank_pt=rank_pt(counts, points, self._looks) if len(points) == self._last else None,
            stable_dan=stable_dan(counts, looks=self._looks),
        )


class PairSums:
    """Sums of the differences of every two players in games that both sat in."""

    def __init__(self, looks: Looks = Looks.ONCE) -> None:
        self._looks = looks
        self._sums: dict[tuple[str, str], tuple[SetSums, SetSums]] = {}

    def add(self, number: int, players: Sequence[str], ranks: Sequence[float], points: Sequence[float]) -> None:
        """Add a game of set `number`; ranks and points are by place."""
        own = places_of(players)
        for a, b in combinations(sorted(own), 2):
            if (a, b) not in self._sums:
                self._sums[a, b] = SetSums(self._looks), SetSums(self._looks)
            farthest = len(ranks) - (len(own[a]) + len(own[b])) / 2  # `a` on the first places, `b` on the last
            for sums, values, far in zip(self._sums[a, b], (ranks, points), (farthest, 0.0), strict=True):
                sums.add(number, _mean(values, own[a]) - _mean(values, own[b]), far)

    def figures(self, names: Iterable[str], left_out: Set[int] = frozenset()) -> tuple[Pair, ...]:
        """Compute the differences of all pairs of `names` that have met, without the sets of these numbers."""
        pairs = [(a, b, found) for a, b in combinations(names, 2) if (found := self._between(a, b, left_out))]
        told = {(a, b): (found[0].mean, self._sums[min(a, b), max(a, b)][0].games) for a, b, found in pairs}
        fitted = strengths(told) if len(pairs) > 1 else None
        return tuple(
            Pair(a, b, *found, expected=None if fitted is None else round(fitted[a] - fitted[b], 12))
            for a, b, found in pairs
        )

    def _between(self, a: str, b: str, left_out: Set[int]) -> tuple[Interval, Interval] | None:
        """Return the intervals of the differences of rank and points; None if the two have not met."""
        rank, points = self._sums.get((min(a, b), max(a, b)), (SetSums(), SetSums()))
        if left_out:
            rank, points = rank.without(left_out), points.without(left_out)
        if not rank:
            return None
        found = rank.interval, points.interval
        return found if a < b else (found[0].reversed, found[1].reversed)


class MatchTally:
    """Computes the figures of hanchan added in the order of their match. Players stand in the order in which `expect`
    or a hanchan named them first. `looks`: how often somebody looked while they were played. `points_by_rank`: the list
    of their rank points."""

    def __init__(
        self,
        names: Iterable[str] = (),
        looks: Looks = Looks.ONCE,
        points_by_rank: Sequence[float] = USUAL_POINTS,
    ) -> None:
        self._looks, self._points_by_rank = looks, points_by_rank
        self.games = self.void = 0
        """`games` counts the hanchan with a result, `void` the others."""
        self.defects = 0
        """How many of the void hanchan were stopped by a defect of jantaku."""
        self._players: dict[str, PlayerSums] = {}
        self._pairs, self._divergence = PairSums(looks), Divergence()
        self._luck: LuckTally | None = None
        """There once a hanchan tells of luck, or should have."""
        self._sets: dict[tuple[str, int], int] = {}
        self._reasons: list[str] = []
        self._lost, self._lost_hanchan = set[int](), 0
        """The wall sets, and the number of hanchan, in which a player lost answers to the clock."""
        self.expect(names)

    @property
    def names(self) -> list[str]:
        """All players named so far."""
        return list(self._players)

    @property
    def points(self) -> dict[str, SetSums]:
        """The points of every player that has a result."""
        return {name: player.points for name, player in self._players.items() if player.seats}

    def expect(self, names: Iterable[str]) -> None:
        """Name players of the match before their first hanchan."""
        for name in names:
            self._players.setdefault(name, PlayerSums(self._looks, self._points_by_rank))

    def add(self, line: HanchanSummary) -> None:
        """Add the next hanchan."""
        self.expect(line.players)
        for name, faults in zip(line.players, line.faults, strict=True):
            self._players[name].faults.update(faults)
        if not line.ended:
            self.void += 1
            self.defects += line.reason.startswith(DEFECT)
            self._reasons = sorted({*self._reasons, line.reason})[:REASONS]
            return
        self.games += 1
        number = self._sets.setdefault((line.seed, line.set), len(self._sets))
        places = places_of(line.players)
        for name, own in places.items():
            self._players[name].take(line, number, own)
        if line.luck is not msgspec.UNSET:
            self._luck = self._luck or LuckTally(self._looks)
            self._luck.add(number, line, line.luck, places)
        self._pairs.add(number, line.players, line.ranks, line.points)
        self._divergence.add(number, line.players, line.print)
        if any(word in OUT_OF_TIME for faults in line.faults for word in faults):
            self._lost.add(number)
            self._lost_hanchan += 1

    def figures(self) -> Figures:
        """Compute the figures. At least one hanchan must have a result."""
        playing = [(name, player) for name, player in self._players.items() if player.seats]
        return Figures(
            sets=len(self._sets),
            games=self.games,
            void=self.void,
            players=tuple(player.figures(name) for name, player in playing),
            pairs=tuple(self._with_divergence(self._pairs.figures(name for name, _ in playing))),
            void_reasons=tuple(self._reasons),
            looks=self._looks,
            points_by_rank=tuple(self._points_by_rank),
            on_time=self._on_time() if self._lost else msgspec.UNSET,
            luck=msgspec.UNSET if self._luck is None else self._luck.figures(self._players),
        )

    @property
    def no_luck(self) -> str:
        """Why luck is not told; empty if it is, or was not asked for."""
        return "" if self._luck is None else self._luck.why

    def refuse_luck(self, why: str) -> None:
        self._luck = self._luck or LuckTally(self._looks)
        self._luck.why = why

    def _with_divergence(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        shares = self._divergence.shares()
        for pair in pairs:
            share = shares.get((min(pair.a, pair.b), max(pair.a, pair.b)))
            yield pair if share is None else msgspec.structs.replace(pair, divergent=share)

    def _on_time(self) -> OnTime:
        """What is left without the sets in which a player lost answers to the clock."""
        left = {
            name: (rank.interval.mean, -player.points.without(self._lost).interval.mean)
            for name, player in self._players.items()
            if (rank := player.rank.without(self._lost))
        }
        names = tuple(sorted(left, key=left.__getitem__))
        lost, sets = len(self._lost), len(self._sets)
        return OnTime(self._lost_hanchan, lost, sets - lost, names, self._pairs.figures(names, self._lost))


def mean_of(line: HanchanSummary, name: str, values: Sequence[float]) -> float | None:
    """Return the mean of `values`, given by place, over the seats of player `name`; None if it did not sit there or
    `values` is empty."""
    places = places_of(line.players).get(name)
    return _mean(values, places) if places and values else None


def places_of(players: Sequence[str]) -> dict[str, list[int]]:
    """Return the places of each player; a player may hold several."""
    places: dict[str, list[int]] = {}
    for place, name in enumerate(players):
        places.setdefault(name, []).append(place)
    return places


def _mean(values: Sequence[float], places: Sequence[int]) -> float:
    return sum(values[place] for place in places) / len(places)


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
