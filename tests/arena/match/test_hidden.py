"""Who reads the folder of a running match knows no wall that is still to be played, and a kill loses nothing."""

import contextlib
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from jantaku.table.arena.match import records
from jantaku.table.arena.match.conduct import conduct
from jantaku.table.arena.match.executors import Here
from jantaku.table.arena.match.figures.stops import Stopping
from jantaku.table.arena.match.records import plan_in
from jantaku.table.arena.match.store import Store
from jantaku.table.ground.disk import replace_whole
from jantaku.table.ground.errors import BadInput
from tests.arena.match.matches import contents, play_match, resumed, small_plan
from tests.kit.command import Jantaku

SEED = "a secret of the table"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "jantaku" / "matches"


def killed(folder: Path, after: int, look: Callable[[int], None] = lambda kept: None) -> None:
    """A match that ends from one moment to the next when `after` hanchan are kept; `look` sees each before."""
    plan = small_plan(seed=SEED)
    store = Store.create(folder, plan)
    look(0)
    played = Here(plan, store.places).run(plan.jobs())
    for number in range(after):
        store.keep(next(played))
        look(number + 1)
    store._let_go()


@pytest.fixture
def whole(tmp_path: Path) -> dict[str, bytes]:
    play_match(tmp_path / "whole", small_plan(seed=SEED))
    return contents(tmp_path / "whole")


def test_no_file_of_a_running_match_has_its_seed_and_records_come_with_the_last_of_their_set(tmp_path: Path) -> None:
    folder = tmp_path / "match"

    def look(kept: int) -> None:
        files = [path for path in folder.rglob("*") if path.is_file()]
        whole_sets = kept // 4 * 4
        assert {path.stem for path in files if path.parent.name == "records"} == {
            f"game-{game:04d}" for game in range(whole_sets)
        }
        for path in files:
            assert path.parent.name == "records" or SEED.encode() not in path.read_bytes(), path

    killed(folder, 7, look)
    Store.resume(folder).close()
    assert len({path.stem for path in (folder / "records").iterdir()}) == 7, "nobody plays: all takes its place"
    store = Store.resume(folder)
    look(7)
    store.close()


@pytest.mark.long
@pytest.mark.parametrize("after", [0, 3, 4, 7, 12])
def test_a_killed_match_loses_nothing_that_was_kept(tmp_path: Path, whole: dict[str, bytes], after: int) -> None:
    killed(tmp_path / "match", after)
    store = Store.resume(tmp_path / "match")
    assert (store.kept, store.again) == (set(range(after)), ())
    store._let_go()
    assert resumed(tmp_path / "match") == whole
    assert resumed(tmp_path / "match") == whole, "to resume a finished match changes nothing"


def test_a_killed_match_that_was_moved_goes_on_without_its_open_set(tmp_path: Path, whole: dict[str, bytes]) -> None:
    killed(tmp_path / "match", 7)
    (tmp_path / "match").rename(tmp_path / "moved")
    store = Store.resume(tmp_path / "moved")
    assert store.again == (4, 5, 6)
    store.close()
    assert resumed(tmp_path / "moved") == whole


def test_where_what_was_hidden_is_lost_the_seed_is_asked_for(
    tmp_path: Path, state: Path, whole: dict[str, bytes], jantaku: Jantaku
) -> None:
    folder = tmp_path / "match"
    killed(folder, 7)
    shutil.rmtree(state)
    for seeds in ((), ("another",)):
        with pytest.raises(BadInput, match=r"this match was killed, and its seed is neither in .*: give --seed"):
            Store.resume(folder, *seeds)
    assert plan_in(folder, whole=False).names == ("dice", "tsumogiri")
    assert jantaku("stats", str(folder)).code == 0
    assert jantaku("match", "--resume", str(folder), "--seed", SEED, "--workers", "0").code == 0
    assert contents(folder) == whole


def test_a_match_that_is_over_leaves_alone_what_another_process_has_begun(
    tmp_path: Path, state: Path, whole: dict[str, bytes]
) -> None:
    folder, plan = tmp_path / "match", small_plan(seed=SEED)
    first = Store.create(folder, plan)
    conduct(first, Here(plan, first.places), Stopping(first.plan))
    second = Store.resume(folder)
    first.close()
    assert plan_in(folder).seed == SEED and SEED.encode() not in (folder / "match.json").read_bytes()
    second.close()
    assert contents(folder)["match.json"] == whole["match.json"]


def test_a_kill_while_a_match_is_taken_up_again_loses_no_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: dict[str, bytes]
) -> None:
    killed(tmp_path / "match", 5)
    for after in range(4):
        left = iter(range(after))

        def dies(path: Path, content: bytes, left: Iterator[int] = left, **how: bool) -> None:
            if next(left, None) is None:
                raise KeyboardInterrupt
            replace_whole(path, content, **how)

        with monkeypatch.context() as here:
            here.setattr(records, "replace_whole", dies)
            with contextlib.suppress(KeyboardInterrupt):
                Store.resume(tmp_path / "match")._let_go()
    assert resumed(tmp_path / "match") == whole


def test_a_match_that_is_over_leaves_nothing_elsewhere(tmp_path: Path, state: Path, whole: dict[str, bytes]) -> None:
    assert list(state.iterdir()) == []
    assert SEED.encode() in whole["match.json"] and SEED.encode() in whole["journal.jsonl"]


def test_what_an_earlier_match_in_a_folder_of_that_name_left_does_not_count(tmp_path: Path, state: Path) -> None:
    killed(tmp_path / "match", 3)
    shutil.rmtree(tmp_path / "match")
    store = Store.create(tmp_path / "match", small_plan(seed=SEED))
    store.close()
    assert store.kept == set() and list((tmp_path / "match" / "records").iterdir()) == []
    assert list(state.iterdir()) == []
