"""Measures rows in child processes of their own, in turn: one burst of each, round after round.

A child rests while another is measured. So every row meets the same load of the machine, and ratios are taken within a
round.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from jantaku.table.ground.errors import TableFault
from scripts.bench.peers import RIVALS

ROOT = Path(__file__).parents[2]


class Burst(msgspec.Struct, frozen=True):
    """One burst of a child. `cpu` and `wall` are seconds."""

    cpu: float
    wall: float
    hanchan: int
    turns: int = 0
    questions: int = 0


def rate(burst: Burst) -> float:
    """Return hanchan per CPU second."""
    return burst.hanchan / burst.cpu


class Measured(msgspec.Struct):
    """One row: its core (None: any), the engine's build, and bursts by round."""

    row: str
    policy: str
    core: int | None
    build: str = ""
    bursts: list[Burst] = []

    def median(self, figure: Callable[[Burst], float]) -> float:
        return median(map(figure, self.bursts))

    def sum(self, figure: Callable[[Burst], float]) -> float:
        return sum(map(figure, self.bursts))

    def ratio(self, other: "Measured") -> float:
        """Return the median over the rounds of this row's hanchan per CPU second divided by `other`'s."""
        return median(rate(ours) / rate(theirs) for ours, theirs in zip(self.bursts, other.bursts, strict=True))


class Child:
    """The process of one row. `core` pins it; None leaves it to the system."""

    def __init__(self, row: str, policy: str, command: Sequence[str], core: int | None) -> None:
        self.measured = Measured(row, policy, core)
        pipe = subprocess.PIPE
        with pinned(core):
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT)

    def warm(self) -> None:
        self.measured.build = self._line()["build"]

    def burst(self, seconds: float) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()
        self.measured.bursts.append(msgspec.convert(self._line(), Burst))

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def _line(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            where = f"{self.measured.row} {self.measured.policy}"
            raise TableFault(f"{where}: its process ended with exit code {self._process.wait()}, see above")
        found: dict[str, Any] = json.loads(line)
        return found


def ours(row: str, policy: str, warm_up: int) -> list[str]:
    """Return the command of one of our rows, with `warm_up` hanchan to warm up."""
    return [sys.executable, "-m", "scripts.bench.games", row, policy, str(warm_up)]


def measure(children: Sequence[Child], rounds: int, seconds: float) -> list[Measured]:
    """Let each child play `rounds` bursts of `seconds`, in turn, every other round backwards; end them all."""
    try:
        for child in children:
            child.warm()
        for number in range(rounds):
            for child in children if number % 2 == 0 else reversed(children):
                child.burst(seconds)
    finally:
        for child in children:
            child.close()
    return [child.measured for child in children]


@contextmanager
def pinned(core: int | None) -> Iterator[None]:
    """Pin this thread, and all processes that it starts, to one core."""
    if core is None:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def chosen_core(pinned: bool) -> int | None:
    """Return the core to pin to: the last that this process may use; None if nothing can be pinned."""
    return max(os.sched_getaffinity(0)) if pinned and hasattr(os, "sched_setaffinity") else None


# --- comparing rows

COSTS = (
    ("engine", "inline", "the judge"),
    ("board", "board-play", "the journal of `play`"),
    ("board", "board-match", "the journal of `match`"),
)
"""A row without something, the same with it, and what it is."""


def compared(rows: Sequence[Measured]) -> Iterator[tuple[str, float]]:
    """Yield what is compared between rows of one policy and core, and the ratio, taken within rounds."""
    by_name = {row.row: row for row in rows}
    for row, rivals in RIVALS.items():
        for rival in rivals:
            if {row, rival} <= by_name.keys():
                yield f"{row} : {rival}, hanchan per CPU s", by_name[row].ratio(by_name[rival])
    for without, row, what in COSTS:
        if {without, row} <= by_name.keys():
            yield f"share of {what} in a hanchan of {row}", 1 - by_name[row].ratio(by_name[without])
