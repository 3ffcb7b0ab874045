"""A line on which several speak at once."""

import sys
import threading

import pytest

from scripts.pace import SOON
from table.server.net import line as module
from table.server.net.line import Farewell, Line


def test_who_speaks_while_others_hang_up_is_no_fault_and_says_nothing_behind_the_farewell(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """A queue with room for few messages, and six who use it at the same moment, again and again."""
    interval = sys.getswitchinterval()
    request.addfinalizer(lambda: sys.setswitchinterval(interval))
    sys.setswitchinterval(1e-6)
    faults: list[object] = []
    monkeypatch.setattr(threading, "excepthook", faults.append)
    for _ in range(200):
        together, cut = threading.Barrier(6), threading.Event()
        line = Line(4, lambda: None, cut.set)
        line.say(b"first")

        def speak(last: bool, line: Line = line, together: threading.Barrier = together) -> None:
            together.wait(SOON)
            for _ in range(3):
                line.hang_up() if last else line.say(b"more")

        threads = [threading.Thread(target=speak, args=(number % 2 == 0,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(SOON)
        said = []
        while (what := line.next()) is not None:
            said.append(what)
        assert not faults
        assert (said == []) if cut.is_set() else isinstance(said[-1], Farewell)
        assert not any(isinstance(what, Farewell) for what in said[:-1])


def test_a_fence_is_passed_by_its_own_pong_or_a_later_one_and_by_no_other() -> None:
    line = Line(10, lambda: None, lambda: None)
    line.fence()
    assert not line.is_behind  # nobody knows yet whether it answers pings
    assert line.heard_pong(b"1") and line.answers_pings
    line.fence()
    line.fence()
    for stray in (b"", b"1", b"4", b"-3", b"x", b"9" * 5000, "３".encode()):
        assert not line.heard_pong(stray) and line.is_behind
    assert line.heard_pong(b"3") and not line.is_behind
    assert not line.heard_pong(b"3")


def test_a_farewell_waits_for_what_is_awaited_and_no_longer_than_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def parted(seconds: float, awaited: list[str]) -> Line:
        monkeypatch.setattr(module, "PARTING", seconds)
        line = Line(10, lambda: None, lambda: None)
        line.say(b"the end")
        line.hang_up(1000, "", lambda: bool(awaited))
        assert line.next(patient=True) == b"the end"
        return line

    awaited = ["a reply"]
    line = parted(1e6, awaited)
    assert line.next(patient=True) is None
    awaited.clear()
    assert isinstance(line.next(patient=True), Farewell)
    assert isinstance(parted(0, ["a reply"]).next(patient=True), Farewell)
    assert isinstance(parted(1e6, ["a reply"]).next(), Farewell)


def test_the_loop_is_woken_once_for_all_that_waits() -> None:
    woken: list[None] = []
    line = Line(10, lambda: woken.append(None), lambda: None)
    for _ in range(3):
        line.say(b"x")
    assert len(woken) == 1
    while line.next() is not None:
        pass
    line.say(b"x")
    assert len(woken) == 2
