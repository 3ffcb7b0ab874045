"""Measures the memory of a long match."""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rich.table import Table

from jantaku.table.ground.errors import TableFault
from scripts.bench.games import journalled
from scripts.bench.measuring import ROOT
from scripts.bench.output import Line, Part

MIB = 1 << 20
MATCH = {"format": "1v3", "players": "dice,dice", "length": "one", "threads": "inline", "workers": "0", "seed": "1"}


def steps(most: int) -> list[int]:
    """Return when to look: after 10, 100, 1000 … and at the end."""
    return sorted({10**power for power in range(1, 9) if 10**power < most} | {most})


def rss(process: int | str = "self") -> float:
    """Return the MiB that a process holds now; if the system does not tell, this process's peak."""
    try:
        pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return pages * os.sysconf("SC_PAGE_SIZE") / MIB


def of_one_process(hanchan: int, say: Callable[[str], None]) -> Part:
    """Play hanchan after hanchan inline with a journal, policies in turn; report the memory on the way."""
    plays = [journalled(policy) for policy in "RWT"]
    looks = set(steps(hanchan))
    found = []
    for number in range(hanchan):
        plays[number % 3](number)
        if number + 1 in looks:
            found.append((number + 1, rss()))
            say(f"{number + 1} hanchan: {found[-1][1]:.1f} MiB")
    return _part("memory", "hanchan of one process", found)


def of_a_match(games: int, say: Callable[[str], None]) -> Part:
    """Let `jantaku match` play games of one kyoku in one process; report its memory on the way."""
    with tempfile.TemporaryDirectory(prefix="jantaku-bench-") as folder:
        out = Path(folder) / "match"
        given = {**MATCH, "sets": str(-(-games // 4)), "out": str(out)}
        flags = [word for name, value in given.items() for word in (f"--{name}", value)]
        run = "from jantaku.table.cli.main import main; main()"  # in the measured process, which has no supervisor
        words = [sys.executable, "-c", run, "match", *flags, "--quiet"]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, cwd=ROOT) as match:
            found = list(_watched(match, out / "journal.jsonl", steps(games), say))
        if match.returncode:
            raise TableFault(f"memory: the match ended with exit code {match.returncode}, see above")
    return _part("memory of a match", "games of one kyoku in one match", found)


def _watched(
    match: "subprocess.Popen[bytes]", journal: Path, looks: Sequence[int], say: Callable[[str], None]
) -> Iterator[tuple[int, float]]:
    """Yield (games, MiB) whenever the journal reaches one of these numbers of lines."""
    left, lines, read = [*looks], -1, 0
    held = 0.0
    while match.poll() is None and left:
        if journal.exists():
            with journal.open("rb") as file:
                file.seek(read)
                new = file.read()
            lines, read = lines + new.count(b"\n"), read + len(new)
        held = rss(match.pid) or held
        if lines >= left[0]:
            say(f"{lines} games: {held:.1f} MiB")
            yield left.pop(0), held
        time.sleep(0.02)
    if left and left[-1] == looks[-1]:
        yield looks[-1], held


def _part(row: str, what: str, found: Sequence[tuple[int, float]]) -> Part:
    table = Table(title=f"{what}: memory held, and growth since the line before")
    for name in ("after", "MiB", "KiB more a thousand"):
        table.add_column(name, justify="right")
    lines: list[Line] = []
    before: tuple[int, float] | None = None
    for count, held in found:
        more = None if before is None else round((held - before[1]) * 1024 / (count - before[0]) * 1000)
        table.add_row(str(count), f"{held:.1f}", "" if more is None else str(more))
        lines.append({"row": row, "after": count, "rss_mib": round(held, 2), "kib_more_a_thousand": more})
        before = count, held
    return Part(lines, table)
