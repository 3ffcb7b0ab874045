"""Many tables at once: in one process, in a series that shows what grows with their number, and in several processes.

Every table has four resident threads and a judge's thread. None continues after its first question before all have
reached it, so that all are in progress at once. `python -m scripts.bench.tables TABLES GAMES LENGTH [SWITCH-INTERVAL]`
is one process; every burst plays GAMES games, TABLES at a time.
"""

import sys
import threading
from collections.abc import Callable, Sequence
from statistics import median

import msgspec
from rich.table import Table

from jantaku.table import core
from jantaku.table.ground.clock import now
from jantaku.table.ground.errors import TableFault
from jantaku.table.ground.port import Action, Player, PlayerWrapper, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.riichi.position import rules_of
from jantaku.table.riichi.rules import Rules
from scripts.bench.bursts import BurstCount, Play, serve
from scripts.bench.games import bots, count_of, game_of
from scripts.bench.measuring import Child, Measured, chosen_core, chosen_cores, measure, rate, turns_per_cpu_second
from scripts.bench.memory import steps
from scripts.bench.output import Line, Part
from scripts.bench.showing import where

UNITS = {"one": "games of one kyoku", "tonpu": "games of one round", "hanchan": "hanchan"}
"""Name of what is played, by the rules' word."""
RATIO, MIB_A_TABLE = "≥ 0.8", "≤ 1"
"""Goals: speed of many tables relative to few in the same CPU time, and memory per table."""
PATIENCE = 120.0
"""Seconds for all tables to begin."""
WARM_UP = 100
"""Games played one after another before memory is measured."""
MEMORY_HEADS = ("MiB before", "at the peak", "a table", "goal")
MEMORY_KEYS = ("mib_before", "mib_peak", "mib_a_table", "mib_a_table_goal")


class TablesPlan(msgspec.Struct, frozen=True):
    """What to measure. `switch` is the switch interval in seconds."""

    tables: int
    processes: int = 1
    length: str = "one"
    rounds: int = 1
    pinned: bool = True
    switch: float | None = None


# --- in the measured process


def at_once(tables: int, games: int, length: str) -> Play:
    """Return a play of `games` games, `tables` at a time. Its count of hanchan is of games of that length."""
    rules = rules_of("tenhou", {"game.length": length})

    def play(number: int) -> BurstCount:
        done, end = BurstCount(), (number + 1) * games
        for first in range(number * games, end, tables):
            done.add(_together(range(first, min(first + tables, end)), rules))
        return done

    return play


def _together(numbers: Sequence[int], rules: Rules) -> BurstCount:
    gate = threading.Barrier(len(numbers) + 1, timeout=PATIENCE)
    judges = []
    for number in numbers:
        first, *others = bots("TWR"[number % 3], number)
        players = [Waiting(first, gate), *others]
        judges.append(Judge(game_of(number, rules), players, mode="resident", table=number))
    try:
        for judge in judges:
            judge.start()
        gate.wait()
    except RuntimeError as problem:  # out of threads, or a table did not start
        gate.abort()
        raise TableFault(f"tables: {len(numbers)} at once cannot begin here: {problem!r}") from problem
    done = BurstCount()
    for judge in judges:
        done.add(count_of(judge.join()))
    return done


class Waiting(PlayerWrapper):
    """A dealer that waits for all other tables before its first answer."""

    def __init__(self, player: Player, gate: threading.Barrier) -> None:
        super().__init__(player)
        self._gate: threading.Barrier | None = gate

    def answer(self, question: Question) -> Action:
        """Wait once, then return the player's answer."""
        if self._gate is not None:
            self._gate.wait()
            self._gate = None
        return super().answer(question)


# --- in the measuring one


def of_tables(plan: TablesPlan, say: Callable[[str], None]) -> Part:
    """Measure 10, 100, 1000 … tables at once, each number in a process of its own; or several processes of
    `plan.tables`."""
    if plan.processes > 1:
        return _of_processes(plan)
    counts = steps(plan.tables)
    say(f"{plan.rounds} times {plan.tables} {UNITS[plan.length]}, {', '.join(map(str, counts))} at once")
    rows = measure([_child(plan, count, chosen_core(plan.pinned)) for count in counts], plan.rounds, 0.0)
    lines = [{**_line(row, plan), "ratio": round(row.ratio(rows[0], rate), 3), "ratio_goal": RATIO} for row in rows]
    heads = ("tables", "per CPU s", "turns per CPU s", f"ratio to {counts[0]}", "goal", *MEMORY_HEADS)
    keys = ("tables", "games_per_cpu_s", "turns_per_cpu_s", "ratio", "ratio_goal", *MEMORY_KEYS)
    return _part(f"{UNITS[plan.length]}, tables at once in one process, {where(rows[0].core)}", heads, keys, lines)


def _of_processes(plan: TablesPlan) -> Part:
    """Let all processes play at the same time; pinned, each on one of the cores in turn."""
    cores = chosen_cores(plan.pinned)
    children = [_child(plan, plan.tables, cores[number % len(cores)]) for number in range(plan.processes)]
    seconds = []
    try:
        for child in children:
            child.warm()
        for _ in range(plan.rounds):
            began = now()
            for child in children:
                child.begin(0.0)
            for child in children:
                child.end()
            seconds.append(now() - began)
    finally:
        for child in children:
            child.close()
    most = max((_line(child.measured, plan) for child in children), key=lambda line: float(line["mib_a_table"]))
    games = plan.tables * plan.processes
    told = {
        "processes": plan.processes,
        "games": games * plan.rounds,
        "games_per_wall_s": round(games / median(seconds), 2),
    }
    heads = ("tables", "processes", "per s in all", *MEMORY_HEADS)
    keys = ("tables", "processes", "games_per_wall_s", *MEMORY_KEYS)
    cores_told = "not pinned" if cores[0] is None else f"pinned to {len(cores)} cores in turn"
    title = f"{UNITS[plan.length]}, tables at once in each of so many processes, {cores_told}"
    return _part(title, heads, keys, [{**most, **told, "cores": len(cores)}])


def _child(plan: TablesPlan, tables: int, on_core: int | None) -> Child:
    """Make a child process. In a burst all children play the same games, whatever their number of tables."""
    words = [sys.executable, "-m", "scripts.bench.tables", str(tables), str(plan.tables), plan.length]
    return Child(str(tables), "TWR", words if plan.switch is None else [*words, str(plan.switch)], on_core)


def _line(row: Measured, plan: TablesPlan) -> Line:
    tables, held = int(row.row), max(burst.rss_mib for burst in row.bursts)
    return {
        "row": "tables",
        "tables": tables,
        "processes": 1,
        "length": plan.length,
        "games": int(row.sum(lambda burst: burst.hanchan)),
        "games_per_cpu_s": round(row.median(rate), 2),
        "turns_per_cpu_s": round(row.median(turns_per_cpu_second)),
        "games_per_wall_s": round(row.median(lambda burst: burst.hanchan / burst.wall), 2),
        "mib_before": round(row.before_mib, 1),
        "mib_peak": round(held, 1),
        "mib_a_table": round((held - row.before_mib) / tables, 3),
        "mib_a_table_goal": MIB_A_TABLE,
        "build": row.build,
    }


def _part(title: str, heads: Sequence[str], keys: Sequence[str], lines: list[Line]) -> Part:
    table = Table(title=title)
    for head in heads:
        table.add_column(head, justify="right")
    for line in lines:
        table.add_row(*(str(line[key]) for key in keys))
    return Part(lines, table)


if __name__ == "__main__":
    tables, games, length, *switch = sys.argv[1:]
    if switch:
        sys.setswitchinterval(float(switch[0]))
    at_once(1, WARM_UP, length)(0)
    serve(at_once(int(tables), int(games), length), 0, build=core)
