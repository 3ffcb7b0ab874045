"""The same match on a Ray cluster of two nodes: identical files, and dead actors are replaced."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from table.errors import BadInput
from tests.kit.command import Jantaku
from tests.match.bots import FLAG
from tests.match.matches import contents, play_match, small_plan

ROOT = Path(__file__).parents[2]
HAS_RAY = importlib.util.find_spec("ray") is not None
needs_ray = pytest.mark.skipif(not HAS_RAY, reason="Ray is not installed (pip install 'jantaku[ray]')")


def on_two_nodes(folder: Path, *players: str, flag: str = "") -> dict[str, bytes]:
    run = subprocess.run(
        [sys.executable, "-m", "tests.match.ray_cluster", str(folder), *players],
        cwd=ROOT,
        env={**os.environ, FLAG: flag, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "2 nodes" in run.stdout
    return contents(folder)


@needs_ray
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_match_on_two_nodes_ends_with_the_files_of_a_match_here(tmp_path: Path) -> None:
    play_match(tmp_path / "here", small_plan(["dice", "caller"]))
    assert on_two_nodes(tmp_path / "ray", "dice", "caller") == contents(tmp_path / "here")


@needs_ray
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_an_actor_that_dies_is_replaced_and_its_hanchan_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flag = tmp_path / "died"
    files = on_two_nodes(tmp_path / "ray", "tests.match.bots:DiesOnce", "dice", flag=str(flag))
    assert flag.exists()
    monkeypatch.setenv(FLAG, str(flag))
    play_match(tmp_path / "here", small_plan(["tests.match.bots:DiesOnce", "dice"]))
    assert files == contents(tmp_path / "here")


@pytest.mark.skipif(HAS_RAY, reason="Ray is installed")
def test_without_ray_it_is_said_how_to_get_it() -> None:
    with pytest.raises(BadInput, match=r"pip install 'jantaku\[ray\]'"):
        importlib.import_module("table.match.on_ray")


@pytest.mark.skipif(HAS_RAY, reason="Ray is installed")
def test_without_ray_nothing_is_written(jantaku: Jantaku, tmp_path: Path) -> None:
    words = ("--players", "dice,dice", "--format", "1v3", "--on", "ray", "--out", str(tmp_path / "match"))
    ran = jantaku("match", *words)
    assert ran.code == 2 and "Ray is not installed" in ran.err
    assert not (tmp_path / "match").exists()
