"""Who pays whom: pairs of players that stand out among all pairs, and by how much.

Two numbers are judged for each pair:

- how often one paid the other by ron, beside what both come to with everybody else: log(mean) = a of who pays + b of
  who wins, found from all other pairs by weighted least squares;
- how often it paid *again* in the same hanchan, n (n - 1) / 2 of n, in hanchan in which it won nothing itself, beside
  what so many rons come to if they fall into hanchan by chance, for this player with the others. Hanchan that are given
  away make this number large, and two styles that meet badly do not.

Honest pairs differ, because styles do: who folds to a riichi pays those who do not declare it. So a spread is allowed
besides that of chance (`_STYLES`, in logarithms), a large one for the first number. The pair that stands out most is
taken away before the others are judged, so that nobody seems to stand out because a neighbour did. One bound for all
pairs and both numbers: in a pool of honest players some pair is beyond it with a chance of 1 % at the most (Bonferroni;
`python -m scripts.fairplay` counts it).
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations
from pathlib import Path
from statistics import NormalDist
from typing import Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from jantaku.table.match.fair.dealings import Dealings

ERROR: Final = 0.01
"""The chance that anybody of an honest pool is named."""
FEWEST_PLAYERS: Final = 4
_FEWEST_HANCHAN: Final = 100
"""Hanchan that a pair has to have played together."""
_STYLES: Final = (0.35, 0.15)
"""By how much styles let pairs differ in either number: a logarithm's standard deviation."""
_LEAST: Final = 1.25
"""What is less than so many times the expectation is nobody's business."""
Numbers = npt.NDArray[np.float64]


class GivingPair(msgspec.Struct, frozen=True):
    """`giver` paid `taker` by ron so often in `hanchan`, and again in the same one, in those in which it won nothing,
    `repeats` times, where other pairs let expect less. `beyond` is by how many standard deviations the clearer of both
    is above that, `bound` the number above which a pair is named."""

    giver: str
    taker: str
    hanchan: int
    rons: int
    rons_expected: float
    repeats: int
    repeats_expected: float
    beyond: float
    bound: float
    named: bool
    worst: tuple[str, ...]
    """Records of the hanchan with the most."""


class _Cell(NamedTuple):
    """One number of one pair: its logarithm beside what is known of it, and the variance of that."""

    log: float
    variance: float


class _Met(NamedTuple):
    """The hanchan in which a pair met."""

    paths: list[Path]
    counts: list[int]
    """How often one paid the other in each."""
    won: list[bool]
    """Whether it won anything itself."""


def giving_pairs(played: Iterable[Dealings]) -> list[GivingPair]:
    """Every two players that met often enough, the clearest first; nothing of fewer than four players."""
    met = {pair: one for pair, one in _paid_by_pair(played).items() if len(one.counts) >= _FEWEST_HANCHAN}
    if len({name for pair in met for name in pair}) < FEWEST_PLAYERS:
        return []
    bound = -NormalDist().inv_cdf(ERROR / (len(met) * len(_STYLES)))
    paid = _judged_in_turn({pair: _rons(one) for pair, one in met.items()}, _two_sided, bound)
    again = _judged_in_turn({pair: _repeats(one) for pair, one in met.items()}, _by_giver, bound)
    found = [_pair(pair, one, (paid[pair], again[pair]), bound) for pair, one in met.items()]
    return sorted(found, key=lambda one: -one.beyond)


def _pair(pair: tuple[str, str], met: _Met, judged: Sequence["_Judged"], bound: float) -> GivingPair:
    counts = np.array(met.counts)
    totals = int(counts.sum()), int(_again(met).sum())
    expected = len(counts) * math.exp(judged[0].expected), _by_chance(met) * math.exp(judged[1].expected)
    large = [one.beyond for one, total, usual in zip(judged, totals, expected, strict=True) if total > _LEAST * usual]
    beyond = max(large, default=min(one.beyond for one in judged))
    worst = [str(met.paths[number]) for number in np.lexsort((-counts, -_again(met)))[:3]]
    (rons, repeats), (rons_usual, repeats_usual) = totals, expected
    named = bool(large) and beyond > bound
    return GivingPair(*pair, len(counts), rons, rons_usual, repeats, repeats_usual, beyond, bound, named, tuple(worst))


def _paid_by_pair(played: Iterable[Dealings]) -> dict[tuple[str, str], _Met]:
    """By who pays and who wins: the hanchan that both sat in."""
    found: dict[tuple[str, str], _Met] = {}
    for one in played:
        sums, won = Counter[tuple[str, str]](), Counter[str]()
        for name, conduct in zip(one.players, one.conduct, strict=True):
            won[name] += conduct.wins
        for a, b in permutations(range(len(one.players)), 2):
            if one.players[a] != one.players[b]:
                sums[one.players[a], one.players[b]] += one.paid[a][b]
        for pair, number in sums.items():
            met = found.setdefault(pair, _Met([], [], []))
            met.paths.append(one.path)
            met.counts.append(number)
            met.won.append(won[pair[0]] > 0)
    return found


def _rons(met: _Met) -> _Cell:
    """Rons a hanchan."""
    counts = np.array(met.counts, float)
    events = float(counts.sum()) + 0.5
    return _Cell(math.log(events / len(counts)), (float((counts**2).sum()) + 0.5) / events**2)


def _by_chance(met: _Met) -> float:
    """How often the rons of a pair would fall into the same hanchan, all hanchan being alike."""
    return (sum(met.counts) ** 2 + 1) / (2 * len(met.counts))


def _again(met: _Met) -> Numbers:
    """By hanchan, how often it was once more, in those without a win of its own."""
    counts = np.array(met.counts, float)
    return np.where(met.won, 0.0, counts * (counts - 1) / 2)


def _repeats(met: _Met) -> _Cell:
    """Repeated rons for each that chance would make."""
    again = _again(met)
    events = float(again.sum()) + 0.5
    return _Cell(math.log(events / (_by_chance(met) + 0.5)), (float((again**2).sum()) + 0.5) / events**2)


class _Judged(NamedTuple):
    """What the other pairs let expect of a logarithm, and by how many standard deviations it is larger."""

    expected: float
    beyond: float


_Pairs = Sequence[tuple[str, str]]


def _two_sided(pairs: _Pairs) -> tuple[Numbers, float]:
    """A number for who pays, and one for who wins, with the spread that styles have beside them."""
    place = {name: number for number, name in enumerate(sorted({name for pair in pairs for name in pair}))}
    design = np.zeros((len(pairs), 2 * len(place)))
    for row, (giver, taker) in enumerate(pairs):
        design[row, place[giver]] = design[row, len(place) + place[taker]] = 1.0
    return design, _STYLES[0]


def _by_giver(pairs: _Pairs) -> tuple[Numbers, float]:
    """A number for who pays."""
    place = {name: number for number, name in enumerate(sorted({giver for giver, _ in pairs}))}
    design = np.zeros((len(pairs), len(place)))
    for row, (giver, _) in enumerate(pairs):
        design[row, place[giver]] = 1.0
    return design, _STYLES[1]


def _judged_in_turn(
    cells: Mapping[tuple[str, str], _Cell], model: Callable[[_Pairs], tuple[Numbers, float]], bound: float
) -> dict[tuple[str, str], _Judged]:
    """Every pair beside the others, without those that stand out more."""
    left, found = dict(cells), dict[tuple[str, str], _Judged]()
    while True:
        judged = _judged(left, *model(list(left)))
        highest = max(judged, key=lambda pair: judged[pair].beyond)
        if judged[highest].beyond <= bound or len(found) >= len(cells) // 4:
            return judged | found
        found[highest] = judged[highest]
        del left[highest]


def _judged(cells: Mapping[tuple[str, str], _Cell], design: Numbers, style: float) -> dict[tuple[str, str], _Judged]:
    """Every pair beside all others."""
    logs = np.array([cell.log for cell in cells.values()])
    roots = np.sqrt(np.array([cell.variance for cell in cells.values()]) + style**2)
    scaled, wanted = design / roots[:, None], logs / roots
    hat = scaled @ np.linalg.pinv(scaled)
    rest = np.maximum(1 - np.diag(hat), 1e-9)
    away = (wanted - hat @ wanted) / rest  # from the fit without it, in its own standard deviations
    beyond = np.where(rest > 1e-6, away * np.sqrt(rest), 0.0)  # else nothing tells of it but itself
    expected = logs - away * roots
    return {pair: _Judged(float(e), float(b)) for pair, e, b in zip(cells, expected, beyond, strict=True)}
