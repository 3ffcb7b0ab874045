"""Where the time of a hanchan goes, by samples of Linux's `perf`, which sees into the compiled core.

A sample is the stack of C functions at one moment. Only samples below the judge count (in its thread or a seat's), so
that imports do not. What the C compiler has inlined counts for the function it is in, and Python bots count for the
core's function that calls them.

`python -m scripts.bench.sampling ROW POLICY HANCHAN` plays; `perf` starts it.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec
from rich.console import Group
from rich.table import Table

from jantaku.table import compiled, core
from jantaku.table.ground.errors import TableFault
from scripts.bench.identical import COMPILED
from scripts.bench.measuring import ROOT, chosen_core, pinned
from scripts.bench.output import Line, Part
from scripts.bench.rows import PLAYS
from scripts.bench.showing import where

PER_SECOND = 997
"""Samples per second of CPU time: a prime number, so that no loop keeps step with it."""
STACK = 16384
"""Bytes of the stack kept with a sample: enough to reach the judge."""
HANCHAN = 400
"""Default number of hanchan."""
WARM_UP = 3
SHOWN_FUNCTIONS = 40
ROOTS = ("judge.Judge.run", "seat.Seat.run")
"""Functions at which the judge's thread and a seat's begin."""
FRAME = re.compile(r"\s*[0-9a-f]+ (?P<symbol>.*) \((?P<library>.*)\)$")
OURS = re.compile(r"CPy(?:Def|Py)_(?P<name>.+?)(?:__(?:(?!__)\w)+_glue)?(?:\.\w+)*$")
"""mypyc's symbols: functions, and the wrappers by which Python calls them."""
MEMORY = re.compile(r"alloc|_free|^c?free|^gc_|_gc_|^visit_|traverse|refs$|trash|newreference", re.IGNORECASE)
KINDS = (
    ("the kernel", r"^\[(kernel|vdso|guest)"),
    ("msgspec", r"/msgspec/"),
    ("xiangting", r"xiangting"),
    ("our compiled code", r"/core__mypyc\."),
    ("the interpreter", r"/(lib)?python[\d.]*(so|$)|/python3?$"),
)
"""Kinds by the library of a function. Allocation and release are a kind of their own, in the interpreter or
elsewhere."""


class Frame(NamedTuple):
    """A function on a stack, and its library."""

    symbol: str
    library: str


class Shares(msgspec.Struct):
    """Numbers of samples in which a function was at work itself; itself or in foreign code that it called; anywhere on
    the stack."""

    own: int = 0
    with_others: int = 0
    inclusive: int = 0


class Sampled(msgspec.Struct):
    """The samples: their number, and the number below the judge; shares of our functions; kinds of code at work."""

    samples: int = 0
    counted: int = 0
    functions: dict[str, Shares] = {}
    kinds: Counter[str] = msgspec.field(default_factory=Counter)


def refusal() -> str | None:
    """Return why nothing can be sampled here; None if it can."""
    if core != COMPILED:
        return f"the core is {core}"
    if shutil.which("perf") is None:
        return "perf is not on the PATH"
    with tempfile.TemporaryDirectory(prefix="jantaku-bench-") as folder:
        tried = _perf("record", "-o", str(Path(folder) / "samples"), "--", sys.executable, "-c", "")
    said = tried.stderr.strip().splitlines() or [f"exit code {tried.returncode}"]
    return f"perf may not run here ({said[0].strip()})" if tried.returncode else None


def sampled(row: str, policy: str, hanchan: int) -> Part:
    """Play that many hanchan of the row in a process of its own, and sample it."""
    on_core = chosen_core(True)
    with tempfile.TemporaryDirectory(prefix="jantaku-bench-") as folder:
        kept = str(Path(folder) / "samples")
        play = [sys.executable, "-m", "scripts.bench.sampling", row, policy, str(hanchan)]
        how = ("-F", str(PER_SECOND), "--call-graph", f"dwarf,{STACK}", "-o", kept)
        with pinned(on_core):
            done = _perf("record", *how, "--", *play)
        if done.returncode:
            raise TableFault(f"profile: the sampled process ended with exit code {done.returncode}: {done.stderr}")
        found = counted(stacks(_perf("script", "--no-inline", "-i", kept, "-F", "ip,sym,dso").stdout))
    if not found.counted:
        raise TableFault(f"profile: none of {found.samples} samples is below the judge; try more --hanchan")
    title = f"{hanchan} hanchan of policy {policy}, {row}, {where(on_core)}: {found.counted} samples"
    return Part([*_lines(found, row, policy)], Group(_functions(found, title), _kinds(found)))


def _perf(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(["perf", *words], capture_output=True, text=True, errors="replace", cwd=ROOT, check=False)


# --- reading samples


def stacks(told: str) -> Iterator[list[Frame]]:
    """Yield the stacks from `perf script`, innermost function first."""
    for block in told.split("\n\n"):
        frames = (FRAME.match(line) for line in block.splitlines())
        if found := [Frame(frame["symbol"], frame["library"]) for frame in frames if frame]:
            yield found


def counted(samples: Iterable[list[Frame]]) -> Sampled:
    """Count the samples below the judge, once per function."""
    result = Sampled()
    for stack in samples:
        result.samples += 1
        names = [name_of(frame.symbol) for frame in stack]
        roots = [place for place, name in enumerate(names) if name in ROOTS]
        if not roots:
            continue
        result.counted += 1
        result.kinds[kind_of(stack[0])] += 1
        ours = [name for name in names[: roots[-1] + 1] if name]
        for name in {*ours}:
            result.functions.setdefault(name, Shares()).inclusive += 1
        result.functions[ours[0]].with_others += 1
        if names[0]:
            result.functions[ours[0]].own += 1
    return result


def name_of(symbol: str) -> str:
    """Return `module.Class.method` for one of our symbols, empty for others. The module is abbreviated as by mypyc."""
    match = OURS.match(symbol)
    if match is None:
        return ""
    return re.sub(r"(?<=[^_])___", ".", match["name"])  # a name that begins with underscores keeps them


def kind_of(frame: Frame) -> str:
    """Return the kind of code that a function is."""
    library = next((kind for kind, pattern in KINDS if re.search(pattern, frame.library)), "")
    if library in ("", "the interpreter") and MEMORY.search(frame.symbol):
        return "memory management"
    return library or "other libraries"


def sources() -> list[str]:
    """Return the files that were compiled."""
    note = json.loads((compiled.HERE / compiled.NOTE).read_bytes())
    return [*note["core"]]


def file_of(name: str, files: Iterable[str]) -> str:
    """Return the source file of a function, empty if it is ambiguous."""
    of = [file for file in files if f".{name}".startswith(f".{Path(file).stem}.")]
    return of[0] if len(of) == 1 else ""


# --- showing them


def _lines(found: Sampled, row: str, policy: str) -> Iterator[Line]:
    head = {"row": "profile", "of": row, "policy": policy}
    for name, shares in _sorted(found):
        figures = {key: round(value / found.counted, 4) for key, value in msgspec.structs.asdict(shares).items()}
        yield {**head, "function": name, "file": file_of(name, sources()), **figures}
    for kind, number in found.kinds.most_common():
        yield {**head, "kind": kind, "share": round(number / found.counted, 4)}


def _sorted(found: Sampled) -> list[tuple[str, Shares]]:
    order = sorted(found.functions.items(), key=lambda one: (-one[1].with_others, -one[1].inclusive))
    return order[:SHOWN_FUNCTIONS]


def _functions(found: Sampled, title: str) -> Table:
    table = Table(title=f"{title}\nfunctions of the compiled core")
    table.add_column("function", overflow="fold")
    table.add_column("file", no_wrap=True)
    for name in ("own", "and what is\nnot ours", "inclusive"):
        table.add_column(name, justify="right")
    for name, shares in _sorted(found):
        figures = (f"{value / found.counted:.1%}" for value in msgspec.structs.astuple(shares))
        table.add_row(name, file_of(name, sources()), *figures)
    return table


def _kinds(found: Sampled) -> Table:
    table = Table(title="by what it is")
    table.add_column("what was at work", no_wrap=True)
    table.add_column("share", justify="right")
    for kind, number in found.kinds.most_common():
        table.add_row(kind, f"{number / found.counted:.1%}")
    return table


if __name__ == "__main__":
    row, policy, hanchan = sys.argv[1:]
    play = PLAYS[row](policy)
    for number in range(WARM_UP + int(hanchan)):
        play(number)
