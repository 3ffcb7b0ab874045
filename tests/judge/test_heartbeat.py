"""Who watches a process: what counts as silence."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from jantaku.table.judge.heartbeat import SIZE, Heartbeat, Supervision
from tests.kit.processes import state_of, wait_until


@pytest.fixture
def other() -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"]) as process:
        yield process.pid
        process.kill()


def test_a_process_that_beats_or_plays_nothing_is_never_silent(other: int) -> None:
    heartbeat = Heartbeat(memoryview(bytearray(SIZE)))
    supervision = Supervision(heartbeat, other)
    for second in range(100):
        assert not supervision.look(second)
    heartbeat.bound(5)
    for second in range(100, 200):
        heartbeat.beat()
        assert not supervision.look(second)


def test_silence_counts_only_while_the_watcher_is_awake(other: int) -> None:
    heartbeat = Heartbeat(memoryview(bytearray(SIZE)))
    heartbeat.bound(5)
    supervision = Supervision(heartbeat, other)
    looks = [supervision.look(at) for at in (1, 2, 1000, 1001, 1002, 1003, 1004, 1005)]
    assert looks == [False] * 6 + [True] * 2


def test_a_process_that_was_stopped_is_not_silent_when_it_goes_on(other: int) -> None:
    heartbeat = Heartbeat(memoryview(bytearray(SIZE)))
    heartbeat.bound(5)
    supervision = Supervision(heartbeat, other)
    os.kill(other, signal.SIGSTOP)
    wait_until(lambda: state_of(other) == "T")
    assert not any(supervision.look(second) for second in range(6)) and not supervision.stopped
    assert not supervision.look(7) and supervision.stopped
    os.kill(other, signal.SIGCONT)
    wait_until(lambda: state_of(other) == "S")
    assert not supervision.look(8)


def test_a_process_that_is_stopped_before_anything_is_played_is_noticed_as_well(other: int) -> None:
    supervision = Supervision(Heartbeat(memoryview(bytearray(SIZE))), other)
    os.kill(other, signal.SIGSTOP)
    wait_until(lambda: state_of(other) == "T")
    assert not any(supervision.look(second) for second in range(12)) and supervision.stopped


@pytest.mark.parametrize("computes", [True, False])
def test_without_threads_the_seat_that_was_asked_last_has_kept_the_lock_if_the_process_computed(computes: bool) -> None:
    what = "while True: pass" if computes else "import time; time.sleep(3600)"
    with subprocess.Popen([sys.executable, "-c", what]) as process:
        heartbeat = Heartbeat(memoryview(bytearray(SIZE)))
        heartbeat.bound(0.5)
        heartbeat.turn(1)
        heartbeat.turn(2)
        supervision = Supervision(heartbeat, process.pid)
        try:
            assert [supervision.look(at) for at in (1, 1.1, 2)] == [False, False, True]
            wait_until(lambda: not computes or supervision.culprit() is not None)
            assert supervision.culprit() == (2 if computes else None)
        finally:
            process.kill()
