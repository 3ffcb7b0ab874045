"""Who watches a process: what counts as silence."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jantaku.table.judge.stalls import SIZE, Heartbeat, Supervision
from scripts.pace import SOON


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
    _until_state(other, "T")
    assert not any(supervision.look(second) for second in range(6)) and not supervision.stopped
    assert not supervision.look(7) and supervision.stopped
    os.kill(other, signal.SIGCONT)
    _until_state(other, "S")
    assert not supervision.look(8)


def test_a_process_that_is_stopped_before_anything_is_played_is_noticed_as_well(other: int) -> None:
    supervision = Supervision(Heartbeat(memoryview(bytearray(SIZE))), other)
    os.kill(other, signal.SIGSTOP)
    _until_state(other, "T")
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
            until = time.monotonic() + SOON
            while computes and supervision.culprit() is None:
                assert time.monotonic() < until
                time.sleep(0.01)
            assert supervision.culprit() == (2 if computes else None)
        finally:
            process.kill()


def _until_state(pid: int, state: str) -> None:
    until = time.monotonic() + SOON
    while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != state:
        assert time.monotonic() < until
        time.sleep(0.01)
