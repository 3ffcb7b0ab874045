"""A worker keeps to one core where that is faster."""

import os
import threading
from collections.abc import Iterator

import pytest

from jantaku.table.arena.match.figures.summary import TimeLine, Times
from jantaku.table.arena.match.workers.hanchan import PlayedHanchan, give_up
from jantaku.table.arena.match.workers.pinning import TRIAL, Pinning, core_for
from tests.arena.match.matches import small_plan

pytestmark = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="there is but one core")


@pytest.fixture
def cores() -> Iterator[set[int]]:
    """All cores of this thread, which gets them back."""
    before = os.sched_getaffinity(0)
    yield before
    os.sched_setaffinity(0, before)


def hanchan(questions: int) -> PlayedHanchan:
    """One of so many questions."""
    plan = small_plan()
    job = next(plan.jobs())
    times = tuple(Times(counts={"1e-03": questions // 4}) for _ in range(4))
    empty = give_up(plan, job, None, "")
    return PlayedHanchan(job, empty.line, TimeLine(0, plan.names, times), {})


@pytest.mark.parametrize(("shared", "alone"), [(2.0, 1.0), (1.0, 2.0)])
def test_after_a_trial_of_both_ways_the_faster_one_is_kept(cores: set[int], shared: float, alone: float) -> None:
    core = min(cores)
    pinning = Pinning(core)
    pinning.played(hanchan(4), 1000.0)  # what the first took is not counted
    for kept in TRIAL:
        assert os.sched_getaffinity(0) == ({core} if kept else cores)
        questions = 400 if kept else 4  # a short hanchan is not a fast one
        pinning.played(hanchan(questions), questions * (alone if kept else shared))
    for _ in range(3):
        assert os.sched_getaffinity(0) == ({core} if alone < shared else cores)
        pinning.played(hanchan(40), 1.0)
    pinning.free()
    assert os.sched_getaffinity(0) == cores


def test_threads_of_a_hanchan_keep_to_the_core_of_their_worker(cores: set[int]) -> None:
    pinning = Pinning(max(cores))
    pinning.played(hanchan(4), 1.0)
    seen = list[set[int]]()
    thread = threading.Thread(target=lambda: seen.append(os.sched_getaffinity(0)))
    thread.start()
    thread.join()
    assert seen == [{max(cores)}]


def test_a_core_is_tried_only_where_players_of_one_process_hand_each_other_the_turn() -> None:
    threads = small_plan(threads="resident")
    assert {core_for(threads, worker) for worker in range(2)} <= os.sched_getaffinity(0)
    assert core_for(threads, 0) != core_for(threads, 1)
    assert core_for(small_plan(threads="inline"), 0) is None
    assert core_for(small_plan(["exec:cat", "dice"], threads="resident"), 0) is None
