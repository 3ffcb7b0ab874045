"""The examples of docs/many-machines.md are run as they stand, where their engines are there."""

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml

from scripts.environments import PYTHON
from tests.arena.match.matches import contents
from tests.kit.command import Jantaku
from tests.kit.pace import SOON

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"
FILES = sorted(EXAMPLES.glob("match_*"))
QUICK = "--length one --threads inline --seed 7"
MATCH = f"match --format 1v3 --players dice,tsumogiri --sets 3 {QUICK}"
NEW = """
from jantaku.players.bots.tsumogiri import Tsumogiri


class Follower(Tsumogiri):
    pass
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder in which `jantaku` is this one, and a host is a folder."""
    bins = tmp_path / "bin"
    bins.mkdir()
    _program(bins / "jantaku", f'exec {PYTHON} -m jantaku "$@"')
    _program(bins / "ssh", f'cd "{tmp_path}/$1" && exec sh -c "$2"')
    (tmp_path / "here").mkdir()
    for host in ("one", "two"):
        (tmp_path / host / "bots").mkdir(parents=True)
    monkeypatch.setenv("PATH", f"{bins}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def _program(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n", "utf-8")
    path.chmod(0o700)


def run(*words: str, code: int = 0, **env: str) -> str:
    """Run a program in the working folder; return what it prints."""
    said = {**os.environ, "MATCH": MATCH, "PARTS": "2", **env}
    ran = subprocess.run(words, env=said, capture_output=True, text=True, timeout=SOON)
    assert ran.returncode == code, ran
    return ran.stdout + ran.stderr


def is_whole(place: Path, jantaku: Jantaku) -> None:
    assert jantaku(*MATCH.split(), "--workers", "0", "--quiet", "--out", str(place / "whole")).code == 0
    assert contents(place / "match") == contents(place / "whole")


def test_a_match_is_played_by_gnu_parallel(place: Path, jantaku: Jantaku) -> None:
    if shutil.which("parallel") is None:
        pytest.skip("GNU parallel is not installed")
    run("sh", "-e", str(EXAMPLES / "match_parallel.sh"), JOBS="2")
    is_whole(place, jantaku)


def test_a_match_is_played_by_the_tasks_of_a_slurm_array(place: Path, jantaku: Jantaku) -> None:
    for task in ("2", "1", "1"):  # one is begun twice, as a requeued one is
        run("sh", str(EXAMPLES / "match_slurm.sh"), SLURM_ARRAY_TASK_ID=task)
    assert jantaku("collect", "parts/1", "parts/2", "--out", "match", "--quiet").code == 0
    is_whole(place, jantaku)


def test_a_match_is_played_by_ssh(place: Path, jantaku: Jantaku) -> None:
    run("sh", "-e", str(EXAMPLES / "match_ssh.sh"), HOSTS="one two")
    is_whole(place, jantaku)


@pytest.mark.parametrize("engine", ["ray", "dask"])
def test_a_match_is_played_by_an_engine_of_trainers(place: Path, jantaku: Jantaku, engine: str) -> None:
    if find_spec(engine) is None or (engine == "dask" and find_spec("distributed") is None):
        pytest.skip(f"{engine} is not installed")
    run(PYTHON, str(EXAMPLES / "match_map.py"), engine, "2", *MATCH.split())
    run("sh", "-c", "jantaku collect parts/* --out match")
    is_whole(place, jantaku)


def _steps(job: dict[str, Sequence[dict[str, str]]]) -> list[str]:
    found = [step["run"] for step in job["steps"] if "run" in step]
    assert found[0] == 'pip install "$JANTAKU"'
    return found[1:]


def test_the_workflow_plays_a_gate_on_many_machines_and_collects_it(place: Path) -> None:
    workflow = yaml.safe_load((EXAMPLES / "match_actions.yml").read_text("utf-8"))
    play, collect = workflow["jobs"]["play"], workflow["jobs"]["collect"]
    numbers = play["strategy"]["matrix"]["part"]
    assert collect["needs"] == "play" and play["strategy"]["fail-fast"] is False
    begin, gate = _steps(play)
    assert f"/{len(numbers)} " in gate and numbers == list(range(1, len(numbers) + 1))
    (place / "mybot.py").write_text(NEW, "utf-8")
    (place / "old").mkdir()
    shutil.copy("mybot.py", "old")
    assert begin.startswith("git worktree add old ")
    line = workflow["env"]["GATE"].replace("--sets 500", "--sets 8 --length one --threads inline")
    for number in numbers:
        filled = (re.sub(r"\$\{\{.*?\}\}", str(number), gate), re.sub(r"\$\{\{.*?\}\}", "7", line))
        run("sh", "-c", filled[0], GATE=filled[1])
        Path("parts").mkdir(exist_ok=True)
        Path(f"part-{number}").rename(f"parts/part-{number}")
    (last,) = _steps(collect)
    said = run("sh", "-c", last, GITHUB_STEP_SUMMARY="step.md", code=3)
    assert "UNDECIDED: " in said and Path("gate.xml").exists()
    assert "jantaku gate: undecided" in Path("step.md").read_text("utf-8")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_an_example_of_an_engine_is_short(file: Path) -> None:
    assert len(file.read_text("utf-8").splitlines()) <= 25


def test_what_a_node_lacks_is_a_line_that_names_the_node(place: Path) -> None:
    words = ("--players", "nobody:Here,dice,dice,dice", *QUICK.split(), "--part", "1/2", "--out", "part-1")
    said = run("jantaku", "match", *words, code=2)
    assert said.count("\n") == 1 and said.startswith(f"jantaku: {os.uname().nodename}: ") and "nobody" in said
