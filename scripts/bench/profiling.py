"""Where the time of a hanchan goes: functions by their own time, and the same grouped by file.

For machines on which nothing can be sampled (`sampling`). cProfile sees every call, other packages' compiled functions
included, and makes many short calls look more expensive than they are: compare shares, and take speeds from the rows.
"""

import cProfile
import pstats
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Group
from rich.table import Table

from jantaku.table import core
from scripts.bench.identical import COMPILED, PURE
from scripts.bench.measuring import ROOT
from scripts.bench.output import Line, Part
from scripts.bench.rows import PLAYS

HANCHAN = 50
"""Default number of hanchan."""
SHOWN_FUNCTIONS = 30
SHOWN_FILES = 20


class Cost(NamedTuple):
    """What one function, or all functions of a file, took over all hanchan: own seconds, calls."""

    place: str
    function: str
    own: float
    calls: int


def profiled(row: str, policy: str, hanchan: int) -> Part:
    """Play that many hanchan of the row under the profiler."""
    play = PLAYS[row](policy)
    for number in range(3):  # warm
        play(number)
    profile = cProfile.Profile()
    profile.enable()
    for number in range(hanchan):
        play(number)
    profile.disable()
    functions = sorted(_costs(profile), key=lambda cost: -cost.own)
    files = sorted(_by_file(functions), key=lambda cost: -cost.own)
    total = sum(cost.own for cost in functions)
    title = f"{hanchan} hanchan of policy {policy}, {row}, core {core}: {total:.2f} s under the profiler"
    if core == COMPILED:
        title += f"\n(compiled functions are not seen from outside; {PURE}=1 shows them as plain Python)"
    shown = Group(
        _table(f"{title}\nby function", functions[:SHOWN_FUNCTIONS], total, hanchan),
        _table("by file", files[:SHOWN_FILES], total, hanchan),
    )
    told = (*files, *functions[:SHOWN_FUNCTIONS])
    return Part([_line(cost, total, hanchan, row, policy) for cost in told], shown)


def _costs(profile: cProfile.Profile) -> list[Cost]:
    stats: dict[tuple[str, int, str], Any] = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    return [
        Cost(_place(file), f"{name}:{line}" if line else name, own, calls)
        for (file, line, name), (_, calls, own, _, _) in stats.items()
    ]


def _place(file: str) -> str:
    """Return a file's path in the project, or its last two names outside it; `~` stands for compiled code."""
    if file == "~":
        return "compiled or built in"
    path = Path(file)
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else "/".join(path.parts[-2:])


def _by_file(functions: list[Cost]) -> list[Cost]:
    own: defaultdict[str, float] = defaultdict(float)
    calls: defaultdict[str, int] = defaultdict(int)
    for cost in functions:
        own[cost.place] += cost.own
        calls[cost.place] += cost.calls
    return [Cost(place, "", own[place], calls[place]) for place in own]


def _table(title: str, costs: list[Cost], total: float, hanchan: int) -> Table:
    table = Table(title=title)
    table.add_column("file", no_wrap=True)
    if costs and costs[0].function:
        table.add_column("function", overflow="fold")
    for name in ("share", "ms a hanchan", "calls a hanchan"):
        table.add_column(name, justify="right")
    for cost in costs:
        names = [cost.place, cost.function] if cost.function else [cost.place]
        figures = [f"{cost.own / total:.1%}", f"{cost.own / hanchan * 1000:.2f}", f"{cost.calls / hanchan:.0f}"]
        table.add_row(*names, *figures)
    return table


def _line(cost: Cost, total: float, hanchan: int, row: str, policy: str) -> Line:
    return {
        "row": "profile",
        "of": row,
        "policy": policy,
        "file": cost.place,
        "function": cost.function,
        "share": round(cost.own / total, 4),
        "ms_per_hanchan": round(cost.own / hanchan * 1000, 4),
        "calls_per_hanchan": round(cost.calls / hanchan, 1),
    }
