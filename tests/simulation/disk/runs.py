"""Commands on the simulated disk, each run in a process of its own that a fault can end."""

import gc
import importlib
import os
import shutil
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tests.simulation.disk import sqlite
from tests.simulation.disk.disk import Disk
from tests.simulation.disk.faults import Fault, Step

Words = tuple[str, ...]
"""A command."""
BROKEN: Final = 99
"""Exit code of a run that has shown a mistake of the simulation itself."""
_CLOCKS: Final = ("monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime")


class Ran(NamedTuple):
    """What came of a run: its exit code, its steps, and what it has printed."""

    code: int
    steps: list[Step]
    out: str
    err: str


def prepare() -> None:
    """Import all that commands need, once, and stop the clocks: the same command then writes the same bytes. To be
    called before anything of jantaku is imported, as the only thing that its process does with it."""
    for name in _CLOCKS:
        setattr(time, name, lambda *which: 0.0)
    for name in ("arena.commands.tournament", "arena.commands.match", "cli.commands.play"):
        importlib.import_module(f"jantaku.table.{name}")
    importlib.import_module("jantaku.table.ground.installation").version()
    importlib.import_module("jantaku.table.play.seating.roster").enlist(["dice", "caller", "tsumogiri", "shanten"])
    rules = importlib.import_module("jantaku.table.riichi.ruleset")
    rules.describe(rules.preset(rules.DEFAULT))  # which reads every preset
    gc.disable()  # looking for garbage writes on all pages that the runs share with this process


class Machine:
    """A place for simulated disks: the disk is at `root`, and empty after `clear`."""

    def __init__(self, place: Path, *, apart: bool = False) -> None:
        self.root, self._beside, self._apart = place / "disk", place, apart
        self.clear()

    def clear(self, template: Path | None = None) -> None:
        shutil.rmtree(self.root, ignore_errors=True)
        if template is None:
            self.root.mkdir(parents=True)
        else:
            shutil.copytree(template, self.root, symlinks=True)

    def run(self, commands: Sequence[Words], fault: Fault | None = None, *, stubborn: bool = False) -> Ran:
        """Run commands one after another until one fails; `stubborn`: all of them. The exit code is that of the last
        one."""
        sys.stdout.flush()
        child = os.fork()
        if not child:
            self._be(commands, fault, stubborn)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        out, err, steps = ((self._beside / name).read_text("utf-8") for name in ("out", "err", "steps"))
        if code == BROKEN:
            raise RuntimeError(err)
        told = [line.split("\t") for line in steps.splitlines()]
        return Ran(code, [Step(what, path, int(size)) for what, path, size in told], out, err)

    def _be(self, commands: Sequence[Words], fault: Fault | None, stubborn: bool) -> None:
        code = BROKEN
        try:
            for number, name in enumerate(("out", "err"), 1):
                os.dup2(os.open(self._beside / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
            os.chdir(self.root)
            os.environ["XDG_STATE_HOME"] = str(self.root / "state")
            disk = Disk(self.root, fault, apart=self._apart, log=self._beside / "steps")
            if not sqlite.install(disk):
                raise RuntimeError("the steps of Python's SQLite cannot be seen: it is no library of its own")
            disk.install()
            code = _codes(commands, stubborn)
            disk.close()
        except BaseException:
            traceback.print_exc()
            code = BROKEN
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)


def _codes(commands: Sequence[Words], stubborn: bool) -> int:
    main = importlib.import_module("jantaku.table.cli.main").main
    code = 0
    for words in commands:
        sys.stderr.flush()
        os.ftruncate(2, 0)  # what the last one says is what counts
        os.lseek(2, 0, os.SEEK_SET)
        try:
            main(words)
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 1
        if code and not stubborn:
            break
    return code
