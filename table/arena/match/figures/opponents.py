"""How two players meet: in which share of the wall sets their games differ, and which difference is expected of them.

Two games are the same if exchanging the two players changes nothing in them. A repeatable bot plays all wall sets alike
against itself, and two versions that rarely differ play most of them alike.

The expected difference is that of two strengths, which are fitted by least squares to the differences of all pairs. A
pair weighs as much as it has games.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations

Two = tuple[str, str]
CLOSE = 1e-18
"""The search for strengths ends when the squared residuals add up to less."""


class Divergence:
    """Counts wall sets for every two players: those in which games of the two can be compared, and among them those in
    which some games differ. The games of a set come one after another."""

    def __init__(self) -> None:
        self._compared, self._differing = Counter[Two](), Counter[Two]()
        self._set = -1
        self._prints: dict[tuple[Two, tuple[str, ...]], str] = {}
        """Of the current set: the digest of the first game by the two players and what the others sit on."""
        self._alike: dict[Two, bool] = {}
        """Of the current set: whether all games that can be compared are the same so far."""

    def add(self, number: int, players: Sequence[str], digest: str) -> None:
        """Add a game of set `number`; `digest` is that of everything that happened in it."""
        if number != self._set:
            self._set, self._prints, self._alike = number, {}, {}
        for two in combinations(sorted(set(players)), 2):
            seats = tuple("" if name in two else name for name in players)
            first = self._prints.setdefault((two, seats), "")
            if not first:
                self._prints[two, seats] = digest
                continue
            self._compared[two] += two not in self._alike
            self._differing[two] += self._alike.get(two, True) and first != digest
            self._alike[two] = self._alike.get(two, True) and first == digest

    def shares(self) -> Mapping[Two, float]:
        """Return the share of differing sets by the two names in their order; pairs without comparable games are left
        out."""
        return {two: self._differing[two] / count for two, count in self._compared.items()}


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
