"""Times commands as users type them, from start to end: CPU and wall seconds of a command and of all processes that it
starts.

Four `tsumogiri` play as the command does by default: in threads, under a clock, with records. Compiled and plain Python
take turns, and so do other engines' loops, which have neither threads nor a clock.
"""

import os
import platform
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median

import msgspec
from rich.table import Table

from jantaku.table import core
from jantaku.table.ground.errors import TableFault
from scripts.bench.measuring import ROOT
from scripts.bench.showing import Line, Part
from scripts.environments import PYTHON

THINKING = "1 ms a decision"
COMMANDS = (
    "match",
    "match --threads inline",
    "match --threads per-turn",
    "gate tsumogiri tsumogiri",
    "compare tsumogiri dice",
    f"match, {THINKING}",
    f"match --threads inline, {THINKING}",
    "play",
    "play --threads resident",
    "play --threads inline",
    "verify games/*.json",
    "convert games logs --write-as mjai",
    "convert games decisions.parquet",
    "pytest",
)
"""Commands as typed, with what their players do; those below the last `play` read its files."""
NEEDS = {
    "convert games decisions.parquet": ("pyarrow", "pip install pyarrow"),
    "pytest": ("pytest", "pip install pytest pytest-timeout"),
}
"""What a command needs beside the plain install: a module, and how to get it. All others need nothing."""
FOUR = "--players tsumogiri,tsumogiri,tsumogiri,tsumogiri --out games --games {games}"
PLAYING = {
    "match": FOUR,
    "play": FOUR,
    "gate": "--sets {sets} --out gate",
    "compare": "--hanchan {games} --confirm never --out compared",
}
"""Words appended to commands that play."""
THINKER = """import time
from jantaku.players.bots.tsumogiri import Tsumogiri
class Thinker(Tsumogiri):
    def answer(self, question):
        end = time.perf_counter() + 0.001
        while time.perf_counter() < end:
            pass
        return super().answer(question)
"""
TEST = """import pytest
from jantaku.players.bots.tsumogiri import Tsumogiri
@pytest.mark.parametrize("seed", range({games}))
def test_a_game(jantaku_table, seed):
    jantaku_table(*(Tsumogiri() for _ in range(4)), seed=seed, length="{length}")
"""
UNITS = {"one": "games of one kyoku", "tonpu": "games of one round", "hanchan": "hanchan"}
"""Name of what is played, by the rules' word."""
LENGTHS = {"one": "single", "tonpu": "east", "hanchan": "half"}
"""riichienv's word by ours for a length."""
MAJIANG = "majiang-core's Game"
LOOPS = {
    MAJIANG: "node {root}/tests/peer/loop.js {games}",
    "mjai's simulator": "{peer} -m scripts.bench.peer_mjai T {games} loop",
    "riichienv's loop, its log written": "{peer} -m scripts.bench.peer_riichienv loop {games} {length} .",
    "riichienv's loop": "{peer} -m scripts.bench.peer_riichienv loop {games} {length}",
}
"""Rows of other engines: whole games; majiang-core and mjai play hanchan alone."""
UNDECIDED = {"gate": (0, 1, 3), "compare": (0, 1, 3)}
"""Exit codes of commands that did what was wanted and are not 0 alone: they may decide nothing."""
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
    games: int
    cpu: list[float] = []
    wall: list[float] = []

    def run(self, folder: Path) -> None:
        env = {**os.environ, "PYTHONPATH": str(ROOT), "JANTAKU_PURE": str(int(self.core == PLAIN))}
        before, began = os.times(), time.monotonic()
        ran = subprocess.run(self.line, shell=True, cwd=folder, env=env, stdout=subprocess.DEVNULL)
        after = os.times()
        if ran.returncode not in UNDECIDED.get(self.typed.split()[0], (0,)):
            raise TableFault(f"{self.typed}: it ended with exit code {ran.returncode}, see above")
        self.wall.append(time.monotonic() - began)
        self.cpu.append(after.children_user + after.children_system - before.children_user - before.children_system)


def of_commands(plan: CommandsPlan, say: Callable[[str], None]) -> Part:
    """Run all rows in turn, round after round, each in a folder of its own. What is missing on this machine is said
    before, and its rows are left out."""
    rows = [row for row in _rows(plan) if not _is_missing(row, say)]
    latest: dict[str, Path] = {}
    with tempfile.TemporaryDirectory(prefix="jantaku-bench-") as place:
        for number, row in enumerate(rows * plan.rounds):
            if row.typed.split()[0] not in ("verify", "convert"):
                latest[row.core] = folder = Path(place, str(number))
                folder.mkdir()
                (folder / "thinker.py").write_text(THINKER, "utf-8")
                (folder / "test_games.py").write_text(TEST.format(games=row.games, length=plan.length), "utf-8")
            row.run(latest[row.core])
            say(f"{row.typed}{row.core and f', {row.core}'}: {row.cpu[-1]:.2f} CPU s")
    return part_of(plan, rows)


def _is_missing(row: Ran, say: Callable[[str], None]) -> bool:
    module, told = NEEDS.get(row.typed, ("", ""))
    missing = bool(module) and find_spec(module) is None
    if row.typed == MAJIANG:
        told = "node, and npm install in tests/peer"
        missing = shutil.which("node") is None or not (ROOT / "tests" / "peer" / "node_modules").is_dir()
    if missing and row.core in ("", PLAIN):
        say(f"left out: {row.typed}, which needs {told}")
    return missing


def _rows(plan: CommandsPlan) -> list[Ran]:
    kinds = ("compiled", PLAIN) if core == "compiled" else (PLAIN,)
    rows = [_row(typed, kind, plan) for typed in COMMANDS for kind in kinds]
    if plan.peer is not None:
        words = {"root": shlex.quote(str(ROOT)), "peer": shlex.quote(str(plan.peer)), "games": plan.games}
        known = [name for name in LOOPS if plan.length == "hanchan" or "riichienv" in name]
        rows += [Ran(name, "", LOOPS[name].format(**words, length=LENGTHS[plan.length]), plan.games) for name in known]
    return rows


def _row(typed: str, kind: str, plan: CommandsPlan) -> Ran:
    command, _, thinks = typed.partition(", ")
    python, games = f"{PYTHON} -P -m", max(4, plan.games // 32 * 4) if thinks else plan.games
    if command == "pytest":
        return Ran(
            typed,
            kind,
            f"PYTHONPATH={shlex.quote(str(ROOT))}:. {python} pytest -q -p no:cacheprovider test_games.py",
            games,
        )
    words = PLAYING.get(command.split()[0], "").format(games=games, sets=-(-games // 4))
    played = f"{words} --length {plan.length} --seed 1" if words else ""
    line = f"{python} jantaku {command} {played}"
    return Ran(typed, kind, line.replace("tsumogiri", "./thinker.py:Thinker") if thinks else line, games)


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
        line = {"typed": row.typed, "core": row.core, "games": row.games, "cpu_s": round(cpu, 2)}
        line |= {"wall_s": round(wall, 2), "rounds": plan.rounds}
        if not rows[-1].core:
            pairs = zip(rows[-1].cpu, row.cpu, strict=True)
            line["ratio"] = round(median(last / own for last, own in pairs) * row.games / rows[-1].games, 2)
        lines.append(line)
        figures = (f"{cpu:.2f}", f"{wall:.2f}", f"{cpu / row.games * 1000:.1f}", f"{line.get('ratio', '')}")
        table.add_row(row.typed, row.core, *figures)
    return Part(lines, table)
