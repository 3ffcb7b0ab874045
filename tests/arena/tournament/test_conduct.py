"""Tournaments that are played: the same whatever plays them, however often they are killed, and what their results
tell."""

import itertools
from pathlib import Path

import pytest

from jantaku.table.arena.match.conduct import conduct
from jantaku.table.arena.match.executors import Here
from jantaku.table.arena.match.processes import Processes
from jantaku.table.arena.match.records import places_in
from jantaku.table.arena.match.store import Store
from jantaku.table.arena.tournament.plan import TournamentPlan
from jantaku.table.arena.tournament.rounds import Rounds
from jantaku.table.ground.errors import BadInput
from tests.arena.match.matches import contents
from tests.arena.tournament.tournaments import play_tournament, small_tournament


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament that nothing has disturbed."""
    folder = tmp_path_factory.mktemp("whole") / "tournament"
    play_tournament(folder, small_tournament())
    return folder


def interrupted(folder: Path, after: int) -> None:
    """A tournament with `after` hanchan in its folder, as a kill leaves it."""
    plan = small_tournament()
    store = Store.create(folder, plan)
    rounds = Rounds(plan)
    for played in itertools.islice(Here(plan, store.places).run(rounds.jobs()), after):
        store.keep(played)
        rounds.add(played.line)
    store._let_go()


@pytest.mark.long
@pytest.mark.parametrize("after", [0, 5, 8, 11])
def test_a_tournament_that_was_killed_ends_with_the_same_bytes(whole: Path, tmp_path: Path, after: int) -> None:
    folder = tmp_path / "killed"
    interrupted(folder, after)
    store = Store.resume(folder, kind=TournamentPlan)
    assert len(store.kept) == after
    conduct(store, Here(store.plan, store.places), Rounds(store.plan))
    store.close()
    assert contents(folder) == contents(whole)


def test_two_workers_come_to_the_same_bytes_and_wait_for_each_other_between_rounds(whole: Path, tmp_path: Path) -> None:
    folder, plan = tmp_path / "workers", small_tournament()
    play_tournament(folder, plan, Processes(plan, places_in(folder, plan), 2))
    assert contents(folder) == contents(whole)


def test_an_early_hanchan_whose_record_is_lost_is_played_again_and_alters_nothing(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "lost"
    play_tournament(folder, small_tournament())
    for path in (folder / "records").glob("game-0002.*"):
        path.unlink()
    store = Store.resume(folder, kind=TournamentPlan)
    assert store.again == (2,)
    conduct(store, Here(store.plan, store.places), Rounds(store.plan))
    store.close()
    assert contents(folder) == contents(whole)


def test_the_folder_of_a_running_tournament_has_neither_its_seed_nor_records_of_open_tables(tmp_path: Path) -> None:
    folder = tmp_path / "running"
    plan = small_tournament(seed="nobody-may-see-this")
    store = Store.create(folder, plan)
    for played in itertools.islice(Here(plan, store.places).run(Rounds(plan).jobs()), 6):
        store.keep(played)
    assert {path.stem for path in (folder / "records").iterdir()} == {f"game-000{number}" for number in range(4)}
    assert b"nobody-may-see-this" not in (folder / "tournament.json").read_bytes()
    store.close()


def test_the_folder_of_a_match_is_no_tournament_and_is_told_to_be_one(whole: Path) -> None:
    with pytest.raises(BadInput) as refused:
        Store.resume(whole)
    assert "holds no match" in str(refused.value)
    assert f"but a tournament: jantaku tournament --resume {whole}" in str(refused.value)


def test_the_results_name_every_round_with_its_tables_and_who_met_whom(whole: Path, tmp_path: Path) -> None:
    done = play_tournament(tmp_path / "again", small_tournament())
    results = done.results
    assert [len(played.tables) for played in results.rounds] == [2, 2]
    assert [len(played.byes) for played in results.rounds] == [1, 1]
    assert results.rounds[0].byes != results.rounds[1].byes
    assert [one.place for one in results.standings] == list(range(1, 10))
    assert sum(met.hanchan for met in results.meetings) == 6 * 16
    assert results.figures is not None and results.figures.games == 16
