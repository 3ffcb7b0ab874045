"""Fits the numbers of `table/riichi/line/likely.py` to records of games whose hands are all known, and prints them.

    python -m scripts.worlds.fit RECORD… [--questions 4000] [--worlds 200]

Compares true hands of seats without riichi with random ones, drawn from all tiles that the asked seat does not see. By
melds and discards it prints the logarithm of how often true hands have a shanten over how often random ones have it.
The numbers of kinds make the true hand the likeliest among the random ones of the same position and shanten
(conditional logistic regression).
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from math import log
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.line import Position, read_line
from jantaku.table.riichi.line.hidden import unseen_by
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.tiles import EAST, KIND, KINDS, WHITE, YAOCHUU, mask_of
from jantaku.table.riichi.points import shapes
from scripts.core import compile_first
from scripts.worlds.questions import Hand, Truth, counts_of, others, truths

Floats = NDArray[np.float64]
NAMES = (
    *("_YAKUHAI 0", "_YAKUHAI 1", "_YAKUHAI 2", "_GUEST 0", "_GUEST 1", "_GUEST 2"),
    *("_LAID_SUIT", "_TANYAO", "_ONE_SUIT"),
    *("_SAME early", "_SAME late", "_SAME drawn", "_NEXT early", "_NEXT late", "_NEXT drawn"),
    *("_NEAR early", "_NEAR late", "_NEAR drawn"),
)
LAID, TANYAO, ONE, SAME, NEXT, NEAR = 6, 7, 8, 9, 12, 15
"""Where a group of them begins."""
STAGE, MOST = 6, 6
"""Discards in a stage of the kyoku, and the shanten in which all higher ones are counted."""
ENOUGH = 20
"""True hands of a number of melds and discards that are needed for numbers."""
STEPS = 12
"""Steps of Newton's method."""
Cell = tuple[int, int]


def features(board: Board, seat: int) -> Floats:
    """By kind, which numbers count for it, as `Likely` adds them up."""
    found = np.zeros((KINDS, len(NAMES)))
    river, melds = board.rivers[seat], board.hands[seat].melds
    stage = min(len(river.tiles) // STAGE, 2)
    for kind in range(EAST, KINDS):
        own = kind >= WHITE or kind in (EAST + seat, EAST + board.round)
        found[kind, stage if own else 3 + stage] = 1
    laid = [KIND[tile] for meld in melds for tile in meld.tiles]
    suits = {kind // 9 for kind in laid if kind < EAST}
    for kind in range(KINDS if laid else 0):
        found[kind, LAID] = kind < EAST and kind // 9 in suits
        found[kind, ONE] = kind < EAST and len(suits) == 1 and kind // 9 not in suits
        found[kind, TANYAO] = not mask_of(laid) & YAOCHUU and YAOCHUU >> kind & 1
    for place, tile in enumerate(river.tiles):
        kind, how = KIND[tile], 2 if river.tsumogiri[place] else int(place >= STAGE)
        found[kind, SAME + how] += 1
        for far, group in ((1, NEXT), (2, NEAR)):
            for other in (kind - far, kind + far):
                if kind < EAST and other >= 0 and other // 9 == kind // 9:
                    found[other, group + how] += 1
    return found


class Fit:
    """Shanten of true and random hands by melds and discards, and true hands among random ones of their shanten."""

    def __init__(self) -> None:
        self.true, self.random = dict[Cell, Counter[int]](), dict[Cell, Counter[int]]()
        self.sets: list[Floats] = []
        """The features of hands of one position and shanten, the true one first."""

    def add(self, position: Position, truth: Truth, worlds: int, lots: random.Random) -> None:
        """Compare the hands of all seats without riichi with as many random ones as there are worlds."""
        board = position.board
        hidden = list(unseen_by(position).elements())
        for seat in others(position):
            if not board.riichi[seat]:
                drawn = [counts_of(lots.sample(hidden, len(truth.hands[seat]))) for _ in range(worlds)]
                self._compare(board, seat, counts_of(truth.hands[seat]), drawn)

    def _compare(self, board: Board, seat: int, hand: Hand, drawn: Sequence[Hand]) -> None:
        cell = min(len(board.hands[seat].melds), 3), min(len(board.rivers[seat].tiles) // 3, 5)
        far = [min(shapes.shanten(one), MOST) for one in (hand, *drawn)]
        self.true.setdefault(cell, Counter())[far[0]] += 1
        self.random.setdefault(cell, Counter()).update(far[1:])
        alike = [one for one, away in zip((hand, *drawn), far, strict=True) if away == far[0]]
        if len(alike) > 1:
            self.sets.append(np.array(alike, float) @ features(board, seat))

    def by_shanten(self) -> Iterator[tuple[Cell, list[float]]]:
        """Yield the logarithms of the ratios. One hand is added to the true ones, with a random shanten."""
        for cell, true in sorted(self.true.items()):
            if true.total() >= ENOUGH:
                drawn = self.random[cell]
                shares = [(drawn[far] + 0.5) / (drawn.total() + (MOST + 1) / 2) for far in range(MOST + 1)]
                seen = [(true[far] + share) / (true.total() + 1) for far, share in enumerate(shares)]
                yield cell, [log(own / other) for own, other in zip(seen, shares, strict=True)]

    def of_kinds(self) -> tuple[Floats, Floats]:
        """Return the numbers of kinds, and their standard errors."""
        weights = np.zeros(len(NAMES))
        bend = np.eye(len(NAMES))
        for _ in range(STEPS):
            slope, bend = np.zeros(len(NAMES)), 1e-6 * np.eye(len(NAMES))
            for one in self.sets:
                chances = np.exp((one - one[0]) @ weights)
                chances /= chances.sum()
                mean = chances @ one
                slope += one[0] - mean
                bend += (one - mean).T @ ((one - mean) * chances[:, None])
            weights = weights + np.linalg.solve(bend, slope)
        return weights, np.sqrt(np.diag(np.linalg.inv(bend)))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.worlds.fit", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("records", nargs="+", type=Path, metavar="RECORD")
    parser.add_argument("--questions", type=int, default=4000, metavar="N")
    parser.add_argument("--worlds", type=int, default=200, metavar="N")
    parser.add_argument("--seed", default="1")
    options: Any = parser.parse_args(arguments)
    if min(options.questions, options.worlds) < 1:
        parser.error("--questions and --worlds: allowed are 1 and more")
    lots, fit = random.Random(options.seed), Fit()
    try:
        every = list(truths(options.records))
        if not every:
            raise BadInput("the records have no question with more than one option")
    except BadInput as error:
        print(f"fit: {error}", file=sys.stderr)
        return 2
    for one in lots.sample(every, min(options.questions, len(every))):
        fit.add(read_line(one.line), one, options.worlds, lots)
    for (melds, discards), row in fit.by_shanten():
        print(f"BY_SHANTEN[{melds}][{discards}] = [{', '.join(f'{one:.1f}' for one in row)}]")
    for name, weight, off in zip(NAMES, *fit.of_kinds(), strict=True):
        print(f"{name} = {weight:.2f} ± {1.96 * off:.2f}")
    return 0


if __name__ == "__main__":
    compile_first()
    sys.exit(main())
