"""How two players meet: in which share of the wall sets their games differ at all, and what their results against
everybody let expect of their difference.

Bots that differ rarely play most wall sets alike, and a repeatable bot beside itself plays all of them alike. Games are
the same if everything in them is, with the two players exchanged.

Expected is the difference of two strengths. The strengths are fitted by least squares to the differences of all pairs,
each weighted by its number of games.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

Two = tuple[str, str]
CLOSE = 1e-18
"""The search for strengths ends where the squares of what is left add up to less."""


class Divergence:
    """Counts, for every two players, the wall sets in which some of their games can be compared, and those of them in
    which some differ. Games of a set come one after another."""

    def __init__(self) -> None:
        self._compared, self._differing = Counter[Two](), Counter[Two]()
        self._set = -1
        self._prints: dict[tuple[Two, tuple[str, ...]], str] = {}
        self._alike: dict[Two, bool] = {}
        """Of the current set: whether all comparable games of two players are the same."""

    def add(self, number: int, players: Sequence[str], digest: str) -> None:
        """Add a game of set `number`. `digest`: of all that happened in it."""
        if number != self._set:
            self._compared, self._differing = self._counts()
            self._set, self._prints, self._alike = number, {}, {}
        for two in combinations(sorted(set(players)), 2):
            seats = tuple("" if name in two else name for name in players)
            if first := self._prints.setdefault((two, seats), ""):
                self._alike[two] = self._alike.get(two, True) and first == digest
            else:
                self._prints[two, seats] = digest

    def shares(self) -> Mapping[Two, float]:
        """Return, by the two names in their order, the share of the sets that could be compared in which games
        differ."""
        compared, differing = self._counts()
        return {two: differing[two] / count for two, count in compared.items()}

    def _counts(self) -> tuple[Counter[Two], Counter[Two]]:
        differing = [two for two, alike in self._alike.items() if not alike]
        return self._compared + Counter(self._alike.keys()), self._differing + Counter(differing)


def strengths(differences: Mapping[Two, tuple[float, int]]) -> Mapping[str, float]:
    """Fit strengths to differences, given with their number of games, by conjugate gradients. Players that never met,
    not even by way of others, have strengths that cannot be compared."""
    games: dict[str, dict[str, int]] = defaultdict(dict)
    left: dict[str, float] = defaultdict(float)
    for (a, b), (difference, count) in differences.items():
        games[a][b] = games[b][a] = count
        left[a] += count * difference
        left[b] -= count * difference
    found = dict.fromkeys(left, 0.0)
    step, square = dict(left), _square(left)
    for _ in games:
        if square < CLOSE:
            break
        pushed = {a: sum(n * (step[a] - step[b]) for b, n in others.items()) for a, others in games.items()}
        length = square / sum(step[name] * push for name, push in pushed.items())
        for name, push in pushed.items():
            found[name] += length * step[name]
            left[name] -= length * push
        before, square = square, _square(left)
        step = {name: left[name] + square / before * step[name] for name in left}
    return found


def _square(values: Mapping[str, float]) -> float:
    return math.fsum(value**2 for value in values.values())
