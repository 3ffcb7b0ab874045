"""Records of a short seeded game, written by the real judge."""

from pathlib import Path

import pytest

from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.responses import Mode
from jantaku.table.play.riichi import Keeping, RiichiTable
from jantaku.table.play.roster import enlist
from jantaku.table.play.runner import Plan, play
from jantaku.table.riichi.ruleset import preset, with_settings

PLAYERS = ("dice", "caller", "shanten", "dice")


@pytest.fixture(scope="session")
def game_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the journal and both forms of 牌譜 of one tonpu, with calls, kans, riichi and wins."""
    folder = tmp_path_factory.mktemp("game")
    rules = with_settings(preset("tenhou"), {"game.length": "tonpu"})
    entrants = tuple(enlist(PLAYERS))
    plan = Plan(entrants=entrants, games=1, seed="4", mode=Mode.INLINE, clock=Clock(), on_fault=OnFault.DEFAULT)
    names = [entrant.name for entrant in entrants]
    for _ in play(plan, RiichiTable(rules, names, plan.seed, Keeping(folder, "test", form_2015=True))):
        pass
    return folder


@pytest.fixture
def journal(game_folder: Path) -> bytes:
    """Return the bytes of the journal."""
    return (game_folder / "game-0000.jsonl").read_bytes()
