"""Hanchan between programs that `jantaku play` starts: over pipes, and from folders and zips."""

import os
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from scripts.environments import PYTHON

HERE = Path(__file__).parent
HAND = HERE / "hand.py"
MANIFEST = """manifest_version = 1
[bot]
name = "hand"
supported_modes = ["4p"]
[settings.style]
type = "enum"
default = "plain"
choices = ["plain", "bold"]
"""
PACKAGE = "mjai==0.2.1"
THEIRS = """import sys
from mjai.bot.{module} import {name}
{name}(player_id=int(sys.argv[1])).start()
"""
Spec = Callable[[Path], str]
"""Returns a player's specification for `--players`, after making what it needs in a folder."""


def lines(dialect: str) -> Spec:
    """Return `hand.py`, started as a program."""
    return lambda place: f"exec:{PYTHON} -u {shlex.quote(str(HAND))} {{id}}?dialect={dialect}"


def akagi(place: Path) -> str:
    """Make a folder as Akagi 3 has it."""
    project = '[project]\nname = "hand"\nrequires-python = ">=3.11"\n'
    files = {"bot.py": HAND.read_text("utf-8"), "manifest.toml": MANIFEST, "pyproject.toml": project}
    return _folder(place / "akagi", files)


def submission(place: Path) -> str:
    """Make a zip as it was submitted to mjai.app."""
    return f"folder:{_zipped(place / 'submission.zip', HAND.read_text('utf-8'))}"


def mortal(place: Path) -> str:
    """Make a folder as Mortal has it."""
    config = "[control]\nversion = 4\n"
    return _folder(place / "mortal", {"mortal.py": HAND.read_text("utf-8"), "config.toml": config})


def rulebase(place: Path) -> str:
    """Make a folder with RulebaseBot of PyPI's mjai that names the package."""
    bot = THEIRS.format(module="rulebase", name="RulebaseBot")
    return _folder(place / "rulebase", {"bot.py": bot, "requirements.txt": PACKAGE + "\n"})


def riichibot(place: Path) -> str:
    """Make a zip with RiichiBot of PyPI's mjai that names no package: mjai.app had it installed."""
    program = THEIRS.format(module="riichibot", name="RiichiBot")
    return f"folder:{_zipped(place / 'riichibot.zip', program)}"


def _folder(home: Path, files: Mapping[str, str]) -> str:
    home.mkdir(exist_ok=True)
    for name, text in files.items():
        (home / name).write_text(text, "utf-8")
    return f"folder:{home}"


def _zipped(file: Path, program: str) -> Path:
    with zipfile.ZipFile(file, "w") as written:
        written.writestr(zipfile.ZipInfo("bot/bot.py"), program)
    return file


def play(folder: Path, specs: Sequence[Spec], numbers: Sequence[int], env: Mapping[str, str]) -> str:
    """Play the hanchan of these numbers between four players; return the command's output. `env` is for each player."""
    folder.mkdir(parents=True, exist_ok=True)
    return played(folder, [spec(folder) for spec in specs], len(numbers), numbers[0], env)


def played(folder: Path, players: Sequence[str], games: int, seed: int, env: Mapping[str, str]) -> str:
    """Play that many hanchan; `env` is for players that are programs."""
    folder.mkdir(parents=True, exist_ok=True)
    given = "".join(f"&env.{name}={value}" for name, value in env.items())
    named = [f"{one}{given.replace('&', '&' if '?' in one else '?', 1)}" for one in players]
    words = ["play", "--games", str(games), "--seed", str(seed), "--limit", "60", "--json"]
    command = [sys.executable, "-m", "jantaku", *words, "--players", ",".join(named), "--out", str(folder / "records")]
    own = {**os.environ, "XDG_CACHE_HOME": str(folder.parent / "cache")}
    with (folder / "said").open("wb") as said:
        done = subprocess.run(command, stdout=said, stderr=subprocess.STDOUT, env=own, check=False)
    told = (folder / "said").read_text("utf-8", errors="replace")
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}: {told[-2000:]}")
    return told
