"""The tables of mutants, and what becomes of one: it is planted in a copy of the tree, and the simulation is run
there."""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import msgspec

TABLES = Path(__file__).parent
ROOT = TABLES.parents[2]
PATIENCE = 600.0
"""Seconds for one of them, on a busy machine. What has not ended by then is found as well."""


class Mutant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One fault. `old` is once in `file`."""

    file: str
    why: str
    """What is wrong then."""
    old: str
    new: str
    first: str = " "
    """The words of one of which the parts that are tried before all others have."""
    equivalent: str = ""
    """Why nothing can find it, or nothing that is simulated here."""
    commit: str = ""
    """The subject of the commit that mended it once."""


def mutants() -> list[Mutant]:
    """All of them, as the tables have them. `file` and `first` may be said once, above the mutants of a table."""
    read = []
    for table in sorted(TABLES.glob("*.toml")):
        whole = tomllib.loads(table.read_text("utf-8"))
        common = {key: value for key, value in whole.items() if key != "mutant"}
        read += [msgspec.convert({**common, **one}, Mutant) for one in whole["mutant"]]
    return read


NONE = Mutant("setup.cfg", "nothing is wrong", "", "")
"""What is tried first: without a fault nothing may be found."""


def found(mutant: Mutant) -> str:
    """By which part it is found; empty: it has survived."""
    with tempfile.TemporaryDirectory(prefix="jantaku-mutant-") as folder:
        copy = Path(folder)
        text = (ROOT / mutant.file).read_text("utf-8")
        _copied(copy, Path(mutant.file), text.replace(mutant.old, mutant.new) if mutant.old else text)
        return _found(copy, mutant.first)


def _copied(copy: Path, file: Path, text: str) -> None:
    """A tree in which that file is another, and all else is ours. `src` is copied: its links lead to the copy."""
    source = ROOT
    shutil.copytree(ROOT / "src", copy / "src", symlinks=True)
    for name in file.parts:
        for one in source.iterdir():
            if one.name not in (name, "__pycache__", ".git", "build", "src"):
                (copy / one.name).symlink_to(one)
        source, copy = source / name, copy / name
        if source.is_dir():
            copy.mkdir()
    copy.write_text(text, "utf-8")


def _found(copy: Path, first: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "JANTAKU_PURE": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "tests.simulation.parts", first]
    try:
        run = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return "the time that it takes"
    return "" if run.returncode == 0 else run.stdout.strip() or run.stderr.strip().rpartition("\n")[2]
