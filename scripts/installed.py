"""Whether an installed jantaku works in a folder full of other people's files: `python -m scripts.installed PYTHON`.

PYTHON is the interpreter of an environment with jantaku and pytest in it. A new working folder gets files with the
names of our packages, of a library and of Python's own; each ends whatever imports it. Then the commands are run there.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

BOT = Path(__file__).parents[1] / "docs" / "examples" / "first_bot.py"
CROWD = ("table.py", "websockets.py", "random.py", "players/__init__.py", "scripts/__init__.py", "tests/__init__.py")
GAME = ("--length", "one", "--seed", "1")
FOUR = "bots/mybot.py:Follower,shanten,dice,tsumogiri"
TEST = """
import sys
sys.path.append("bots")
from mybot import Follower

def test_my_bot(jantaku_table):
    jantaku_table(Follower(), "shanten", "dice", "caller", length="one").assert_sound()
"""
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "play": ("play", "--players", "shanten,caller,dice,tsumogiri", *GAME, "--out", "play"),
    "play a bot by its file": ("play", "--players", FOUR, *GAME, "--out", "file"),
    "play in processes": (
        *("play", "--players", f"bots/mybot.py?isolate=process,dice?isolate=process,{FOUR.split(',', 2)[2]}"),
        *(*GAME, "--out", "processes"),
    ),
    "match with two workers": ("match", "--players", FOUR, *GAME, "--sets", "1", "--workers", "2", "--out", "match"),
    "exam": ("exam", "bots/mybot.py:Follower", "--item", "kan"),
    "watch": ("play", "--watch", *GAME, "--out", "watch"),
    "verify": ("verify", "play/game-0000.json", "file/game-0000.jsonl", "watch/game-0000.jsonl"),
}


class Check(NamedTuple):
    """One thing that was tried: what went wrong, or nothing."""

    name: str
    trouble: str


def checks(python: Path) -> Iterator[Check]:
    """Try all of it with one environment's interpreter, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="jantaku-installed-") as scratch:
        folder = Path(scratch)
        _furnish(folder)
        command = str(python.with_name("jantaku"))
        yield Check(_run(folder, command, "--version").stdout.strip(), _where(python, folder))
        for name, words in COMMANDS.items():
            yield Check(name, _trouble(folder, command, *words))
        (folder / "random.py").unlink()  # pytest itself needs Python's own
        yield Check("pytest plugin", _trouble(folder, str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider"))
        yield Check(f"records {records(folder)}", "")


def records(folder: Path) -> str:
    """Some hex digits of the records of the first game: equal wherever it was played."""
    return hashlib.sha256((folder / "play" / "game-0000.json").read_bytes()).hexdigest()[:12]


def _furnish(folder: Path) -> None:
    for name in CROWD:
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("import sys\nsys.exit('a file of the user was imported')\n", "utf-8")
    (folder / "bots").mkdir()
    shutil.copy(BOT, folder / "bots" / "mybot.py")
    (folder / "test_mine.py").write_text(TEST, "utf-8")


def _where(python: Path, folder: Path) -> str:
    """Trouble if what is imported is not what was installed in that environment."""
    told = _run(folder, str(python), "-P", "-c", "import table, sys; print(sys.prefix, table.__file__)")
    prefix, _, file = told.stdout.partition(" ")
    return "" if prefix and file.startswith(prefix) else f"another jantaku is imported: {told.stdout}{told.stderr}"


def _trouble(folder: Path, *command: str) -> str:
    ran = _run(folder, *command)
    said = [line for line in ran.stderr.splitlines() if "hidden by jantaku's own package" not in line]
    return "" if ran.returncode == 0 and not said else f"exit code {ran.returncode}: {ran.stdout[-2000:]}{ran.stderr}"


def _run(folder: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST", "COV"))}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120)


def main() -> int:
    """Print a line a check; 1 if there was trouble."""
    failed = 0
    for check in checks(Path(sys.argv[1]).absolute()):
        failed += bool(check.trouble)
        print(f"  {'FAILED ' if check.trouble else 'ok      '}{check.name} {check.trouble}".rstrip(), flush=True)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
