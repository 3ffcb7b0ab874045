"""Four programs that answer at once: the table's overhead for each decision, compared with a bare pipe to the same
program.

The table's time is its clock's time for a question: events are sent, the question is put, the reply is read and
checked. The bare time is one write and one read of the same lines, to four programs in turn, by a process that does
nothing else. Games and bare conversations alternate.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from rich.table import Table

from jantaku.table.ground.clock import now
from jantaku.table.ground.port import Answer, Player
from jantaku.table.judge.judge import Judge
from jantaku.table.play.roster import enlist, let_go
from jantaku.table.play.spec import Terms
from jantaku.table.riichi.position import rules_of
from scripts.bench.games import game_of
from scripts.bench.output import Line, Part

PROGRAM = Path(__file__).parent / "prompt.py"
GOALS = {"median": 2.0, "p99": 2.5}
UNASKED = (b'"start_game"', b'"end_kyoku"', b'"end_game"')
"""Lines that need a reply although there is nothing to decide."""


class PipeTimes:
    """Collects the seconds of questions. Implements `Watch`."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def events(self, new: Sequence[Any]) -> None:
        """Does nothing: only answers matter."""

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        for answer in answers:
            if not answer.verdict.good:
                raise RuntimeError(f"a program of the benchmark was at fault: {answer}")
            self.seconds.append(answer.used)


def programs(rounds: int, length: str = "hanchan") -> Part:
    """Play `rounds` games of this length with four programs, and write the same lines to four by hand as often."""
    with tempfile.TemporaryDirectory(prefix="jantaku-bench-") as folder:
        heard = [Path(folder) / f"{number}.heard" for number in range(4)]
        _game([f"{_command()} {file}" for file in heard], length)
        ours: list[float] = []
        bare: list[float] = []
        for _ in range(rounds):
            ours += _game([_command()] * 4, length)
            bare += _bare([file.read_bytes().splitlines(keepends=True) for file in heard])
    return _part(ours, bare)


def _command() -> str:
    return f"{sys.executable} {PROGRAM}"


def _game(commands: Sequence[str], length: str) -> list[float]:
    """Return the seconds of every question of a game between these programs."""
    entrants = enlist([Terms(f"exec:{command}", dialect="mjai") for command in commands])
    players: list[Player] = [entrant.make(0) for entrant in entrants]
    times = PipeTimes()
    try:
        game = game_of(0, rules_of("tenhou", {"game.length": length}))
        Judge(game, players, mode="resident", watches=[times], must_start=True).run()
    finally:
        let_go(*players)
    return times.seconds


def _bare(heard: Sequence[Sequence[bytes]]) -> list[float]:
    """Return the seconds from each line that asks something to its reply, over bare pipes to four programs in turn."""
    pipe = subprocess.PIPE
    command = [sys.executable, str(PROGRAM)]
    started = [subprocess.Popen(command, stdin=pipe, stdout=pipe, bufsize=0) for _ in heard]
    ends = [(one.stdin.fileno(), one.stdout.fileno()) for one in started if one.stdin and one.stdout]
    seconds = []
    try:
        for together in zip_longest(*heard, fillvalue=b""):
            for line, (into, out) in zip(together, ends, strict=True):
                began = now()
                if line and os.write(into, line) and os.read(out, 4096) and not any(word in line for word in UNASKED):
                    seconds.append(now() - began)
    finally:
        for one in started:
            one.communicate()
    return seconds


def _part(ours: Sequence[float], bare: Sequence[float]) -> Part:
    table = Table(title="four programs that answer at once: microseconds of a decision, not pinned")
    table.add_column("how", no_wrap=True)
    for name in ("decisions", "median", "p99"):
        table.add_column(name, justify="right")
    lines: list[Line] = []
    figures = []
    for name, seconds in (("at the table", ours), ("bare pipe", bare)):
        middle, high = median(seconds) * 1e6, quantiles(seconds, n=100)[98] * 1e6
        figures.append((middle, high))
        table.add_row(name, str(len(seconds)), f"{middle:.0f}", f"{high:.0f}")
        found = {"median_us": round(middle, 1), "p99_us": round(high, 1)}
        lines.append({"row": "exec", "who": name, "decisions": len(seconds), **found})
    (middle, high), (bare_middle, bare_high) = figures
    ratios = {"median": middle / bare_middle, "p99": high / bare_high}
    table.add_row("ratio", "", *[f"{value:.2f}" for value in ratios.values()])
    table.add_row("goal", "", *[f"≤ {GOALS[name]:g}" for name in ratios])
    for name, value in ratios.items():
        lines.append({"ratio": f"exec : bare pipe, {name}", "value": round(value, 3), "goal": f"≤ {GOALS[name]:g}"})
    return Part(lines, table)
