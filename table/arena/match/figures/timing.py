"""Decision times of the players of a match."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from jantaku.table.arena.match.figures.summary import TimeLine


class Timing(msgspec.Struct, frozen=True):
    """How long a player took for its answers, in seconds. `counts` are questions by time, rounded to two digits."""

    name: str
    questions: int
    mean: float
    median: float
    p99: float
    longest: float
    counts: dict[str, int]


class Spent:
    """Collects decision times, hanchan after hanchan, and summarises them by player."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[str]] = {}
        self._totals: dict[str, float] = {}

    def add(self, line: TimeLine) -> None:
        """Add the times of one hanchan."""
        for name, times in zip(line.players, line.times, strict=True):
            self._counts.setdefault(name, Counter()).update(times.counts)
            self._totals[name] = self._totals.get(name, 0.0) + times.total

    def timings(self, names: Iterable[str]) -> tuple[Timing, ...]:
        """The times of every player in `names` that was asked at least once."""
        return tuple(_of(name, self._counts[name], self._totals[name]) for name in names if self._counts.get(name))


def timing(lines: Iterable[TimeLine], names: Iterable[str]) -> tuple[Timing, ...]:
    """Summarise the times of these hanchan."""
    spent = Spent()
    for line in lines:
        spent.add(line)
    return spent.timings(names)


def _of(name: str, counts: Counter[str], total: float) -> Timing:
    by_time = sorted((float(key), count) for key, count in counts.items())
    questions = counts.total()
    return Timing(
        name=name,
        questions=questions,
        mean=total / questions,
        median=_quantile(by_time, questions, 0.5),
        p99=_quantile(by_time, questions, 0.99),
        longest=by_time[-1][0],
        counts={key: counts[key] for key in sorted(counts, key=float)},
    )


def _quantile(by_time: Sequence[tuple[float, int]], questions: int, share: float) -> float:
    """Return the least time within which that share of the questions was answered."""
    seen = 0
    for time, count in by_time:
        seen += count
        if seen >= share * questions:
            return time
    return by_time[-1][0]


def seconds(value: float) -> str:
    """A time for people: `1.2 ms`."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value * 1e6:.3g} µs"
