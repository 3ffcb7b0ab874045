"""Decides which rows are measured beside each other, and in which order."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec
from rich.console import Group

from scripts.bench.comparing import compared, ratio_line, ratio_table
from scripts.bench.measuring import Child, chosen_core, measure, ours
from scripts.bench.output import Part
from scripts.bench.peers import RIVALS, environment, theirs
from scripts.bench.pipes import programs
from scripts.bench.policies import POLICIES
from scripts.bench.reactions import reactions
from scripts.bench.rows import PLAYS, THREADS
from scripts.bench.showing import line_of, table_of

PARTS = ("reaction", "exec")
"""Parts that are measured beside the rows."""
GROUPS: dict[str, tuple[str, ...]] = {"threads": THREADS}
"""Words that name several rows."""


class BenchPlan(msgspec.Struct, frozen=True):
    """What to measure: rows and parts by name, and policies.

    A row has `rounds` bursts of `seconds` CPU seconds each, after `warm_up` hanchan; a part has `games` games of
    `length`. `switch` is the switch interval of our processes in seconds.
    """

    rows: tuple[str, ...] = tuple(PLAYS)
    parts: tuple[str, ...] = PARTS
    policies: tuple[str, ...] = tuple(POLICIES)
    rounds: int = 5
    seconds: float = 1.0
    warm_up: int = 3
    games: int = 5
    length: str = "hanchan"
    peers: bool = False
    pinned: bool = True
    switch: float | None = None


def selected(words: Sequence[str]) -> dict[str, Any]:
    """Return the rows, parts and policies of a `BenchPlan` that words choose: all rows and parts if none is named, all
    policies if none is named."""
    rows = {row for word in words for row in GROUPS.get(word, (word,))}
    chosen: dict[str, Any] = {}
    if rows & {*PLAYS, *PARTS}:
        chosen["rows"] = tuple(row for row in PLAYS if row in rows)
        chosen["parts"] = tuple(part for part in PARTS if part in rows)
    elif words:
        chosen["parts"] = ()
    if policies := tuple(policy for policy in POLICIES if policy in words):
        chosen["policies"] = policies
    return chosen


def measured(plan: BenchPlan, say: Callable[[str], None]) -> Iterator[Part]:
    """Measure policy by policy on one core, rows about threads once more on all cores, and then the parts."""
    if plan.rows:
        yield from _rows(plan, say)
    if "reaction" in plan.parts:
        yield reactions(plan.games)
    if "exec" in plan.parts:
        yield programs(plan.games, plan.length)


def _rows(plan: BenchPlan, say: Callable[[str], None]) -> Iterator[Part]:
    core = chosen_core(plan.pinned)
    python = environment(say) if plan.peers else None
    for policy in plan.policies:
        commands = {row: ours(row, policy, plan.warm_up, plan.switch) for row in plan.rows}
        if python is not None:
            rivals = [rival for row in plan.rows for rival in RIVALS.get(row, ())]
            commands |= {rival: theirs(python, rival, policy, plan.warm_up) for rival in rivals}
        yield _part(plan, policy, commands, core)
    threads = [row for row in plan.rows if row in THREADS]
    if core is not None and threads != ["inline"]:
        policy = plan.policies[0]
        yield _part(plan, policy, {row: ours(row, policy, plan.warm_up, plan.switch) for row in threads}, None)


def _part(plan: BenchPlan, policy: str, commands: dict[str, list[str]], core: int | None) -> Part:
    children = [Child(row, policy, command, core) for row, command in commands.items()]
    rows = measure(children, plan.rounds, plan.seconds)
    found = list(compared(rows))
    lines = [*map(line_of, rows), *(ratio_line(one, rows[0]) for one in found)]
    return Part(lines, Group(table_of(rows), ratio_table(found)) if found else table_of(rows))
