"""Which four bots sit down next: those of whose strengths one most learns there.

The most uncertain bot plays. With it sit those three of whom the model says that the sum of the variances of all
ratings falls most (an A-optimal design, chosen one table after another). So a new bot is placed with few hanchan, by
opponents that are near and well known, and then its turn comes as rarely as everybody's.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np

from table.league.strength import Reals, Strengths, Whole
from table.match.plan.formats import SEATS

SHARE: Final = 23 / 36
"""What a hanchan of four equal bots says of two of them, as a part of what a game of these two alone would say."""
NEAREST: Final = 40
"""Opponents that are considered: the nearest in strength."""
_DIGITS: Final = 9
"""Gains that are equal but for rounding are equal: the first table is taken, on every machine."""

Lineup = tuple[int, int, int, int]


def next_tables(known: Strengths, pool: Sequence[int], planned: Sequence[Sequence[int]], count: int) -> list[Lineup]:
    """So many tables of bots of the pool. `planned`: tables that are to be played before, of which nothing is known."""
    belief = known.belief.copy()
    for table in planned:
        belief = _after(belief, known, np.array(table))
    found: list[Lineup] = []
    for _ in range(count):
        table = _best(belief, known, pool)
        belief = _after(belief, known, np.array(table))
        found.append(table)
    return found


def _best(belief: Reals, known: Strengths, pool: Sequence[int]) -> Lineup:
    first = max(pool, key=lambda bot: (round(float(belief[bot, bot]), _DIGITS), -bot))
    strength = known.strength
    others = sorted((bot for bot in pool if bot != first), key=lambda bot: (abs(strength[bot] - strength[first]), bot))
    tables = np.array([(first, *three) for three in combinations(sorted(others[:NEAREST]), SEATS - 1)])
    total = belief[:, list(pool)] @ belief[list(pool), :]
    information = _information(known, tables)
    rows, columns = tables[:, :, None], tables[:, None, :]
    learnt = np.linalg.solve(np.eye(SEATS) + information @ belief[rows, columns], information @ total[rows, columns])
    gains = np.round(np.trace(learnt, axis1=1, axis2=2), _DIGITS)
    a, b, c, d = (int(bot) for bot in tables[int(np.argmax(gains))])
    return a, b, c, d


def _after(belief: Reals, known: Strengths, table: Whole) -> Reals:
    """What will be believed when that table has played its set."""
    information = _information(known, table[None, :])[0]
    inside = belief[np.ix_(table, table)]
    learnt = np.linalg.solve(np.eye(SEATS) + information @ inside, information)
    after: Reals = belief - belief[:, table] @ learnt @ belief[table, :]
    return after


def _information(known: Strengths, tables: Whole) -> Reals:
    """What one set of each table will say of the strengths of its four, pair by pair: what a set is worth depends on
    how much sets scatter."""
    strength = known.strength[tables]
    ahead = 1 / (1 + np.exp(strength[:, None, :] - strength[:, :, None]))
    between: Reals = -SHARE * ahead * (1 - ahead) * SEATS / known.scatter
    between[:, range(SEATS), range(SEATS)] = 0.0
    between[:, range(SEATS), range(SEATS)] = -between.sum(axis=2)
    return between
