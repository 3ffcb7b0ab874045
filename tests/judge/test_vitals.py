"""Who watches a process: what counts as silence."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.pace import SOON
from table.judge.vitals import SIZE, Vitals, Watcher


@pytest.fixture
def other() -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"]) as process:
        yield process.pid
        process.kill()


def test_a_process_that_beats_or_plays_nothing_is_never_silent(other: int) -> None:
    vitals = Vitals(memoryview(bytearray(SIZE)))
    watcher = Watcher(vitals, other)
    for second in range(100):
        assert not watcher.look(second)
    vitals.bound(5)
    for second in range(100, 200):
        vitals.beat()
        assert not watcher.look(second)


def test_silence_counts_only_while_the_watcher_is_awake(other: int) -> None:
    vitals = Vitals(memoryview(bytearray(SIZE)))
    vitals.bound(5)
    watcher = Watcher(vitals, other)
    looks = [watcher.look(at) for at in (1, 2, 1000, 1001, 1002, 1003, 1004, 1005)]
    assert looks == [False] * 6 + [True] * 2


def test_a_process_that_was_stopped_is_not_silent_when_it_goes_on(other: int) -> None:
    vitals = Vitals(memoryview(bytearray(SIZE)))
    vitals.bound(5)
    watcher = Watcher(vitals, other)
    os.kill(other, signal.SIGSTOP)
    _until_state(other, "T")
    assert not any(watcher.look(second) for second in range(6)) and not watcher.stopped
    assert not watcher.look(7) and watcher.stopped
    os.kill(other, signal.SIGCONT)
    _until_state(other, "S")
    assert not watcher.look(8)


def _until_state(pid: int, state: str) -> None:
    until = time.monotonic() + SOON
    while Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != state:
        assert time.monotonic() < until
        time.sleep(0.01)
