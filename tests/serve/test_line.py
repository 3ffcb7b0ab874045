"""A line: fences, farewells that wait, and when the loop is woken."""

import pytest

from jantaku.table.serve.net import line as module
from jantaku.table.serve.net.line import Farewell, Fence, Line


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


def test_a_keep_alive_is_answered_but_fences_nothing_off() -> None:
    line = Line(10, lambda: None, lambda: None)
    line.keep_alive()
    assert line.next() == Fence(0) and line.heard_pong(b"0") and line.answers_pings
    assert not line.heard_pong(b"0")  # nobody has asked for it
    line.fence()
    assert line.heard_pong(b"1")
    line.keep_alive()
    assert not line.is_behind and line.heard_pong(b"1") and not line.heard_pong(b"1")


def test_the_pong_of_a_keep_alive_counts_for_the_fences_before_it() -> None:
    """A library may answer the newest of several pings alone (RFC 6455, 5.5.3)."""
    line = Line(10, lambda: None, lambda: None)
    line.keep_alive()
    assert line.heard_pong(b"0")
    line.fence()
    line.keep_alive()
    assert line.is_behind and line.heard_pong(b"1") and not line.is_behind


def parted(owed: list[str], patience: float | None) -> Line:
    """A line on which only the farewell is left."""
    line = Line(10, lambda: None, lambda: None)
    line.say(b"the end")
    line.hang_up(1000, "", lambda: len(owed), patience)
    assert line.next(patient=True) == b"the end"
    return line


@pytest.mark.parametrize("patience", [1e6, None])
def test_a_farewell_waits_for_all_replies_that_are_due(monkeypatch: pytest.MonkeyPatch, patience: float | None) -> None:
    monkeypatch.setattr(module, "PARTING", 1e6)
    owed = ["a reply", "one more", "the last"]
    line = parted(owed, patience)
    while owed:
        assert line.next(patient=True) is None
        owed.pop()
    assert isinstance(line.next(patient=True), Farewell)
    assert isinstance(parted(["a reply"], patience).next(), Farewell)


def test_each_reply_but_the_last_has_the_time_of_an_answer_and_all_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "PARTING", 0)
    owed = ["a reply", "one more", "the last"]
    line = parted(owed, 1e6)
    for _ in range(2):
        assert line.next(patient=True) is None
        owed.pop()
    assert isinstance(line.next(patient=True), Farewell)
    assert isinstance(parted(["a reply", "the last"], 0).next(patient=True), Farewell)
    monkeypatch.setattr(module, "LONGEST_PARTING", 0)
    assert isinstance(parted(["a reply", "the last"], 1e6).next(patient=True), Farewell)


def test_who_was_too_slow_once_is_not_waited_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    owed = 3
    parting = module.Parting(lambda: owed, 0)
    assert not parting.left
    owed = 2
    assert not parting.left
    monkeypatch.setattr(module, "PARTING", 1e6)
    owed = 1
    assert not parting.left


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
