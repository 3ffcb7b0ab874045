"""Measures rows in child processes of their own, in turn: one burst of each, round after round.

A child rests while another is measured. So every row meets the same load of the machine, ratios are taken within a
round, and each child's peak memory is its own.
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

ROOT = Path(__file__).parents[2]


class Burst(msgspec.Struct, frozen=True):
    """One burst of a child. `cpu` and `wall` are seconds, `rss_mib` is its peak memory so far in MiB."""

    cpu: float
    wall: float
    hanchan: int
    turns: int = 0
    questions: int = 0
    rss_mib: float = 0.0


def rate(burst: Burst) -> float:
    """Return hanchan per CPU second."""
    return burst.hanchan / burst.cpu


def turns_per_second(burst: Burst) -> float:
    """Return turns per second of wall time."""
    return burst.turns / burst.wall


def turns_per_cpu_second(burst: Burst) -> float:
    """Return turns per CPU second."""
    return burst.turns / burst.cpu


Figure = Callable[[Burst], float]


class Measured(msgspec.Struct):
    """One row: its core (None: any), the engine's build, options per question, peak MiB before the first burst, and
    bursts by round."""

    row: str
    policy: str
    core: int | None
    build: str = ""
    options: float = 0.0
    before_mib: float = 0.0
    bursts: list[Burst] = []

    def median(self, figure: Figure) -> float:
        """Return the median of a figure over the rounds."""
        return median(map(figure, self.bursts))

    def sum(self, figure: Figure) -> float:
        """Return the sum of a figure over the rounds."""
        return sum(map(figure, self.bursts))

    def ratio(self, other: "Measured", figure: Figure) -> float:
        """Return the median over the rounds of this row's figure divided by `other`'s."""
        return median(figure(ours) / figure(theirs) for ours, theirs in zip(self.bursts, other.bursts, strict=True))


class Child:
    """The process of one row. `core` pins it; None leaves it to the system."""

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
        """Let it play for that many CPU seconds."""
        self.begin(seconds)
        self.end()

    def begin(self, seconds: float) -> None:
        """Start a burst of that many CPU seconds without waiting."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()

    def end(self) -> None:
        """Wait for the end of the burst."""
        self.measured.bursts.append(msgspec.convert(self._line(), Burst))

    def close(self) -> None:
        """End the process."""
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
    """Return the command of one of our rows, with `warm_up` hanchan to warm up."""
    words = [sys.executable, "-m", "scripts.bench.worker", row, policy, str(warm_up)]
    return words if switch is None else [*words, str(switch)]


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
    return chosen_cores(pinned)[-1]


def chosen_cores(pinned: bool) -> Sequence[int | None]:
    """Return the cores to pin to in turn: all that this process may use; [None] if nothing can be pinned."""
    if not pinned or not hasattr(os, "sched_setaffinity"):
        return [None]
    return sorted(os.sched_getaffinity(0))
