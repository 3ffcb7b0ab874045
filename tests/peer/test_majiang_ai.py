"""majiang-ai, a strong player that nobody here wrote, in a hanchan with our bots, each at the end of another wire."""

import json
import shlex
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest

from jantaku.players import adapters
from jantaku.players.adapters.websocket import Visit
from jantaku.players.adapters.websocket import play as visit
from jantaku.players.bots.shanten import Shanten
from jantaku.table.check.exam.exam import ITEMS, Paper, examine
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.riichi import Keeping, RiichiTable
from jantaku.table.play.runner import Plan, play
from jantaku.table.play.seating.roster import enlist
from jantaku.table.play.seating.spec import Terms
from jantaku.table.records.journal.read import load
from jantaku.table.records.replay.verify import verify
from jantaku.table.riichi.ruleset import preset, with_settings
from jantaku.table.serve.transport import Awaited, close_all
from scripts import peers

ADAPTER = shlex.quote(str(Path(adapters.__file__).parent / "majiang_ai.js"))
RULES = with_settings(preset("majiang"), {"game.length": "until-win"})
PATIENT = Clock(turn=30.0, reaction=30.0, start=60.0)
"""It thinks for up to seconds where a machine is busy."""


@pytest.fixture
def _closed() -> Iterator[None]:
    yield
    close_all()


@pytest.mark.peer
@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("_closed")
def test_a_game_of_programs_processes_and_clients_stands_up_to_both_judges(tmp_path: Path, peer_modules: Path) -> None:
    """majiang-ai × 2 over stdio, one isolated Python bot, one client over WebSocket: no fault, and the record passes
    our own verification and majiang-core's replay."""
    outcome = _game(tmp_path, peer_modules)
    assert (outcome.ending, outcome.faults) == ("over", ({}, {}, {}, {}))
    for path in outcome.records:
        verified = verify(load(Path(path)), RULES)
        assert verified.difference is None and verified.complete, path
    paifu = json.loads(Path(outcome.records[-1]).read_text("utf-8"))
    (tmp_path / "lines").write_bytes(peers.line(paifu, RULES))
    assert peers.replay(tmp_path / "lines") == (0, "games 1 different 0\n")


def _game(folder: Path, modules: Path) -> Outcome:
    program = Terms(f"exec:node {ADAPTER}", cwd=str(modules.parent))
    seats = [program, program, Terms("caller", isolate="process"), Terms("ws:alice", listen="127.0.0.1:0")]
    entrants = enlist(seats, folder)
    awaited = entrants[-1].make
    assert isinstance(awaited, Awaited)
    client = threading.Thread(
        target=visit, args=[Visit(awaited.address.partition("?")[0], "alice", key="k"), Shanten], daemon=True
    )
    client.start()
    table = RiichiTable(RULES, [entrant.name for entrant in entrants], "8", Keeping(folder, "test"))
    (outcome,) = play(Plan(tuple(entrants), 1, "8", Mode.PER_TURN, PATIENT, OnFault.DEFAULT), table)
    client.join(60)
    assert not client.is_alive()
    return outcome


@pytest.mark.peer
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_majiang_ai_passes_the_exam(peer_modules: Path) -> None:
    """The scripted kyoku and one tonpu; `jantaku exam` plays a hundred hanchan."""
    (entrant,) = enlist([Terms(f"exec:node {ADAPTER}", cwd=str(peer_modules.parent))])
    rules = with_settings(preset("tenhou"), {"game.length": "tonpu"})
    paper = Paper(entrant.make, rules, PATIENT, "peer", 1, tuple(item for item in ITEMS if item != "joined"))
    assert {mark.item: mark.failure for mark in examine(paper)} == dict.fromkeys(paper.items)


@pytest.mark.peer
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_majiang_ai_bears_another_game_in_the_same_process_and_the_time_in_its_messages(
    tmp_path: Path, peer_modules: Path
) -> None:
    """It plays the same games as when it is started for each, and is at fault in none."""
    records = []
    ways: tuple[Literal["next-game", "always"], ...] = ("next-game", "always")
    for restart in ways:
        folder = tmp_path / restart
        folder.mkdir()
        ai = Terms(f"exec:node {ADAPTER}", name="ai", cwd=str(peer_modules.parent), restart=restart)
        entrants = tuple(enlist([ai, "tsumogiri", "tsumogiri", "tsumogiri"]))
        table = RiichiTable(RULES, [entrant.name for entrant in entrants], "4", Keeping(folder, "test"))
        outcomes = list(play(Plan(entrants, 2, "4", Mode.RESIDENT, PATIENT, OnFault.DEFAULT), table))
        assert all(outcome.faults == ({}, {}, {}, {}) for outcome in outcomes)
        records.append([Path(outcome.records[-1]).read_bytes() for outcome in outcomes])
    assert records[0] == records[1]
