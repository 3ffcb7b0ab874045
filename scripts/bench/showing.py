"""Rows and ratios as JSON lines, and as tables for people."""

import platform
from collections.abc import Sequence

from rich.table import Table

from scripts.bench.measuring import Measured, rate, turns_per_second
from scripts.bench.output import Line


def line_of(measured: Measured) -> Line:
    """Return one row as a JSON object. Figures per hanchan are means, rates are medians of the rounds."""
    hanchan = measured.sum(lambda burst: burst.hanchan)
    questions = measured.sum(lambda burst: burst.questions) / hanchan
    rates = [rate(burst) for burst in measured.bursts]
    return {
        "row": measured.row,
        "policy": measured.policy,
        "hanchan_per_cpu_s": round(measured.median(rate), 3),
        "hanchan_per_cpu_s_range": [round(min(rates), 3), round(max(rates), 3)],
        "hanchan_per_wall_s": round(measured.median(lambda burst: burst.hanchan / burst.wall), 3),
        "turns_per_wall_s": round(measured.median(turns_per_second), 1),
        "cpu_s": round(measured.sum(lambda burst: burst.cpu), 3),
        "wall_s": round(measured.sum(lambda burst: burst.wall), 3),
        "rounds": len(measured.bursts),
        "hanchan": int(hanchan),
        "turns_per_hanchan": round(measured.sum(lambda burst: burst.turns) / hanchan, 1),
        "questions_per_hanchan": round(questions, 1),
        "options_per_hanchan": round(questions * measured.options, 1),
        "peak_rss_mib": round(max(burst.rss_mib for burst in measured.bursts), 1),
        "core": measured.core,
        "build": measured.build,
        "python": platform.python_version(),
    }


def table_of(rows: Sequence[Measured]) -> Table:
    """Make a table of rows; what was not counted is left empty."""
    build = ", ".join(sorted({row.build.partition(":")[0] for row in rows if row.build}))
    title = f"hanchan of four equal bots, Python {platform.python_version()}, {build}, {where(rows[0].core)}"
    table = Table(title=title)
    table.add_column("policy")
    table.add_column("row", no_wrap=True)
    for name in ("per CPU s", "range", "per s", "turns/s", "turns", "asked", "options", "MiB"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        line = line_of(row)
        least, most = line["hanchan_per_cpu_s_range"]
        table.add_row(
            row.policy,
            row.row,
            f"{line['hanchan_per_cpu_s']:.2f}",
            f"{least:.1f}-{most:.1f}",
            f"{line['hanchan_per_wall_s']:.2f}",
            *(f"{value:.0f}" if value else "" for value in _counts(line)),
            f"{line['peak_rss_mib']:.0f}",
        )
    return table


def _counts(line: Line) -> list[float]:
    names = ("turns_per_wall_s", "turns_per_hanchan", "questions_per_hanchan", "options_per_hanchan")
    return [line[name] for name in names]


def where(core: int | None) -> str:
    """Say where the processes ran."""
    return "not pinned" if core is None else f"each process pinned to core {core}"
