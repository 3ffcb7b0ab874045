"""Fetches players that others know, unmodified, and prints the line by which each is seated.

    python -m scripts.anchors                                    lists them: where from, which version, which licence
    python -m scripts.anchors majiang-ai-0504 manue-013          fetches what is missing, tries each in a kyoku
    python -m scripts.anchors all --from majiang-ai              … from a clone that is here already

They are kept in the user's cache (~/.cache/jantaku/anchors); nothing of them is part of jantaku.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from pathlib import Path

from jantaku.table.ground.errors import BadInput
from scripts.anchors.known import ANCHORS, Origin, Package


def home() -> Path:
    """The folder of all anchors."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").absolute() / "jantaku" / "anchors"


def ran(tool: str, *words: str, remedy: str) -> str:
    """Return what a tool prints. BadInput with its last line if it is missing or fails."""
    if shutil.which(tool) is None:
        raise BadInput(f"{tool} is not on the PATH: install it (npm and node come with Node.js, from version 18 on)")
    # English for `cause`; in the locale C, Python fails where the path of an installation is not ASCII.
    done = subprocess.run([tool, *words], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    if done.returncode:
        said = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        cause = next(
            (line for line in said if "fatal" in line or "error" in line.lower()), said[-1] if said else "no reason"
        )
        raise BadInput(f"{Path(tool).name}: {cause.strip()}; {remedy}")
    return done.stdout


def packages(home: Path, wanted: Sequence[Package]) -> None:
    """Install packages that are missing, and compare versions and checksums. Nothing of theirs runs meanwhile."""
    home.mkdir(parents=True, exist_ok=True)
    lock = home / "package-lock.json"
    here = json.loads(lock.read_text("utf-8"))["packages"] if lock.is_file() else {}
    if any(f"node_modules/{one.name}" not in here for one in wanted):
        quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", "--loglevel=error")
        specs = [f"{one.name}@{one.version}" for one in wanted]
        ran("npm", "install", "--prefix", str(home), *quiet, *specs, remedy="is the registry of npm in reach?")
        here = json.loads(lock.read_text("utf-8"))["packages"]
    for one in wanted:
        found = here[f"node_modules/{one.name}"]
        if (found["version"], found.get("integrity")) != (one.version, one.digest):
            raise BadInput(f"{home} has {one.name} {found['version']}, not {one.version} as published: remove it")


def python(home: Path, wanted: Sequence[Package]) -> Path:
    """Return an interpreter that has these packages, whose checksums pip compares."""
    place = home / "-".join(["python", sys.implementation.cache_tag, *(f"{one.name}-{one.version}" for one in wanted)])
    found, ready = place / "bin" / "python", place / "ready"
    if not ready.is_file():
        venv.create(place, clear=True, with_pip=True)
        needs = place / "requirements.txt"
        needs.write_text("".join(f"{one.name}=={one.version} --hash={one.digest}\n" for one in wanted), "utf-8")
        pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--require-hashes", "-r", str(needs))
        ran(str(found), *pip, remedy="is the index of pip in reach?")
        ready.touch()
    return found


def files(home: Path, origin: Origin, source: str | None) -> None:
    """Clone a repository at its commit if it is missing. BadInput if it is not that commit, whole and unchanged."""
    place, named = home / origin.folder, source or origin.address
    if place.is_dir() and not _is(place, origin):
        raise BadInput(f"{place} is not commit {origin.commit} as published: remove it")
    if not place.is_dir():
        home.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=home) as folder:
            new = Path(folder, "clone")
            elsewhere = "--from DIR takes another clone"
            ran("git", "clone", "--quiet", "--no-checkout", named, str(new), remedy=elsewhere)
            ran("git", "-C", str(new), "checkout", "--quiet", "--detach", origin.commit, remedy=elsewhere)
            if not _is(new, origin):
                raise BadInput(f"{named} has not all files of commit {origin.commit}; {elsewhere}")
            new.rename(place)


def _is(place: Path, origin: Origin) -> bool:
    at = ran("git", "-C", str(place), "rev-parse", "HEAD", remedy=f"remove {place}")
    changed = ran("git", "-C", str(place), "status", "--porcelain", "--ignored", remedy=f"remove {place}")
    return (at.strip(), changed) == (origin.commit, "")


def seated(name: str, home: Path, source: str | None) -> str:
    """Fetch an anchor and return its line, once it has played a kyoku without a fault."""
    anchor = ANCHORS[name]
    if anchor.packages:
        packages(home, anchor.packages)
    if not anchor.packed:
        files(home, anchor.origin, source)
    interpreter = python(home, anchor.wheels) if anchor.wheels else sys.executable
    put = {"home": str(home), "files": str(home / anchor.origin.folder), "python": str(interpreter)}
    command = shlex.join(word.format(**put) for word in anchor.words)
    line = f"exec:{command}?" + "&".join([f"name={name}", *(term.format(**put) for term in anchor.terms)])
    with tempfile.TemporaryDirectory() as out:
        table = ["-m", "jantaku", "play", "--quiet", "--strict", "--length", "one", "--out", out]
        remedy = f"{name} does not play; `jantaku exam` with its line shows where: {line}"
        ran(sys.executable, *table, "--players", f"{line},tsumogiri,tsumogiri,tsumogiri", remedy=remedy)
    return line


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m scripts.anchors", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="anchors, or all")
    parser.add_argument("--from", dest="source", metavar="DIR", help="a clone of their repository, instead of GitHub")
    given = parser.parse_args(words)
    names = list(ANCHORS) if given.names == ["all"] else given.names
    try:
        if wrong := [name for name in names if name not in ANCHORS]:
            raise BadInput(f"there is no anchor {wrong[0]}; without a name all are listed")
        if given.source and len({ANCHORS[name].origin.address for name in names}) > 1:
            raise BadInput("--from is a clone of one repository: name anchors of one, see the list")
        for name in names:
            print(seated(name, home(), given.source), flush=True)
    except BadInput as error:
        print(f"anchors: {error}", file=sys.stderr)
        return 2
    for name, anchor in ANCHORS.items() if not names else ():
        needed = " ".join(f"{one.name}@{one.version}" for one in (*anchor.packages, *anchor.wheels))
        print(f"{name:17} {anchor.origin.address} {anchor.origin.commit} {anchor.origin.licence}; {needed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
