"""majiang-bot, the program that comes with 電脳麻将's server, unmodified at a table of ours."""

import subprocess
from pathlib import Path

import pytest

from jantaku.table.play.outcome import Outcome
from jantaku.table.records.journal.read import load
from jantaku.table.records.replay.verify import verify
from tests.serve.netplaying import netplay_in

PATIENCE = 50.0
"""Seconds for a kyoku: it thinks for up to seconds where a machine is busy."""


@pytest.mark.peer
@pytest.mark.slow
def test_majiang_bot_enters_a_room_by_its_name_plays_without_a_fault_and_logs_out(
    tmp_path: Path, peer_modules: Path
) -> None:
    others = "ws,tsumogiri,tsumogiri,tsumogiri"
    with netplay_in(tmp_path / "rec", others, rooms=("club",), seconds=PATIENCE) as house:
        program = peer_modules / "@kobalab/majiang-server/bin/client.js"
        url = f"http://127.0.0.1:{house.server.port}/server"
        bot = subprocess.run(
            ["node", program, "-r", "club", "-n", "電脳", url], capture_output=True, timeout=PATIENCE, check=False
        )
        assert bot.returncode == 0 and not bot.stdout, bot
        outcome = house.reports.get(timeout=PATIENCE)
    assert isinstance(outcome, Outcome) and "電脳" in outcome.names and not any(outcome.faults)
    record = load(Path(outcome.records[0]))
    assert record.rules is not None and verify(record, record.rules).difference is None
