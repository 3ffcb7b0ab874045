"""A plain install plays, matches and looks; what needs an extra says so in a line, with the words that install it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.ground.installation import EXTRAS, HOME, pip_install
from tests.kit.pace import SOON

PACKAGES = {package for _, *packages in EXTRAS.values() for package in packages} | {"scipy"}
FOUR = "shanten,caller,dice,tsumogiri"
GAME = ("--length", "one", "--seed", "1")
HIDING = """
from importlib.machinery import PathFinder

find, HIDDEN = PathFinder.find_spec, {hidden!r}
PathFinder.find_spec = classmethod(lambda _, name, *more: None if name.split(".")[0] in HIDDEN else find(name, *more))
"""
IN_TURN = """
import contextlib, io, json, sys
from jantaku.table.cli.main import main

def ran(words):
    told = io.StringIO()
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(told):
            main(words)
    except SystemExit as left:
        return left.code, told.getvalue()

print(json.dumps([ran(words) for words in json.loads(sys.argv[1])]))
"""
"""Runs one command after another in one process, and tells of each how it ended and what it said of that."""
TEST = """
def test_two_bots(jantaku_table):
    jantaku_table("shanten", "dice", "caller", "dice", length="one").assert_sound()
"""
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def without(hidden: set[str], folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Runs Python where these packages are not found."""
    hook = folder / "hook"
    hook.mkdir(exist_ok=True)
    (hook / "sitecustomize.py").write_text(HIDING.format(hidden=hidden), "utf-8")
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(hook), HOME))}
    command = [sys.executable, "-P", *words]
    options: dict[str, Any] = {"cwd": folder, "stdin": subprocess.DEVNULL}
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=SOON, **options)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The words that install something depend on the working folder."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def plain(tmp_path: Path) -> Run:
    """Runs a module of Python where no package of an extra is found."""
    return lambda *words, hidden=PACKAGES: without(hidden, tmp_path, "-m", *words)


MISSING = [
    (("serve",), "serve", "websockets"),
    (("play", "--human"), "serve", "websockets"),
    (("play", "--watch", *GAME), "serve", "websockets"),
    (("play", "--players", f"ws:alice,{FOUR.split(',', 1)[1]}", *GAME), "serve", "websockets"),
    (("join", "127.0.0.1", "--name", "a", "--bot", "dice"), "serve", "websockets"),
    (("daifugo",), "serve", "websockets"),
    (("samples", "games", "samples"), "learn", "numpy"),
    (("play", "--players", f"net:a.safetensors,{FOUR.split(',', 1)[1]}", *GAME), "learn", "numpy"),
    (("play", "--players", f"folder:.,{FOUR.split(',', 1)[1]}", *GAME), "folders", "packaging"),
]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], tuple[int, str]]:
    commands = [words for words, _, _ in MISSING]
    ran = without(PACKAGES, tmp_path_factory.mktemp("plain"), "-c", IN_TURN, json.dumps(commands))
    assert ran.returncode == 0, ran
    return {words: (code, said) for words, (code, said) in zip(commands, json.loads(ran.stdout), strict=True)}


@pytest.mark.parametrize(("words", "extra", "package"), MISSING)
def test_a_command_whose_extra_is_missing_says_in_a_line_what_installs_it(
    told: dict[tuple[str, ...], tuple[int, str]], words: tuple[str, ...], extra: str, package: str
) -> None:
    line = f"jantaku: {EXTRAS[extra][0]} {package}, which is not installed: {pip_install(extra)}\n"
    assert told[words] == (2, line)


def test_a_program_in_the_sandbox_needs_an_extra(plain: Run) -> None:
    ran = plain("jantaku", "play", "--players", f"exec:/bin/cat,{FOUR.split(',', 1)[1]}", "--sandbox", *GAME)
    assert ran.returncode == 2 and ran.stderr.count("\n") == 1 and "pyseccomp" in ran.stderr, ran


@pytest.mark.long
def test_a_plain_install_plays_judges_and_tells_who_is_better(tmp_path: Path) -> None:
    game = "games/game-0000.jsonl"
    commands = (
        ("play", "--players", FOUR, *GAME, "--out", "games"),
        ("match", "--players", "shanten,caller", "--format", "1v3", *GAME, "--sets", "2", "--out", "match"),
        *(("stats", "match"), ("stats", "match", "--luck"), ("verify", game), ("show", game), ("bots",), ("rules",)),
        *(("view", game, "--export", "view.html"), ("convert", game, "log.mjson"), ("new", "mine.py")),
        *(("exam", "dice", "--item", "kan"), ("convert", "games", "d.parquet")),
    )
    ran = without(PACKAGES, tmp_path, "-c", IN_TURN, json.dumps(commands))
    assert ran.returncode == 0, ran
    *ends, last = json.loads(ran.stdout)
    assert not [words for words, (code, said) in zip(commands, ends, strict=False) if code or "Traceback" in said], ran
    line = f"jantaku: Parquet needs pyarrow, which is not installed: {pip_install('parquet')}\n"
    assert last == [2, line]
    assert not (tmp_path / "d.parquet").exists() and (tmp_path / "match" / "report.html").exists()


@pytest.mark.long
def test_the_fixture_of_pytest_needs_no_extra(plain: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # anyio, of an extra, has a plugin as well
    (tmp_path / "test_mine.py").write_text(TEST, "utf-8")
    words = ["pytest", "-q", "-p", "no:cacheprovider", "-p", "jantaku.table.testing.plugin", "test_mine.py"]
    ran = plain(*words, hidden=PACKAGES - {"packaging"})
    assert ran.returncode == 0 and "1 passed" in ran.stdout, ran
