"""The core plays without its wings, every wing without the others, and all on systems that lack what only some have."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from jantaku.table.ground.installation import HOME, WINGS

ROOT = Path(__file__).parents[1]
LEFT_AWAY = ("__pycache__", "*.so", "compiled.*.json", "*.egg-info")
SLOW = """
from jantaku import RiichiPlayer
from jantaku.table.testing import slow


class Follower(RiichiPlayer):
    def answer(self, question):
        return question.default


def test_a_slow_player_is_cut_off(jantaku_table):
    played = jantaku_table(slow(Follower(), seconds=60), *(Follower() for _ in range(3)), limit=0.2)
    played.assert_cut_off(after=0.2)
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of jantaku as a wheel would install it."""
    tree = tmp_path_factory.mktemp("whole")
    shutil.copytree(ROOT / "src" / "jantaku", tree / "jantaku", ignore=shutil.ignore_patterns(*LEFT_AWAY))
    return tree


@contextmanager
def without(tree: Path, aside: Path, *wings: str) -> Iterator[None]:
    """Some wings are not there meanwhile."""
    for wing in wings:
        (tree / "jantaku" / "table" / wing).rename(aside / wing)
    yield
    for wing in wings:
        (aside / wing).rename(tree / "jantaku" / "table" / wing)


def ran(tree: Path, folder: Path, *words: str, module: str = "jantaku") -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(tree), "JANTAKU_PURE": "1"}
    command = [sys.executable, "-m", module, *words]
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)


ONE_AFTER_ANOTHER = """
import contextlib, io, json, sys
from jantaku.table.cli.main import main

for words in json.loads(sys.argv[1]):
    out, err, code = io.StringIO(), io.StringIO(), None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(words)
        except SystemExit as left:
            code = left.code
    print(json.dumps([code, out.getvalue(), err.getvalue()]))
"""
"""Commands in one process, as `python -m jantaku` runs each."""


def all_ran(tree: Path, *commands: Sequence[str]) -> list[tuple[int, str, str]]:
    env = {**os.environ, "PYTHONPATH": str(tree), "JANTAKU_PURE": "1"}
    words = [sys.executable, "-c", ONE_AFTER_ANOTHER, json.dumps(commands)]
    done = subprocess.run(words, cwd=tree, env=env, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return [(code, out, err) for code, out, err in map(json.loads, done.stdout.splitlines())]


def test_the_core_without_any_wing_plays_verifies_shows_and_tests(whole: Path, tmp_path: Path) -> None:
    aside = tmp_path / "aside"
    aside.mkdir()
    with without(whole, aside, *WINGS):
        played = ran(whole, tmp_path, "play", "--length", "one", "--seed", "3", "--threads", "inline", "--out", "games")
        assert (played.returncode, played.stderr) == (0, ""), played
        record = "games/game-0000.jsonl"
        assert "identical" in ran(whole, tmp_path, "verify", record).stdout
        assert "東" in ran(whole, tmp_path, "show", record).stdout
        (tmp_path / "test_slow.py").write_text(SLOW)
        tested = ran(whole, tmp_path, "-q", "-p", "no:cacheprovider", "test_slow.py", module="pytest")
        assert tested.returncode == 0, tested.stdout + tested.stderr


def test_every_part_that_is_asked_for_by_its_name_is_there() -> None:
    """Else a wing would be called missing because one of its files has another name now."""
    sources = (path.read_text("utf-8") for path in (ROOT / "table").rglob("*.py"))
    asked = {found for source in sources for found in re.findall(r'\bpart\("(\w+)", "([\w.]+)"\)', source)}
    assert len(asked) > 4
    assert [one for one in asked if not find_spec(f"jantaku.table.{one[0]}.{one[1]}")] == []


@pytest.mark.parametrize("wing", WINGS)
def test_a_missing_wing_is_named_in_one_line_and_takes_nothing_with_it(wing: str, whole: Path, tmp_path: Path) -> None:
    standing = {"match": {"arena"}, "exam": {"check"}, "serve": {"serve"}, "daifugo": {"daifugo", "serve"}}
    with without(whole, tmp_path, wing):
        told, *came_of = all_ran(whole, ["--help"], *([command, "--help"] for command in standing))
    assert (told[0], told[2]) == (0, "")
    for (code, out, err), stands_on in zip(came_of, standing.values(), strict=True):
        if wing not in stands_on:
            assert (code, err) == (0, "")
            continue
        said = f"jantaku is installed without {WINGS[wing]} (table/{wing})"
        why = "No such command 'daifugo'" if wing == "daifugo" else said  # a game that is not there has no commands
        assert (code, out, err.count("\n")) == (2, "", 1) and why in err, err


HIDDEN = """
import os, select, signal, sys

LACKING = {
    os: "fork forkpty register_at_fork killpg set_blocking sched_getaffinity sched_setaffinity sysconf getuid waitid "
    "statvfs O_CLOEXEC P_PID WEXITED WNOWAIT",
    select: "poll epoll",
    signal: "sigtimedwait pthread_sigmask SIGCHLD SIGCONT SIGSYS SIGXCPU",
}
for module, names in LACKING.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)
for name in ("fcntl", "resource", "pwd", "grp", "termios"):
    sys.modules[name] = None  # importing it raises ImportError

def no_proc(event, args):
    if event in ("open", "os.listdir", "os.scandir") and str(args[0]).startswith("/proc"):
        raise FileNotFoundError(2, "No such file or directory", args[0])

sys.addaudithook(no_proc)
"""
COMMANDS = """
from jantaku.table.cli.main import main

def run(*words):
    try:
        main(words)
    except SystemExit as ended:
        assert not ended.code, (words, ended.code)

for mode in ("inline", "resident", "per-turn"):
    game = ("--players", "shanten,caller,dice,tsumogiri", "--length", "one", "--seed", "1")
    run("play", *game, "--threads", mode, "--out", f"{sys.argv[1]}/{mode}")
    run("verify", f"{sys.argv[1]}/{mode}/game-0000.json")
"""
FIXTURE = """
import pytest

sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", sys.argv[1], sys.argv[1]]))
"""
TEST = """
def test_a_bot_plays(jantaku_table):
    jantaku_table("shanten", "shanten", "dice", "caller", length="one").assert_sound()
"""


def run(program: str, folder: Path) -> None:
    """In a process of its own, which has nothing to start another with."""
    env = {**os.environ, "PYTHONPATH": HOME}
    words = [sys.executable, "-c", program, str(folder)]
    ran = subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.slow
def test_bots_in_python_play_the_same_bytes_without_what_only_some_systems_have(tmp_path: Path) -> None:
    for name, program in {"here": f"import sys\n{COMMANDS}", "lacking": HIDDEN + COMMANDS}.items():
        (tmp_path / name).mkdir()
        run(program, tmp_path / name)
    records = [
        {path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.json")}
        for name in ("here", "lacking")
    ]
    assert len(records[0]) == 3 and records[0] == records[1]


def test_the_fixture_works_without_what_only_some_systems_have(tmp_path: Path) -> None:
    (tmp_path / "test_bot.py").write_text(TEST, "utf-8")
    run(HIDDEN + FIXTURE, tmp_path)
