"""Fresh environments for tests outside the checkout: this machine's Pythons, the sources, and uv."""

import configparser
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from jantaku.table.ground import installation

ROOT = Path(__file__).parents[1]
PYTHON = shlex.quote(sys.executable)
"""This Python in a command: its folder may have a space in its name."""
BEYOND = ("3.13t", "3.14", "3.14t")
"""Versions that are tried without a promise: the next ones, and those without the interpreter's lock (t), which run
plain Python."""
PYENV = os.environ.get("PYENV_ROOT", "~/.pyenv")
PLACES = (f"{PYENV}/versions/*/bin", "~/.local/share/uv/python/*/bin", "/usr/local/bin", "/usr/bin")
"""Folders of interpreters that are not on the PATH: pyenv's, uv's, self-built ones, and Debian's."""
FIT = """
import os, sys, sysconfig, venv
print(os.path.realpath(sys.executable))
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))
"""
"""Run by an interpreter: tells whether it can make environments and has the headers that compiling needs."""


def supported() -> list[str]:
    """Return the versions that setup.cfg promises to support, the oldest first: `3.11`."""
    settings = configparser.ConfigParser()
    settings.read(ROOT / "setup.cfg", "utf-8")
    return re.findall(r"Python :: (\d+\.\d+)$", settings["metadata"]["classifiers"], re.MULTILINE)


def interpreters(versions: Iterable[str]) -> dict[str, Path]:
    """Return by version the first suitable interpreter on this machine; versions without one are left out."""
    places = [Path(place).expanduser() for place in PLACES]
    beside = [str(found) for place in places for found in sorted(Path("/").glob(str(place)[1:]))]
    path = os.pathsep.join([os.environ.get("PATH", ""), *beside])
    found = {}
    for version in versions:
        folders = (folder for folder in path.split(os.pathsep) if folder)
        every = (shutil.which(f"python{version}", path=folder) for folder in folders)
        if fit := next(filter(None, (_fit(name) for name in every if name)), None):
            found[version] = fit
    return found


def told_missing(versions: Iterable[str]) -> str:
    """Write a line about versions without an interpreter; empty if there are none."""
    names = ", ".join(f"Python {version}" for version in versions)
    places = "PATH, in pyenv, uv, /usr/local/bin or /usr/bin"
    return names and f"not found on the {places}, with headers: {names}"


def _fit(name: str) -> Path | None:
    ran = subprocess.run([name, "-c", FIT], capture_output=True, text=True)
    return Path(ran.stdout.strip()) if ran.returncode == 0 else None


class Workshop:
    """A folder with a copy of what git tracks, so that builds leave nothing in the checkout, and with tools.

    `tools`: packages whose commands `run` runs, besides uv.
    """

    def __init__(self, folder: Path, *tools: str) -> None:
        self.folder = folder
        self.sources = folder / "sources"
        _copy_tracked(self.sources)
        venv.create(folder / "tools", with_pip=True)
        self.bin = folder / "tools" / "bin"
        self.run("pip", "install", "--quiet", "--disable-pip-version-check", "uv", *tools)

    def run(self, tool: str, *words: str | Path, **env: str) -> str:
        """Return a tool's output. SystemExit with the end of its output if it fails."""
        found = {"PATH": f"{self.bin}{os.pathsep}{os.environ['PATH']}", "UV_PYTHON_PREFERENCE": "only-system"}
        command = [str(self.bin / tool), *map(str, words)]
        told = {**os.environ, **found, **env}
        ran = subprocess.run(command, cwd=self.folder, env=told, capture_output=True, text=True)
        if ran.returncode != 0:
            said = (ran.stdout + ran.stderr).splitlines()[-20:]
            raise SystemExit("\n".join([" ".join(command), *said]))
        return ran.stdout

    def environment(self, python: Path, *wanted: str | Path, **env: str) -> Path:
        """Return the interpreter of a new environment with these packages, files or flags of `uv pip install`."""
        place = Path(tempfile.mkdtemp(dir=self.folder))
        self.run("uv", "venv", "--quiet", "--clear", "--python", python, place)
        self.run("uv", "pip", "install", "--quiet", "--python", place / "bin" / "python", *wanted, **env)
        return place / "bin" / "python"


@contextmanager
def workshop(*tools: str) -> Iterator[Workshop]:
    """Make a workshop that is removed at the end of the context."""
    with tempfile.TemporaryDirectory(prefix="jantaku-workshop-") as folder:
        yield Workshop(Path(folder), *tools)


def _copy_tracked(target: Path) -> None:
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in tracked.rstrip("\0").split("\0"):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target / name, follow_symlinks=False)
    (target / installation.STAMP).write_text(f"node: {installation.commit_of(str(ROOT))}\n", "utf-8")


def tested(python: Path, sources: Path, *words: str, **env: str) -> int:
    """Run pytest on the sources with an environment's interpreter; return its exit code."""
    command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    return subprocess.run(command, cwd=sources, env={**os.environ, **env}).returncode
