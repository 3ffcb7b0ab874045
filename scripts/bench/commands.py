"""Times commands as users type them, from start to end: CPU and wall seconds of a command and of all processes that it
starts.

Four `tsumogiri` play hanchan as the command does by default: in threads, under a clock, with records. Compiled and
plain Python take turns, and so does another engine's loop, which has neither threads nor a clock.
"""

import os
import platform
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import msgspec
from rich.table import Table

from jantaku.table import core
from jantaku.table.ground.errors import TableFault
from scripts.bench.measuring import ROOT
from scripts.bench.output import Line, Part
from scripts.bench.tables import UNITS

VERIFY = "verify games/*.json"
COMMANDS = (
    "match",
    "match --threads inline",
    "match --threads per-turn",
    "play",
    "play --threads resident",
    "play --threads inline",
    VERIFY,
)
"""Commands as typed; the last one reads the files of the one before."""
FOUR = "--players tsumogiri,tsumogiri,tsumogiri,tsumogiri --seed 1 --out games"
"""Words appended to commands that play, with the number of games."""
LENGTHS = {"one": "single", "tonpu": "east", "hanchan": "half"}
"""riichienv's word by ours for a length."""
LOOPS = {"riichienv's loop": "", "riichienv's loop, its log written": "."}
"""Rows of riichienv, and the last word of their commands: the folder of the log, empty for none."""
PLAIN = "plain"


class CommandsPlan(msgspec.Struct, frozen=True):
    """Number and length of the games of a command, and how often each command runs; `peer`: a Python with riichienv."""

    games: int
    length: str = "hanchan"
    rounds: int = 1
    peer: Path | None = None


class Ran(msgspec.Struct):
    """One row: the command, the core (compiled, plain; none: not jantaku), and the seconds of each run."""

    typed: str
    core: str
    line: str
    cpu: list[float] = []
    wall: list[float] = []

    def run(self, folder: Path) -> None:
        """Run it in that folder. TableFault if it fails."""
        env = {**os.environ, "PYTHONPATH": str(ROOT), "JANTAKU_PURE": str(int(self.core == PLAIN))}
        before, began = os.times(), time.monotonic()
        ran = subprocess.run(self.line, shell=True, cwd=folder, env=env, stdout=subprocess.DEVNULL)
        after = os.times()
        if ran.returncode:
            raise TableFault(f"{self.typed}: it ended with exit code {ran.returncode}, see above")
        self.wall.append(time.monotonic() - began)
        self.cpu.append(after.children_user + after.children_system - before.children_user - before.children_system)


def of_commands(plan: CommandsPlan, say: Callable[[str], None]) -> Part:
    """Run all rows in turn, round after round, each in a folder of its own."""
    rows = _rows(plan)
    latest: dict[str, Path] = {}
    with tempfile.TemporaryDirectory(prefix="jantaku-bench-") as place:
        for number, row in enumerate(rows * plan.rounds):
            if row.typed != VERIFY:
                latest[row.core] = Path(place, str(number))
                latest[row.core].mkdir()
            row.run(latest[row.core])
            say(f"{row.typed}{row.core and f', {row.core}'}: {row.cpu[-1]:.2f} CPU s")
    return part_of(plan, rows)


def _rows(plan: CommandsPlan) -> list[Ran]:
    kinds = ("compiled", PLAIN) if core == "compiled" else (PLAIN,)
    ours = f"{shlex.quote(sys.executable)} -P -m jantaku"
    given = f"{FOUR} --games {plan.games} --length {plan.length}"
    rows = [Ran(typed, kind, f"{ours} {typed} {given * (typed != VERIFY)}") for typed in COMMANDS for kind in kinds]
    if plan.peer is not None:
        loop = f"{shlex.quote(str(plan.peer))} -m scripts.bench.peer_loop {plan.games} {LENGTHS[plan.length]}"
        rows += [Ran(typed, "", f"{loop} {word}") for typed, word in LOOPS.items()]
    return rows


def part_of(plan: CommandsPlan, rows: Sequence[Ran]) -> Part:
    """Make the report; rows are relative to the last one if that is another engine's."""
    machine = f"Python {platform.python_version()}, {os.cpu_count()} cores"
    title = f"{plan.games} {UNITS[plan.length]} of four tsumogiri as typed, all processes, {machine}"
    table = Table(title=title)
    table.add_column("typed")
    table.add_column("core", no_wrap=True)
    for name in ("CPU s", "wall s", "CPU ms a game", "times as fast as the last row"):
        table.add_column(name, justify="right")
    lines: list[Line] = []
    for row in rows:
        cpu, wall = median(row.cpu), median(row.wall)
        line = {"typed": row.typed, "core": row.core, "games": plan.games, "cpu_s": round(cpu, 2)}
        line |= {"wall_s": round(wall, 2), "rounds": plan.rounds}
        if not rows[-1].core:
            line["ratio"] = round(median(last / own for last, own in zip(rows[-1].cpu, row.cpu, strict=True)), 2)
        lines.append(line)
        figures = (f"{cpu:.2f}", f"{wall:.2f}", f"{cpu / plan.games * 1000:.0f}", f"{line.get('ratio', '')}")
        table.add_row(row.typed, row.core, *figures)
    return Part(lines, table)
