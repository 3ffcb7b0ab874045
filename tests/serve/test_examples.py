"""The first clients that docs/joining.md shows join a room and play a game to its end."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.pace import SOON
from tests.serve.serving import Served, plan_of

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
NODE = ("node", "--no-warnings", "--experimental-websocket")


@pytest.mark.parametrize(
    ("command", "dialect"),
    [
        pytest.param([sys.executable, "room_client.py"], "mjai", id="python"),
        pytest.param([*NODE, "room_client.mjs"], "majiang", id="node", marks=pytest.mark.peer),
    ],
)
def test_the_first_client_plays_a_game(command: list[str], dialect: str, tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws,shanten,shanten,shanten", length="tonpu")) as served:
        address = served.at(f"/play/club?name=first&dialect={dialect}")
        ran = subprocess.run([*command, address], cwd=EXAMPLES, capture_output=True, text=True, timeout=SOON)
        outcome = served.outcome()
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("points: [")
    assert "first" in outcome.names and outcome.faults == ({}, {}, {}, {})
