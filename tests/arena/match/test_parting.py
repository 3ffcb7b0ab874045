"""Where two runs on the same walls part."""

from pathlib import Path

import pytest

from jantaku.table.arena.commands.diff import partings
from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import DrawFact, WinFact
from jantaku.table.languages.majiang.paifu import in_paifu
from jantaku.table.records.journal.read import load
from jantaku.table.riichi.events import KyokuStart
from jantaku.table.riichi.pieces.seats import by_player
from tests.arena.match.matches import play_match, small_plan


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """Two runs of one plan, and one in which another challenger sits down."""
    folder = tmp_path_factory.mktemp("runs")
    for name, challenger in (("a", "tsumogiri"), ("again", "tsumogiri"), ("b", "shanten")):
        play_match(folder / name, small_plan([challenger, "caller"], "tonpu", sets=1))
    return folder / "a", folder / "again", folder / "b"


def test_two_runs_of_one_plan_are_the_same(runs: tuple[Path, Path, Path]) -> None:
    games = list(partings(runs[0], runs[1]))
    assert len(games) == 4 and all(game.same for game in games)
    assert all(kyoku.a == kyoku.b for game in games for kyoku in game.kyoku)


def test_runs_part_at_the_first_event_in_which_they_differ(runs: tuple[Path, Path, Path]) -> None:
    a, _, b = runs
    for game in partings(a, b):
        assert not game.same
        first = game.kyoku[0]
        assert first.name == "東1局0本場" and first.event is not None
        of_a, of_b = (in_paifu(load(run / "records" / f"game-{game.game:04d}.jsonl").log[0]) for run in (a, b))
        assert of_a[: first.event - 1] == of_b[: first.event - 1]
        assert of_a[first.event - 1] != of_b[first.event - 1]
        assert first.a.event != first.b.event and " discards " in first.a.event + first.b.event


def test_the_points_of_a_kyoku_are_told_by_player(runs: tuple[Path, Path, Path]) -> None:
    """Deltas of a record are by seat of the kyoku; here by player, so that they add up over kyoku."""
    a, _, b = runs
    for game in partings(a, b):
        log = load(a / "records" / f"game-{game.game:04d}.jsonl").log
        named, *rest = log[1]
        results = [fact for fact in rest if isinstance(fact, WinFact | DrawFact)]
        assert isinstance(named, KyokuStart)
        found = next((kyoku for kyoku in game.kyoku if kyoku.name == f"東{named.kyoku + 1}局{named.honba}本場"), None)
        if found is not None and len(results) == 1:
            assert results[0].deltas is not None
            assert found.a.deltas == by_player(results[0].deltas, named.kyoku)


def test_runs_on_other_walls_are_refused(runs: tuple[Path, Path, Path], tmp_path: Path) -> None:
    play_match(tmp_path / "other", small_plan(["tsumogiri", "caller"], sets=1, seed=6))
    with pytest.raises(BadInput, match="were not played on the same walls: seed 5 and 6"):
        list(partings(runs[0], tmp_path / "other"))
    play_match(tmp_path / "queues", small_plan(["tsumogiri", "caller"], sets=1, walls="per-seat"))
    with pytest.raises(BadInput, match="school shared and per-seat"):
        list(partings(runs[0], tmp_path / "queues"))


def test_a_folder_without_records_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no records"):
        list(partings(tmp_path, tmp_path))
