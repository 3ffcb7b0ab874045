"""Records of a short seeded game, written by the real judge."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.play.beginnings import RecordPlace
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.riichi import Keeping, RiichiTable
from jantaku.table.play.runner import Looker, Plan, WatchedGames, play
from jantaku.table.play.seating.roster import enlist
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.journal.read import Record
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset, with_settings

PLAYERS = ("dice", "caller", "shanten", "dice")
TONPU = with_settings(preset("tenhou"), {"game.length": "tonpu"})


def keep_games(
    folder: Path,
    players: Sequence[str],
    rules: Rules,
    *,
    seed: str,
    games: int = 1,
    form_2015: bool = False,
    begin: RecordPlace | None = None,
    looker: Callable[[], Looker] | None = None,
) -> list[Outcome]:
    """Play games without threads, each followed by a `looker`, and keep their journals beside 牌譜."""
    entrants = tuple(enlist(players))
    plan = Plan(entrants, games, seed, Mode.INLINE, Clock(), OnFault.DEFAULT)
    keeping = Keeping(folder, "test", form_2015=form_2015)
    table = RiichiTable(rules, [entrant.name for entrant in entrants], seed, keeping, begin)
    return list(play(plan, table if looker is None else WatchedGames(table, looker)))


@pytest.fixture(scope="session")
def game_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the journal and both forms of 牌譜 of one tonpu, with calls, kans, riichi and wins."""
    folder = tmp_path_factory.mktemp("game")
    keep_games(folder, PLAYERS, TONPU, seed="4", form_2015=True)
    return folder


@pytest.fixture(scope="module")
def record(game_folder: Path) -> Record:
    return read_any(game_folder / "game-0000.jsonl").record


@pytest.fixture
def journal(game_folder: Path) -> bytes:
    return (game_folder / "game-0000.jsonl").read_bytes()
