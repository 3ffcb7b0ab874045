"""Chooses the next tables: those from which the league learns most about strengths.

The most uncertain bot plays. It gets the opponents for which the model predicts the largest fall of the summed
variances of all ratings (A-optimal design, greedily one table after another). So a new bot is placed in few hanchan, by
opponents that are near and well known, and then plays as rarely as the others.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np

from jantaku.table.arena.league.strength import Reals, Strengths, Whole
from jantaku.table.riichi.pieces.seats import SEATS, THREE

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
