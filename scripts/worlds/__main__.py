"""How well do worlds foretell what is hidden? Measured on records of games whose hands are all known: docs/playouts.md.

    python -m scripts.worlds RECORD… [--questions 400] [--worlds 100] [--plot FILE.svg]

Draws questions from records, and for each of them hidden hands as a seat sees it: blindly, and as likely as they are.
What share of the worlds has it is the probability with which something is foretold; half a world is added to each
outcome, so that no log loss is infinite. Hands of a seat in riichi are drawn in one way only. Do not use records to
which `table/riichi/line/likely.py` was fitted.
"""

import argparse
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log
from pathlib import Path
from statistics import fmean

from jantaku.table.arena.match.figures.statistics import interval
from jantaku.table.ground.chance import Numbers
from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.line import Position, read_line
from jantaku.table.riichi.line.hidden import hidden_hands
from jantaku.table.riichi.line.likely import STEPS
from jantaku.table.riichi.pieces.tiles import COPIES, KINDS
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.world import first_possible
from scripts.core import compile_first
from scripts.worlds.questions import Hand, Truth, counts_of, others, truths
from scripts.worlds.reliability import Bin, picture

BLIND, LIKELY = "drawn blindly", "as likely as they are"
WAYS = {BLIND: 0, LIKELY: STEPS}
TENPAI, WAIT, COPY = "tenpai without riichi, by seat", "a kind is waited for, by seat and kind", "copies of a kind"
EDGES = (0.0, 0.02, 0.05, *(tenth / 10 for tenth in range(1, 11)))
"""Where the bins of what was foretold begin and end."""
Foretold = dict[str, list[tuple[float, bool]]]
"""Probabilities, with whether it was so, by what was foretold."""


def hands_of(position: Position, seed: str, steps: int) -> list[Hand]:
    """Draw the hands of a world. NoWorld if none fit."""
    numbers = Numbers(f"jantaku calibration 1|{seed}|{position.line}")
    return [counts_of(tiles) for tiles in first_possible(lambda: hidden_hands(position, numbers, steps)[0])]


class Calibration:
    """The log losses of one way to draw, by question, and the probabilities that it foretold."""

    def __init__(self) -> None:
        self.losses: dict[str, list[float | None]] = {TENPAI: [], WAIT: [], COPY: []}
        self.foretold: Foretold = {TENPAI: [], WAIT: []}

    def add(self, position: Position, hands: Sequence[Hand], worlds: Sequence[Sequence[Hand]]) -> None:
        """Add a question with its true hands and what was drawn for it."""
        quiet = [seat for seat in others(position) if not position.board.riichi[seat]]
        drawn = {seat: [shapes.waits(world[seat]) for world in worlds] for seat in others(position)}
        tenpai, wait, copies = list[float](), list[float](), list[float]()
        for seat in quiet:
            tenpai.append(self._told(TENPAI, [bool(waits) for waits in drawn[seat]], bool(shapes.waits(hands[seat]))))
        for seat, waited in drawn.items():
            true = shapes.waits(hands[seat])
            for kind in range(KINDS):
                wait.append(self._told(WAIT, [bool(waits >> kind & 1) for waits in waited], bool(true >> kind & 1)))
                alike = sum(world[seat][kind] == hands[seat][kind] for world in worlds)
                copies.append(-log((alike + 0.5) / (len(worlds) + 0.5 * (COPIES + 1))))
        for about, losses in ((TENPAI, tenpai), (WAIT, wait), (COPY, copies)):
            self.losses[about].append(fmean(losses) if losses else None)

    def _told(self, about: str, found: Sequence[bool], true: bool) -> float:
        chance = (sum(found) + 0.5) / (len(found) + 1)
        self.foretold[about].append((chance, true))
        return -log(chance if true else 1 - chance)

    def bins(self, about: str) -> list[Bin]:
        """The mean probability that was foretold and the share that was true, by bin; empty ones are left out."""
        found = list[Bin]()
        for low, high in pairwise(EDGES):
            inside = [one for one in self.foretold[about] if low <= one[0] < high]
            if inside:
                found.append(Bin(fmean(one[0] for one in inside), fmean(one[1] for one in inside), len(inside)))
        return found


def measured(questions: Sequence[Truth], worlds: int, seed: str) -> dict[str, Calibration]:
    """Draw the worlds of all questions in both ways."""
    found = {way: Calibration() for way in WAYS}
    for question in questions:
        position = read_line(question.line)
        for way, steps in WAYS.items():
            drawn = [hands_of(position, f"{seed}|{number}", steps) for number in range(worlds)]
            found[way].add(position, question.counts, drawn)
    return found


def told(questions: Sequence[Truth], found: dict[str, Calibration]) -> Iterator[str]:
    """Tell the losses and the bins, as tables of Markdown. ± is half of a 95 % interval; questions of one kyoku are not
    taken to be independent."""
    yield f"| log loss of | {BLIND} | {LIKELY} | less by |\n|---|---|---|---|"
    for about in (TENPAI, WAIT, COPY):
        blind, likely = (found[way].losses[about] for way in WAYS)
        sums, counts = defaultdict[object, float](float), Counter[object]()
        for question, one, other in zip(questions, blind, likely, strict=True):
            if one is not None and other is not None:
                sums[question.kyoku] += one - other
                counts[question.kyoku] += 1
        if counts:
            means = " | ".join(
                f"{fmean(loss for loss in losses if loss is not None):.4f}" for losses in (blind, likely)
            )
            less = interval([*sums.values()], [counts[kyoku] for kyoku in sums])
            yield f"| {about} | {means} | {less.text(4)} |"
    for about in (TENPAI, WAIT):
        yield f"\n{about}:\n\n| | foretold | true | of |\n|---|---|---|---|"
        for way in WAYS:
            for inside in found[way].bins(about):
                yield f"| {way} | {inside.foretold:.1%} | {inside.true:.1%} | {inside.cases} |"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.worlds", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("records", nargs="+", type=Path, metavar="RECORD")
    parser.add_argument("--questions", type=int, default=400, metavar="N")
    parser.add_argument("--worlds", type=int, default=100, metavar="N")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg")
    parser.add_argument("--seed", default="1")
    options = parser.parse_args(arguments)
    if min(options.questions, options.worlds) < 1:
        parser.error("--questions and --worlds: allowed are 1 and more")
    lots = random.Random(options.seed)
    try:
        every = list(truths(options.records))
        questions = lots.sample(every, min(options.questions, len(every)))
        if not questions:
            raise BadInput("the records have no question with more than one option")
        found = measured(questions, options.worlds, options.seed)
        print(f"{len(questions)} questions of {len(options.records)} records, {options.worlds} worlds each\n")
        print(*told(questions, found), sep="\n")
        if options.plot is not None:
            panels = {about: {way: found[way].bins(about) for way in WAYS} for about in (TENPAI, WAIT)}
            options.plot.write_text(picture(panels) + "\n", "utf-8")
    except (BadInput, OSError) as error:
        print(f"worlds: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    compile_first()
    sys.exit(main())
