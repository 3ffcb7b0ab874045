"""Checks whether an installed jantaku works in a folder full of other people's files.

A new working folder gets files with the names of a library's and Python's own modules, which end whatever imports them,
and packages with the names of folders in a clone of jantaku, which its tests import, before jantaku and after it. Then
the commands run there.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

BOT = Path(__file__).parents[1] / "docs" / "examples" / "first_bot.py"
CROWD = ("websockets.py", "random.py")
TRAP = "import sys\nsys.exit('a file of the user was imported')\n"
MINE = "WHOSE = 'mine'\n"
OWN = {
    **dict.fromkeys(("table.py", "scripts/__init__.py", "tests/__init__.py"), MINE),
    "players/__init__.py": f"from players.mine import Follower as MyPlayer\n{MINE}",
}
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")
GAME = ("--length", "one", "--seed", "1")
FOUR = "bots/mybot.py:Follower,shanten,dice,tsumogiri"
IMPORTS = (
    "import players, scripts, table, tests\nfrom players import MyPlayer",
    "import jantaku.players.base, jantaku.table.judge.judge",
)
ORDERS = {"its own names first": IMPORTS, "jantaku first": IMPORTS[::-1]}
TEST = """
{}
{}

def test_my_player(jantaku_table):
    assert [one.WHOSE for one in (players, scripts, table, tests)] == ["mine"] * 4
    assert jantaku.table is not table and jantaku.players is not players
    jantaku_table(MyPlayer(), "shanten", "dice", "caller", length="one").assert_sound()
"""
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "play": ("play", "--players", "shanten,caller,dice,tsumogiri", "--games", "2", "--seed", "1", "--out", "play"),
    "play a bot by its file": ("play", "--players", FOUR, *GAME, "--out", "file"),
    "play in processes": (
        *("play", "--players", f"bots/mybot.py?isolate=process,dice?isolate=process,{FOUR.split(',', 2)[2]}"),
        *(*GAME, "--out", "processes"),
    ),
    "match with two workers": ("match", "--players", FOUR, *GAME, "--sets", "1", "--workers", "2", "--out", "match"),
    "exam": ("exam", "bots/mybot.py:Follower", "--item", "kan"),
    "watch": ("play", "--watch", *GAME, "--out", "watch"),
    "verify": (
        "verify",
        "play/game-0000.json",
        "play/game-0001.jsonl",
        "file/game-0000.jsonl",
        "watch/game-0000.jsonl",
    ),
}


class Check(NamedTuple):
    """One check, and what went wrong; empty if nothing did."""

    name: str
    trouble: str


class Tried(NamedTuple):
    """All results: the output of `--version`, the checks, and some hex digits of the digest of the records."""

    version: str
    checks: Sequence[Check]
    records: str

    @property
    def troubles(self) -> list[Check]:
        """The checks that failed."""
        return [check for check in self.checks if check.trouble]


def tried(python: Path) -> Tried:
    with _crowded() as folder:
        command = str(python.with_name("jantaku"))
        version = _run(folder, command, "--version").stdout.strip()
        done = [Check("installed", _where(python, folder)), *_played(folder, command)]
        (folder / "random.py").unlink()  # pytest itself needs Python's own random
        test = folder / "tests" / "test_mine.py"
        for order, imports in ORDERS.items():
            test.write_text(TEST.format(*imports), "utf-8")
            done.append(Check(f"pytest, {order}", _trouble(folder, str(python), *PYTEST)))
        return Tried(version, done, _digest(folder))


def run_by(*command: str) -> Tried:
    """Run the checks with another way to start jantaku: `pipx run --spec WHEEL jantaku`."""
    with _crowded() as folder:
        version = _run(folder, *command, "--version").stdout.strip()
        return Tried(version, [*_played(folder, *command)], _digest(folder))


def _played(folder: Path, *command: str) -> Iterator[Check]:
    for name, words in COMMANDS.items():
        yield Check(name, _trouble(folder, *command, *words))


def _digest(folder: Path) -> str:
    """Return the digest of the 牌譜 of every game played there."""
    records = [path.read_bytes() for path in sorted(folder.rglob("game-*.json"))]
    return hashlib.sha256(b"".join(records)).hexdigest()[:12] if records else "none"


@contextmanager
def _crowded() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="jantaku-installed-") as scratch:
        _furnish(Path(scratch))
        yield Path(scratch)


def _furnish(folder: Path) -> None:
    for name, text in {**dict.fromkeys(CROWD, TRAP), **OWN}.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    (folder / "bots").mkdir()
    for place in ("bots/mybot.py", "players/mine.py"):
        shutil.copy(BOT, folder / place)


def _where(python: Path, folder: Path) -> str:
    """Return a message if another jantaku than that environment's is imported."""
    told = _run(
        folder, str(python), "-P", "-c", "import sys; from jantaku import table; print(sys.prefix, table.__file__)"
    )
    prefix, _, file = told.stdout.partition(" ")
    return "" if prefix and file.startswith(prefix) else f"another jantaku is imported: {told.stdout}{told.stderr}"


def _trouble(folder: Path, *command: str) -> str:
    ran = _run(folder, *command)
    said = f"exit code {ran.returncode}: {ran.stdout[-2000:]}{ran.stderr}"
    return said if ran.returncode or ran.stderr else ""


def _run(folder: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    ours = ("JANTAKU", "PYTHON", "PYTEST", "COV")
    env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120)
