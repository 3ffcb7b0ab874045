"""How strong bots are (Plackett-Luce, with intervals by wall sets), and the next tables that tell most about it."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from jantaku.table.arena.match.figures.statistics import ERROR, Interval, student
from jantaku.table.riichi.pieces.seats import SEATS, THREE

# How strong bots are: the Plackett-Luce model fitted to everything they have played, with intervals by wall sets.
#
# A bot has a strength t. Of the bots that a hanchan has not ranked yet, each is next with a chance proportional to
# exp(t). So i ends before j with the chance 1 / (1 + exp(t_j - t_i)), whoever else plays. Strengths are the mode of
# their posterior, with a normal prior that is wide enough to matter no more after a few hanchan; the strength of an
# anchor is given.
#
# Hanchan of one wall set are not independent, so the curvature of the likelihood alone gives wrong intervals. The
# spread of the scores by wall set gives right ones (the sandwich estimator of Huber and White), but is uncertain if a
# bot has played few sets. Its variance is therefore shrunk towards that of the curvature, scaled by the scatter of
# sets over the whole league, with the weight of `BORROWED` further sets (moderated variances, Smyth 2004).

SCALE: Final = 400 / math.log(10)
"""Rating points per unit of strength: as in chess, 400 points are odds of 10 to 1."""
MIDDLE: Final = 1500.0
"""The mean rating of a league without anchors."""
PRIOR: Final = 2.0
"""Standard deviation of the prior of strengths."""
BORROWED: Final = 12
SETTLED: Final = 10
"""Weight, in wall sets, of the prior belief that the hanchan of a set are independent."""
_CLOSE: Final = 1e-10
_STEPS: Final = 60

Reals = NDArray[np.float64]
Whole = NDArray[np.int64]


class Strengths:
    """The fitted strengths of bots 0, 1, …; see `fitted`."""

    def __init__(self, strength: Reals, belief: Reals, sandwich: Reals, sets: Whole, scatter: float) -> None:
        self.strength, self.belief, self.scatter = strength, belief, scatter
        """Strengths, their covariance by the curvature, and the scatter of wall sets (1: like independent hanchan)."""
        self.sets = sets
        """Number of wall sets that each bot has played."""
        self._sandwich = sandwich

    def rating(self, bot: int) -> Interval:
        """Return a bot's rating in points with the 95 % interval. Without anchors it is relative to the mean of all
        bots that have played."""
        one = np.zeros(len(self.strength))
        one[bot] = 1.0
        return Interval(MIDDLE + SCALE * float(self.strength[bot]), self._half(one, int(self.sets[bot])))

    def lead(self, bot: int, other: int) -> Interval:
        """Return by how many points a bot is ahead of another."""
        both = np.zeros(len(self.strength))
        both[bot], both[other] = 1.0, -1.0
        ahead = SCALE * float(self.strength[bot] - self.strength[other])
        return Interval(ahead, self._half(both, int(min(self.sets[bot], self.sets[other]))))

    def likely(self, order: Sequence[int]) -> float:
        """Return the chance that these bots end in this order."""
        left = np.exp(self.strength[list(order)])
        return float(np.prod([left[place] / left[place:].sum() for place in range(len(left))]))

    def _half(self, contrast: Reals, sets: int) -> float | None:
        if not sets:
            return None
        spread = sets * float(contrast @ self._sandwich @ contrast) + BORROWED * float(
            contrast @ self.belief @ contrast
        )
        quantile = student(sets + BORROWED - 1, ERROR / 2)
        return SCALE * quantile * math.sqrt(max(spread, 0.0) / (sets + BORROWED))


def fitted(orders: Whole, sets: Whole, bots: int, anchors: Mapping[int, float] | None = None) -> Strengths:
    """Fit the strengths of `bots` bots.

    `orders`: one row per hanchan, its bots from the first rank to the last. `sets`: the wall set of each row, any
    numbers. `anchors`: ratings of bots whose strength is given.
    """
    fixed = {bot: (rating - MIDDLE) / SCALE for bot, rating in (anchors or {}).items()}
    strength = np.zeros(bots)
    strength[list(fixed)] = list(fixed.values())
    free = np.array([bot for bot in range(bots) if bot not in fixed], dtype=np.int64)
    strength, scores, curvature = _mode(strength, free, orders)
    names, sets = np.unique(sets, return_inverse=True)
    by_set = _summed(sets[:, None] * bots + orders, scores, len(names) * bots).reshape(len(names), bots)[:, free]
    played = np.bincount(np.unique(sets[:, None] * bots + orders) % bots, minlength=bots)
    known = curvature[np.ix_(free, free)]
    inverse = np.linalg.inv(known + np.eye(len(free)) / PRIOR**2)
    spread = by_set.T @ by_set
    told = float(np.trace(inverse @ known))
    degrees = (orders.shape[1] - 1) * len(names)
    seen = float(np.trace(inverse @ spread)) / told * degrees / max(degrees - told, 1.0) if told else 1.0
    scatter = (len(names) * seen + SETTLED) / (len(names) + SETTLED)
    belief = np.linalg.inv(known / scatter + np.eye(len(free)) / PRIOR**2)
    widened = inverse @ spread @ inverse * (degrees / max(degrees - told, 1.0))
    centre = _centre(bots, free, played) if not fixed else np.eye(bots)[:, free]
    return Strengths(strength, centre @ belief @ centre.T, centre @ widened @ centre.T, played, scatter)


def _centre(bots: int, free: Whole, played: Whole) -> Reals:
    """Return the matrix that subtracts the mean of the bots that have played from every strength."""
    known = played > 0 if played.any() else np.ones(bots, bool)
    mean = known / known.sum()
    centred: Reals = (np.eye(bots) - mean[None, :])[:, free]
    return centred


def _mode(strength: Reals, free: Whole, orders: Whole) -> tuple[Reals, Reals, Reals]:
    """Find the mode of the posterior by Newton's method; a step that would lead downhill is halved until it does not.
    Return it with the score of every seat and the curvature."""
    bots = len(strength)
    height, scores, curvature = _likelihood(strength, orders)
    height -= float(strength[free] @ strength[free]) / (2 * PRIOR**2)
    for _ in range(_STEPS):
        slope = _summed(orders, scores, bots)[free] - strength[free] / PRIOR**2
        step = np.linalg.solve(curvature[np.ix_(free, free)] + np.eye(len(free)) / PRIOR**2, slope)
        if np.abs(step).max(initial=0.0) < _CLOSE:
            break
        for shorter in range(20):
            tried = strength.copy()
            tried[free] += step / 2**shorter
            there, scores, curvature = _likelihood(tried, orders)
            there -= float(tried[free] @ tried[free]) / (2 * PRIOR**2)
            if there >= height - 1e-9:
                break
        strength, height = tried, there
    return strength, scores, curvature


def _likelihood(strength: Reals, orders: Whole) -> tuple[float, Reals, Reals]:
    """Return the log likelihood, its gradient by hanchan and rank, and its negative curvature."""
    bots, seats = len(strength), orders.shape[1]
    weights = np.exp(strength[orders] - strength.max(initial=0.0))
    scores, height = np.zeros_like(weights), 0.0
    curvature = np.zeros((len(orders), seats, seats))
    for stage in range(seats - 1):
        shares = np.zeros_like(weights)
        shares[:, stage:] = weights[:, stage:] / weights[:, stage:].sum(axis=1, keepdims=True)
        height += float(np.log(shares[:, stage]).sum())
        scores[:, stage] += 1.0
        scores -= shares
        curvature -= shares[:, :, None] * shares[:, None, :]
        curvature[:, range(seats), range(seats)] += shares
    places = orders[:, :, None] * bots + orders[:, None, :]
    return height, scores, _summed(places, curvature, bots * bots).reshape(bots, bots)


def _summed(places: Whole, values: Reals, length: int) -> Any:
    return np.bincount(places.ravel(), values.ravel(), length)


def array_of(rows: Sequence[Sequence[int]], seats: int = SEATS) -> Whole:
    """Return the orders as an array for `fitted`, also if there are none."""
    return np.array(rows, dtype=np.int64).reshape(len(rows), seats)


# Chooses the next tables: those from which the league learns most about strengths.
#
# The most uncertain bot plays. It gets the opponents for which the model predicts the largest fall of the summed
# variances of all ratings (A-optimal design, greedily one table after another). So a new bot is placed in few
# hanchan, by opponents that are near and well known, and then plays as rarely as the others.

SHARE: Final = {SEATS: 23 / 36, THREE: 7 / 9}
"""By seats of a table: the information that a hanchan of equal bots gives about two of them, as a share of the
information from a game between these two alone."""
NEAREST: Final = 40
"""Number of opponents that are considered: the nearest in strength."""
_DIGITS: Final = 9
"""Gains that are equal after rounding to this count as equal: then the first table is taken, on every machine."""

Lineup = tuple[int, ...]


def next_tables(
    known: Strengths, pool: Sequence[int], planned: Sequence[Sequence[int]], count: int, seats: int = SEATS
) -> list[Lineup]:
    """Choose `count` tables of bots from the pool. `planned`: earlier tables that are still to be played, without
    results."""
    belief = known.belief.copy()
    for table in planned:
        belief = _after(belief, known, np.array(table))
    found: list[Lineup] = []
    for _ in range(count):
        table = _best(belief, known, pool, seats)
        belief = _after(belief, known, np.array(table))
        found.append(table)
    return found


def _best(belief: Reals, known: Strengths, pool: Sequence[int], seats: int) -> Lineup:
    first = max(pool, key=lambda bot: (round(float(belief[bot, bot]), _DIGITS), -bot))
    strength = known.strength
    others = sorted((bot for bot in pool if bot != first), key=lambda bot: (abs(strength[bot] - strength[first]), bot))
    tables = np.array([(first, *rest) for rest in combinations(sorted(others[:NEAREST]), seats - 1)])
    total = belief[:, list(pool)] @ belief[list(pool), :]
    information = _information(known, tables)
    rows, columns = tables[:, :, None], tables[:, None, :]
    learnt = np.linalg.solve(np.eye(seats) + information @ belief[rows, columns], information @ total[rows, columns])
    gains = np.round(np.trace(learnt, axis1=1, axis2=2), _DIGITS)
    return tuple(int(bot) for bot in tables[int(np.argmax(gains))])


def _after(belief: Reals, known: Strengths, table: Whole) -> Reals:
    """Return the predicted covariance after that table has played its wall set."""
    information = _information(known, table[None, :])[0]
    inside = belief[np.ix_(table, table)]
    learnt = np.linalg.solve(np.eye(len(table)) + information @ inside, information)
    after: Reals = belief - belief[:, table] @ learnt @ belief[table, :]
    return after


def _information(known: Strengths, tables: Whole) -> Reals:
    """Return the Fisher information that one wall set of each table (a hanchan per seat) gives about the strengths of
    its bots, as matrices. It shrinks with the scatter of sets."""
    strength, seats = known.strength[tables], tables.shape[1]
    ahead = 1 / (1 + np.exp(strength[:, None, :] - strength[:, :, None]))
    between: Reals = -SHARE[seats] * ahead * (1 - ahead) * seats / known.scatter
    between[:, range(seats), range(seats)] = 0.0
    between[:, range(seats), range(seats)] = -between.sum(axis=2)
    return between
