"""The tables of mutants, and what becomes of one: it is planted in a copy of the tree, and the simulation is run there.

`python -m tests.simulation.mutants.planting [WORD]` tries those whose file or reason has the word, and says what found
each.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

TABLES = Path(__file__).parent
ROOT = TABLES.parents[2]
COPIED = ("table", "players", "src", "scripts", "tests/simulation", "tests/judge", "tests/kit")
PATIENCE = 900.0
"""Seconds for one of them, on a busy machine. What has not ended by then is found as well."""
AT_ONCE = 2


class Mutant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One fault. `old` is once in `file`."""

    file: str
    why: str
    """What is wrong then."""
    old: str
    new: str
    first: str = ""
    """What is tried before all else, as pytest's `-k` takes it."""
    equivalent: str = ""
    """Why nothing can find it."""
    commit: str = ""
    """The subject of the commit that mended it once."""


class Tried(msgspec.Struct, frozen=True):
    """What became of one."""

    mutant: Mutant
    found: str
    """By which test; empty: it has survived."""


def mutants() -> list[Mutant]:
    """All of them, as the tables have them. `file` and `first` may be said once, above the mutants of a table."""
    found = []
    for table in sorted(TABLES.glob("*.toml")):
        whole = tomllib.loads(table.read_text("utf-8"))
        common = {key: value for key, value in whole.items() if key != "mutant"}
        found += [msgspec.convert({**common, **one}, Mutant) for one in whole["mutant"]]
    return found


NONE = Mutant("setup.cfg", "nothing is wrong", "", "")
"""What is tried first: without a fault nothing may be found."""


def tried(mutant: Mutant) -> Tried:
    """Plant it in a copy and run the simulation there."""
    with tempfile.TemporaryDirectory(prefix="jantaku-mutant-") as folder:
        copy = Path(folder)
        for name in COPIED:
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
        for file in [*ROOT.glob("*.cfg"), *ROOT.glob("*.toml"), *(ROOT / "tests").glob("__init__.py")]:
            shutil.copy(file, copy / file.relative_to(ROOT))
        shutil.copy(ROOT / "tests" / "conftest.py", copy / "tests")
        place = copy / mutant.file
        if mutant is not NONE:
            place.write_text(place.read_text("utf-8").replace(mutant.old, mutant.new), "utf-8")
        for words in [["-k", mutant.first], []] if mutant.first else [[]]:
            if found := _failed(copy, words):
                return Tried(mutant, found)
    return Tried(mutant, "")


def _failed(copy: Path, words: list[str]) -> str:
    """The first test that fails in the copy; empty if none does."""
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "JANTAKU_PURE": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "--tb=line", "-p", "no:cacheprovider", "-o", "timeout=0"]
    command += ["tests/simulation", *words]
    try:
        run = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return "it did not end"
    if run.returncode in (0, 5):  # 5: nothing was chosen
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) (.*)$", run.stdout, re.MULTILINE)
    return failed.group(1) if failed else run.stdout[-400:] + run.stderr[-400:]


def main(word: str = "") -> int:
    """Try those that have the word; how many have survived and are not said to be equivalent."""
    chosen = [one for one in mutants() if word in f"{one.file} {one.why} {one.commit}"]
    survivors = 0
    if found := tried(NONE).found:
        print(f"without a fault, too, this is found: {found}")
        return 1
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for one in pool.map(tried, chosen):
            survivors += not one.found and not one.mutant.equivalent
            state = f"found by {one.found}" if one.found else one.mutant.equivalent or "SURVIVED"
            print(f"{one.mutant.file}: {one.mutant.why}: {state}", flush=True)
    print(f"{len(chosen)} planted, {survivors} not found and not explained")
    return survivors


if __name__ == "__main__":
    sys.exit(min(1, main(*sys.argv[1:])))
