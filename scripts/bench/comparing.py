"""Compares the rows of one run: ratios, taken within rounds."""

from collections.abc import Iterator, Sequence

import msgspec
from rich.table import Table

from scripts.bench.measuring import Measured, rate, turns_per_cpu_second, turns_per_second
from scripts.bench.output import Line
from scripts.bench.peers import RIVALS

PEERS = {"inline": 4, "board": 3, "three": 2}
"""Goal for each row, as a multiple of the best other engine's speed."""
THREADS = (("resident", "four", "≥ 0.7"), ("resident", "asked", "≥ 0.7"), ("per-turn", "start-join", "≥ 0.8"))
"""A row with threads, the bare threads beside it, and the goal for their ratio."""
JOURNALS = (
    ("inline", "journal", "the journal", "< 0.03"),
    ("inline", "buffered", "the journal in large pieces", "< 0.03"),
    ("inline", "written", "bare writes of as many bytes", ""),
    ("board", "board-play", "the journal of `play` with boards", "≤ 0.10"),
    ("board", "board-match", "the journal of `match` with boards", "≤ 0.05"),
    ("board", "board-written", "bare writes of as many bytes, with boards", ""),
    ("board", "board-once", "one bare write of as many bytes, with boards", ""),
)
"""A row without a journal, the same with it, the name of the difference, and the goal for its share of the time."""


class Ratio(msgspec.Struct, frozen=True):
    """Two rows compared. `goal` is in words."""

    what: str
    value: float
    goal: str = ""


def compared(rows: Sequence[Measured]) -> Iterator[Ratio]:
    """Yield all ratios between rows of one policy and core."""
    by_name = {row.row: row for row in rows}
    for row, rivals in RIVALS.items():
        yield from _with_peers(by_name, row, rivals)
    if {"inline", "engine"} <= by_name.keys():
        yield Ratio("engine : inline, what the judge costs", by_name["engine"].ratio(by_name["inline"], rate))
    for without, row, what, goal in JOURNALS:
        if {without, row} <= by_name.keys():
            share = 1 - by_name[row].ratio(by_name[without], rate)
            yield Ratio(f"share of {what} in a hanchan with it", share, goal)
    yield from _with_bare_threads(by_name)


def _with_peers(by_name: dict[str, Measured], row: str, peers: Sequence[str]) -> Iterator[Ratio]:
    ours, rivals = by_name.get(row), [by_name[name] for name in peers if name in by_name]
    if ours is None or not rivals:
        return
    best = max(rivals, key=lambda rival: rival.median(rate))
    for rival in rivals:
        what = f"{row} : {rival.row}, hanchan per CPU s"
        yield Ratio(what, ours.ratio(rival, rate), f"≥ {PEERS[row]} (the best peer)" if rival is best else "")


def _with_bare_threads(by_name: dict[str, Measured]) -> Iterator[Ratio]:
    for name, bare, goal in THREADS:
        if {name, bare} <= by_name.keys():
            ours, limit = by_name[name], by_name[bare]
            yield Ratio(f"{name} : {bare}, turns per s", ours.ratio(limit, turns_per_second), goal)
            yield Ratio(f"{name} : {bare}, turns per CPU s", ours.ratio(limit, turns_per_cpu_second), goal)
    if {"inline", "resident", "asked"} <= by_name.keys():
        inline, resident, asked = (by_name[row].median(turns_per_cpu_second) for row in ("inline", "resident", "asked"))
        yield Ratio("what resident adds to inline : asked, CPU s of a turn", asked * (1 / resident - 1 / inline))


def ratio_line(ratio: Ratio, row: Measured) -> Line:
    """Return a ratio as a JSON object; `row` is one of the rows compared."""
    value = round(ratio.value, 4)
    return {"ratio": ratio.what, "policy": row.policy, "core": row.core, "value": value, "goal": ratio.goal}


def ratio_table(ratios: Sequence[Ratio]) -> Table:
    """Make a table of ratios."""
    table = Table()
    table.add_column("compared within the rounds", no_wrap=True)
    table.add_column("ratio", justify="right")
    table.add_column("goal")
    for ratio in ratios:
        table.add_row(ratio.what, f"{ratio.value:.3f}", ratio.goal)
    return table
