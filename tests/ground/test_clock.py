"""Deadlines, by a clock that stands still until it is moved."""

import threading

import pytest

from jantaku.table.ground import clock
from jantaku.table.ground.clock import Deadline


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    shown = [100.0]
    monkeypatch.setattr(clock, "now", lambda: shown[0])
    return shown


def test_a_deadline_comes_nearer_and_is_then_over(moment: list[float]) -> None:
    until = Deadline(2.0)
    assert until.left == 2.0 and not until.over
    moment[0] += 1.5
    assert until.left == 0.5 and not until.over
    moment[0] += 1.0
    assert until.left == 0.0 and until.over


def test_a_deadline_without_seconds_is_never_over(moment: list[float]) -> None:
    until = Deadline(None)
    moment[0] += 1e12
    assert until.left is None and not until.over


def test_a_limit_of_centuries_is_as_long_as_a_lock_can_wait_for(moment: list[float]) -> None:
    assert Deadline(1e300).left == threading.TIMEOUT_MAX


def test_a_deadline_is_over_when_no_more_time_is_granted(moment: list[float]) -> None:
    granted = [0.0, 3.0]
    until = Deadline(1.0, lambda: granted.pop())
    moment[0] += 1.0
    assert not until.over and until.left == 3.0
    moment[0] += 3.0
    assert until.over and granted == []
