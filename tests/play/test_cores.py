"""Games keep to one core where that is faster."""

import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.port import Action, Question
from jantaku.table.judge.mode import Mode
from jantaku.table.play.cores import TRIAL, Pinning, are_single, core_for, on_core
from jantaku.table.play.seating.roster import Entrant
from jantaku.table.serve.riichi.room import Place
from jantaku.table.testing.tables import Tables
from tests.kit.command import Jantaku
from tests.serve.serving import Served, plan_of, play_out

pytestmark = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is but one core")


@pytest.fixture
def cores() -> Iterator[set[int]]:
    before = os.sched_getaffinity(0)
    yield before
    os.sched_setaffinity(0, before)


@pytest.mark.parametrize(("shared", "alone"), [(2.0, 1.0), (1.0, 2.0)])
def test_after_a_trial_of_both_ways_the_faster_one_is_kept(cores: set[int], shared: float, alone: float) -> None:
    core = min(cores)
    pinning = Pinning(core)
    pinning.played(4, 1000.0)  # what the first took is not counted
    for kept in TRIAL:
        assert os.sched_getaffinity(0) == ({core} if kept else cores)
        questions = 400 if kept else 4  # a short hanchan is not a fast one
        pinning.played(questions, questions * (alone if kept else shared))
    for _ in range(30):
        assert os.sched_getaffinity(0) == ({core} if alone < shared else cores)
        pinning.played(40, 40 * min(alone, shared))
    pinning.free()
    assert os.sched_getaffinity(0) == cores


def test_threads_of_a_hanchan_keep_to_the_core_of_their_worker(cores: set[int]) -> None:
    pinning = Pinning(max(cores))
    pinning.played(4, 1.0)
    seen = list[set[int]]()
    thread = threading.Thread(target=lambda: seen.append(os.sched_getaffinity(0)))
    thread.start()
    thread.join()
    assert seen == [{max(cores)}]


def test_a_core_is_tried_only_where_players_of_one_process_hand_each_other_the_turn() -> None:
    assert {core_for(Mode.RESIDENT, [""] * 4, worker) for worker in range(2)} <= os.sched_getaffinity(0)
    assert core_for(Mode.RESIDENT, [], 0) != core_for(Mode.RESIDENT, [], 1)
    assert core_for(Mode.INLINE, []) is None
    assert core_for(Mode.RESIDENT, ["exec", ""]) is None


def test_a_first_game_keeps_to_one_core_unless_a_library_has_threads_of_its_own(cores: set[int]) -> None:
    pinning = Pinning(min(cores), pinned=are_single(["json"]))
    assert os.sched_getaffinity(0) == {min(cores)}
    pinning.free()
    Pinning(min(cores), pinned=are_single(["json", "torch"]))
    assert os.sched_getaffinity(0) == cores


@pytest.mark.parametrize(("words", "kept"), [("", True), ("--no-pin", False)])
def test_play_keeps_its_threads_to_one_core_and_gives_all_back(
    words: str, kept: bool, cores: set[int], jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, answer = set[int](), Tsumogiri.answer

    def watched(self: Tsumogiri, question: Question) -> Action:
        seen.add(len(os.sched_getaffinity(0)))
        return answer(self, question)

    monkeypatch.setattr(Tsumogiri, "answer", watched)
    play = ["play", "--players", ",".join(["tsumogiri"] * 4), "--length", "one", "--out", str(tmp_path / "out")]
    assert jantaku(*play, *words.split()).code == 0
    assert seen == ({1} if kept and are_single(sys.modules) else {len(cores)})
    assert os.sched_getaffinity(0) == cores


class Looking(Tsumogiri):
    def __init__(self, seen: set[int]) -> None:
        super().__init__()
        self._seen = seen

    def answer(self, question: Question) -> Action:
        self._seen.add(len(os.sched_getaffinity(0)))
        return super().answer(question)


@pytest.mark.parametrize("pin", [True, False])
def test_a_game_of_the_fixture_keeps_its_threads_to_one_core(pin: bool, cores: set[int]) -> None:
    seen = set[int]()
    Tables()(Looking(seen), pin=pin)
    assert seen == ({1} if pin and are_single(sys.modules) else {len(cores)})
    assert os.sched_getaffinity(0) == cores


def test_nothing_is_kept_to_a_core_where_a_library_has_own_threads(
    cores: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", ModuleType("torch"))
    with on_core(min(cores)):
        assert os.sched_getaffinity(0) == cores


@pytest.mark.parametrize("pins", [True, False])
def test_a_game_of_a_room_keeps_its_threads_to_one_core(pins: bool, cores: set[int], tmp_path: Path) -> None:
    seen = set[int]()
    bots = tuple(Entrant(f"looking-{number}", "", lambda seed: Looking(seen)) for number in range(3))
    places = (Place("a"), *bots)
    with Served(plan_of(tmp_path, places=places), rooms=("r",), games=1, pins=pins) as served:
        play_out(served, [None])
    assert seen == ({1} if pins and are_single(sys.modules) else {len(cores)})
