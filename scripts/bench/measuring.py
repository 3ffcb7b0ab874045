"""Rows in child processes of their own, measured in turn: one burst of each, round after round.

A child does nothing while another is measured. So every row meets the same moods of the machine, ratios are taken
within a round, and each child's peak memory is its own.
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

from jantaku.table.errors import TableFault

ROOT = Path(__file__).parents[2]


class Burst(msgspec.Struct, frozen=True):
    """What one child did in one go. `cpu` and `wall` in seconds, `rss_mib` its peak so far in MiB."""

    cpu: float
    wall: float
    hanchan: int
    turns: int = 0
    questions: int = 0
    rss_mib: float = 0.0


def rate(burst: Burst) -> float:
    """Hanchan per CPU second."""
    return burst.hanchan / burst.cpu


def turns_per_second(burst: Burst) -> float:
    """Turns per second by the wall clock."""
    return burst.turns / burst.wall


def turns_per_cpu_second(burst: Burst) -> float:
    """Turns per CPU second."""
    return burst.turns / burst.cpu


Figure = Callable[[Burst], float]


class Measured(msgspec.Struct):
    """One row: where it ran (None: on any core), what the engine is made of, options per question, MiB at most before
    the first burst, bursts by round."""

    row: str
    policy: str
    core: int | None
    build: str = ""
    options: float = 0.0
    before_mib: float = 0.0
    bursts: list[Burst] = []

    def median(self, figure: Figure) -> float:
        """The median of a figure over the rounds."""
        return median(map(figure, self.bursts))

    def sum(self, figure: Figure) -> float:
        """The sum of a figure over the rounds."""
        return sum(map(figure, self.bursts))

    def ratio(self, other: "Measured", figure: Figure) -> float:
        """How many times `other`'s figure this row's is: the median of the ratios within the rounds."""
        return median(figure(ours) / figure(theirs) for ours, theirs in zip(self.bursts, other.bursts, strict=True))


class Child:
    """The process of one row. `core` pins it, None leaves it to the system."""

    def __init__(self, row: str, policy: str, command: Sequence[str], core: int | None) -> None:
        self.measured = Measured(row, policy, core)
        pipe = subprocess.PIPE
        with pinned(core):
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, cwd=ROOT)

    def warm(self) -> None:
        """Wait until it has warmed up."""
        counted = self._line()
        self.measured.build = counted["build"]
        self.measured.options = counted["options"] / (counted["questions"] or 1)
        self.measured.before_mib = counted["rss_mib"]

    def burst(self, seconds: float) -> None:
        """Let it play for so many CPU seconds."""
        self.begin(seconds)
        self.end()

    def begin(self, seconds: float) -> None:
        """Let it begin to play for so many CPU seconds, and do not wait."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()

    def end(self) -> None:
        """Wait for the end of what it has begun."""
        self.measured.bursts.append(msgspec.convert(self._line(), Burst))

    def close(self) -> None:
        """Let it end."""
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


def ours(row: str, policy: str, warm_up: int, switch: float | None = None) -> list[str]:
    """The command of one of our own rows, warmed up with so many hanchan."""
    words = [sys.executable, "-m", "scripts.bench.worker", row, policy, str(warm_up)]
    return words if switch is None else [*words, str(switch)]


def measure(children: Sequence[Child], rounds: int, seconds: float) -> list[Measured]:
    """Let each child play `rounds` bursts of `seconds`, in turn and every other round backwards, and end them all."""
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
    """Keep this thread, and with it all processes that it starts, on one core."""
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
    """The core to pin to: the last that this process may use, None where nothing can be pinned."""
    return chosen_cores(pinned)[-1]


def chosen_cores(pinned: bool) -> Sequence[int | None]:
    """The cores to pin to in turn: all that this process may use, only None where nothing can be pinned."""
    if not pinned or not hasattr(os, "sched_setaffinity"):
        return [None]
    return sorted(os.sched_getaffinity(0))
