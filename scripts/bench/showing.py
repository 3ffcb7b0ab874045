"""Prints measurements as they come: one JSON line each, or tables for people."""

import json
import platform
from collections.abc import Sequence
from typing import Any

import msgspec
from rich.console import Console, Group, RenderableType
from rich.table import Table

from scripts.bench.measuring import Measured, compared, rate

Line = dict[str, Any]


class Part(msgspec.Struct):
    """The result of one part of a run, as JSON objects and as something that rich can print."""

    lines: list[Line]
    shown: RenderableType


class Output:
    """Standard output. Progress notes go to stderr."""

    def __init__(self, as_json: bool) -> None:
        self._json = as_json
        self.lines: list[Line] = []
        self._console = Console(width=None if Console().is_terminal else 110)
        self._notes = Console(stderr=True, highlight=False)

    def show(self, part: Part) -> None:
        self.lines += part.lines
        if self._json:
            for line in part.lines:
                print(json.dumps(line, ensure_ascii=False), flush=True)
        else:
            self._console.print(part.shown, soft_wrap=isinstance(part.shown, str), highlight=False)

    def note(self, text: str) -> None:
        self._notes.print(f"bench: {text}", markup=False, soft_wrap=True)


def part_of(rows: Sequence[Measured]) -> Part:
    """Report rows of one policy and core, and how they compare."""
    lines, ratios = [_line(row) for row in rows], [*compared(rows)]
    told = {"policy": rows[0].policy, "core": rows[0].core}
    lines += [{"ratio": what, **told, "value": round(value, 4)} for what, value in ratios]
    beside = Table()
    beside.add_column("compared within the rounds", no_wrap=True)
    beside.add_column("ratio", justify="right")
    for what, value in ratios:
        beside.add_row(what, f"{value:.3f}")
    return Part(lines, Group(_table(rows), *[beside] * bool(ratios)))


def _line(measured: Measured) -> Line:
    """Return one row as a JSON object. Figures per hanchan are means, rates are medians of the rounds."""
    hanchan = measured.sum(lambda burst: burst.hanchan)
    rates = [rate(burst) for burst in measured.bursts]
    return {
        "row": measured.row,
        "policy": measured.policy,
        "hanchan_per_cpu_s": round(measured.median(rate), 3),
        "hanchan_per_cpu_s_range": [round(min(rates), 3), round(max(rates), 3)],
        "hanchan_per_wall_s": round(measured.median(lambda burst: burst.hanchan / burst.wall), 3),
        "turns_per_wall_s": round(measured.median(lambda burst: burst.turns / burst.wall), 1),
        "cpu_s": round(measured.sum(lambda burst: burst.cpu), 3),
        "wall_s": round(measured.sum(lambda burst: burst.wall), 3),
        "rounds": len(measured.bursts),
        "hanchan": int(hanchan),
        "turns_per_hanchan": round(measured.sum(lambda burst: burst.turns) / hanchan, 1),
        "questions_per_hanchan": round(measured.sum(lambda burst: burst.questions) / hanchan, 1),
        "core": measured.core,
        "build": measured.build,
        "python": platform.python_version(),
    }


COUNTS = ("turns_per_wall_s", "turns_per_hanchan", "questions_per_hanchan")


def _table(rows: Sequence[Measured]) -> Table:
    """Make a table of rows; what was not counted is left empty."""
    build = ", ".join(sorted({row.build for row in rows if row.build}))
    where = "not pinned" if rows[0].core is None else f"each process pinned to core {rows[0].core}"
    table = Table(title=f"hanchan of four equal bots, Python {platform.python_version()}, {build}, {where}")
    table.add_column("policy")
    table.add_column("row", no_wrap=True)
    for name in ("per CPU s", "range", "per s", "turns/s", "turns", "asked"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        line = _line(row)
        least, most = line["hanchan_per_cpu_s_range"]
        rates = (f"{line['hanchan_per_cpu_s']:.2f}", f"{least:.1f}-{most:.1f}", f"{line['hanchan_per_wall_s']:.2f}")
        table.add_row(row.policy, row.row, *rates, *(f"{line[key]:.0f}" if line[key] else "" for key in COUNTS))
    return table
