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
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from jantaku.players import adapters
from jantaku.table.ground.errors import BadInput

HERE = Path(__file__).parent
ADAPTER = Path(adapters.__file__).parent / "majiang_ai.js"
LEGACY = "0000 0001 0002 0003 0004 0101 0102 0201 0202 0301 0302 0303 0304 0305 0400 0401 0402 0403 0501 0502 0503 0504"


class Package(NamedTuple):
    """A version of a package of npm. `digest`: the checksum of its archive."""

    name: str
    version: str
    digest: str


class Origin(NamedTuple):
    """A version of a repository."""

    address: str
    commit: str
    licence: str

    @property
    def folder(self) -> str:
        return f"{self.address.rpartition('/')[2]}-{self.commit[:12]}"


class Anchor(NamedTuple):
    """A player of others. `words`: its command, in which {home} is the folder of all and {files} that of its
    repository; `terms` follow the question mark. `packed`: its repository's version comes as a package."""

    origin: Origin
    packages: tuple[Package, ...]
    words: tuple[str, ...]
    terms: tuple[str, ...] = ()
    packed: bool = False


MAJIANG = Origin("https://github.com/kobalab/majiang-ai", "54434f3dc355caf6d43f3f7de382d22697be0d20", "MIT")
MANUE = "https://github.com/gimite/mjai-manue"
AI = Package(
    "@kobalab/majiang-ai",
    "1.0.13",
    "sha512-0nknoQyv/X/s+RiNpW17brnu8zKsyzdejR1P5p28UPWvRcLeZw6j6EzHBxWhde5SFBTDrxET/7R4v3+oqsXWOw==",
)
CORE = Package(
    "@kobalab/majiang-core",
    "1.4.1",
    "sha512-60jLSDCpSEy6gZK+uBoH7JRc1epzJWSzfh94LiZllLmPW8UJ+f9A8m74c8d9mMv+LVbnxKkg8TC86sKNqaD6VQ==",
)
COFFEE = Package(
    "coffee-script",
    "1.12.7",
    "sha512-fLeEhqwymYat/MpTPUjSKHVYYl0ec2mOyALEMLmzr5i1isuG+6jfI2j2d5oBO3VIzgUXgBVIcOT9uH1TFxBckw==",
)


def _manue(commit: str) -> Anchor:
    run = (sys.executable, str(HERE / "over_tcp.py"), "node", "{home}/node_modules/coffee-script/bin/coffee")
    terms = ("dialect=mjsonp", "restart=always", "cwd={files}/coffee")
    return Anchor(Origin(MANUE, commit, "New BSD"), (COFFEE,), (*run, "main.coffee"), terms)


ANCHORS = {
    "majiang-ai": Anchor(
        MAJIANG, (AI, CORE), ("node", str(ADAPTER), "{home}/node_modules/@kobalab/majiang-ai"), packed=True
    ),
    **{
        f"majiang-ai-{one}": Anchor(MAJIANG, (CORE,), ("node", str(ADAPTER), f"{{files}}/legacy/player-{one}.js"))
        for one in LEGACY.split()
    },
    "manue-013": _manue("893f6f938ee33678c0bcc07f326be2f65858e1b1"),
    "manue-014": _manue("a6ce6c3c11c44cec79e2f183a63af0d66488fce6"),
}


def ran(tool: str, *words: str, remedy: str) -> str:
    """Return what a tool prints. BadInput with its last line if it is missing or fails."""
    if shutil.which(tool) is None:
        raise BadInput(f"{tool} is not on the PATH: install it (npm and node come with Node.js, from version 18 on)")
    done = subprocess.run([tool, *words], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    if done.returncode:
        said = [line for line in (done.stderr + done.stdout).splitlines() if line.strip()]
        cause = next((line for line in said if "fatal" in line or "error" in line), said[-1] if said else "no reason")
        raise BadInput(f"{tool} {words[0]}: {cause.strip()}; {remedy}")
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
    packages(home, anchor.packages)
    if not anchor.packed:
        files(home, anchor.origin, source)
    put = {"home": str(home), "files": str(home / anchor.origin.folder)}
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
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").absolute() / "jantaku" / "anchors"
        for name in names:
            print(seated(name, home, given.source), flush=True)
    except BadInput as error:
        print(f"anchors: {error}", file=sys.stderr)
        return 2
    for name, anchor in ANCHORS.items() if not names else ():
        of_npm = " ".join(f"{one.name}@{one.version}" for one in anchor.packages)
        print(f"{name:15} {anchor.origin.address} {anchor.origin.commit} {anchor.origin.licence}; npm: {of_npm}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
