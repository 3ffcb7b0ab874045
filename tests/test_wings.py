"""The core plays without its wings, and every wing without the others."""

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from jantaku.table.ground.wings import WINGS

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


def tree_without(folder: Path, *wings: str) -> Path:
    """Copy jantaku to a folder as a wheel would install it, without some wings."""
    shutil.copytree(ROOT / "src" / "jantaku", folder / "jantaku", ignore=shutil.ignore_patterns(*LEFT_AWAY))
    for package in ("table", "players"):
        ignored = shutil.ignore_patterns(*LEFT_AWAY, *(wings if package == "table" else ()))
        shutil.copytree(ROOT / package, folder / "jantaku" / package, ignore=ignored)
    return folder


def ran(tree: Path, *words: str, module: str = "jantaku") -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(tree), "JANTAKU_PURE": "1"}
    command = [sys.executable, "-m", module, *words]
    return subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True)


def test_the_core_without_any_wing_plays_verifies_shows_and_tests(tmp_path: Path) -> None:
    tree = tree_without(tmp_path, *WINGS)
    played = ran(tree, "play", "--length", "one", "--seed", "3", "--threads", "inline", "--out", "games")
    assert (played.returncode, played.stderr) == (0, ""), played
    record = "games/game-0000.jsonl"
    assert "identical" in ran(tree, "verify", record).stdout
    assert "東" in ran(tree, "show", record).stdout
    (tree / "test_slow.py").write_text(SLOW)
    tested = ran(tree, "-q", "-p", "no:cacheprovider", "test_slow.py", module="pytest")
    assert tested.returncode == 0, tested.stdout + tested.stderr


def test_every_part_that_is_asked_for_by_its_name_is_there() -> None:
    """Else a wing would be called missing because one of its files has another name now."""
    sources = (path.read_text("utf-8") for path in (ROOT / "table").rglob("*.py"))
    asked = {found for source in sources for found in re.findall(r'\bpart\("(\w+)", "([\w.]+)"\)', source)}
    assert len(asked) > 4
    assert [one for one in asked if not find_spec(f"jantaku.table.{one[0]}.{one[1]}")] == []


@pytest.mark.parametrize("wing", WINGS)
def test_a_wing_that_is_missing_is_named_in_one_line_and_takes_nothing_with_it(wing: str, tmp_path: Path) -> None:
    tree = tree_without(tmp_path, wing)
    told = ran(tree, "--help")
    assert (told.returncode, told.stderr) == (0, "")
    standing = {"match": {"arena"}, "exam": {"check"}, "serve": {"serve"}, "daifugo": {"daifugo", "serve"}}
    for command, stands_on in standing.items():
        came = ran(tree, command, "--help")
        if wing not in stands_on:
            assert (came.returncode, came.stderr) == (0, ""), came
            continue
        said = f"jantaku is installed without {WINGS[wing]} (table/{wing})"
        why = "No such command 'daifugo'" if wing == "daifugo" else said  # a game that is not there has no commands
        assert (came.returncode, came.stdout, came.stderr.count("\n")) == (2, "", 1) and why in came.stderr, came
