"""Nothing is lost or doubled, and nothing is left over, at whichever step the disk fails, the process is killed or the
power goes. `python -m tests.simulation.disk` tries single steps by hand."""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.kit.cases import cases
from tests.simulation.disk.cases import CASES
from tests.simulation.disk.faults import How

HOURS = 3 * 3600.0
"""Seconds for which all steps of a case may take, on a busy machine."""


def tried(*words: str) -> list[dict[str, Any]]:
    """The rows of a run of the simulation, in a process of its own: it stops the clocks."""
    command = [sys.executable, "-m", "tests.simulation.disk", *words]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.stdout, ran.stderr
    rows: list[dict[str, Any]] = json.loads(ran.stdout)
    assert all(row["tried"] for row in rows), "every row has steps"
    return rows


def found(rows: list[dict[str, Any]]) -> list[str]:
    return [f"{row['case']}, {row['how']}: {one}" for row in rows for one in row["found"]]


@pytest.mark.long
@pytest.mark.timeout(600)
def test_some_steps_of_every_fault_lose_nothing() -> None:
    assert found(tried("play", "match", "tournament", "--stride", "149")) == []


@pytest.mark.long
@pytest.mark.timeout(600)
@cases(
    "case, how, at",
    ("play", How.KILL, ".at"),  # an empty journal stayed for 30 days, and a link for ever
    ("match", How.ERROR, "replace state/jantaku"),  # told as a defect of ours
    ("match", How.LOST, "symlink"),  # the first line of journal.jsonl was not awaited
    ("match", How.BLANK, "create out/games.sqlite-journal"),  # times.jsonl ended with zeros, or had no first line
    ("match", How.SHORN, "unlink out/games.sqlite-journal"),  # a torn games.sqlite was not made again
    ("match", How.ERROR, "write out/games.sqlite-journal, 28 bytes"),  # its journal was left where nothing was kept
)
def test_a_fault_that_once_cost_something_costs_nothing(case: str, how: How, at: str) -> None:
    assert found(tried(case, "--how", how, "--at", at)) == []


@pytest.mark.long
@pytest.mark.timeout(600)
@cases(
    "mistake, case, how, at, stride",
    ("nothing is synced", "match", How.LOST, "write out/times.jsonl", "4"),
    ("moves are copies", "play", How.TORN, "write out/game-0001.jsonl", "1"),
)
def test_a_mistake_in_the_order_of_writes_is_found(mistake: str, case: str, how: How, at: str, stride: str) -> None:
    assert found(tried(case, "--how", how, "--at", at, "--mistake", mistake, "--stride", stride))


@pytest.mark.whole
@pytest.mark.timeout(HOURS)
@pytest.mark.parametrize("resumed", [False, True])
@pytest.mark.parametrize("case", CASES)
def test_no_step_at_all_loses_anything(
    case: str, resumed: bool, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    if "whole" not in request.config.option.markexpr:
        pytest.skip("takes long: pytest tests/simulation -m whole")
    if resumed and not CASES[case].resumes:
        pytest.skip("a game is not gone on with")
    rows = tried(case, *(["--resumed"] if resumed else []))
    with capsys.disabled():
        for row in rows:
            told = f"{row['tried']} of {row['steps']} steps, {row['lost']} lost, {row['doubled']} doubled"
            print(f"\n{row['case']}, {row['how']}: {told}", end="")
    assert found(rows) == []
