"""DiscardEvent: settled once, by whoever comes first (S-40, S-41)."""

import threading

import pytest

from jantaku.table.ground.port import Action, Answer, Verdict
from jantaku.table.judge.turn.discard import DiscardEvent
from jantaku.table.riichi.actions import KYUUSHU, TSUMOGIRI, Discard
from jantaku.table.riichi.pieces.tiles import TILE


def _event(turn: int, acted: list[Action]) -> DiscardEvent:
    return DiscardEvent(turn, lambda action, answer: acted.append(action))


def test_it_is_a_threading_event_that_carries_the_discarded_tile() -> None:
    event = DiscardEvent(1, lambda action, answer: None)
    assert isinstance(event, threading.Event) and not event.is_set() and (event.action, event.tile) == (None, None)
    assert event.settle(TSUMOGIRI[TILE["m5"]]) and event.is_set() and event.wait(0)
    assert event.action == Discard(TILE["m5"], tsumogiri=True) and event.tile == TILE["m5"]
    other = DiscardEvent(2, lambda action, answer: None)
    assert other.settle(KYUUSHU) and other.tile is None


def test_only_settling_sets_it_and_nothing_clears_it() -> None:
    """A thread that is let go by `set` would find a turn without an action."""
    acted: list[Action] = []
    event = _event(1, acted)
    for forbidden in (event.set, event.clear):
        with pytest.raises(RuntimeError, match=r"settle\(action\)"):
            forbidden()
    for name in ("tile", "action"):
        with pytest.raises(AttributeError, match=r"settle\(action\)"):
            setattr(event, name, TILE["m5"])
    assert not event.is_set() and event.action is None and acted == []
    assert event.settle(TSUMOGIRI[TILE["m5"]])
    with pytest.raises(RuntimeError):
        event.clear()
    assert event.is_set() and event.tile == TILE["m5"]


def test_ctrl_c_while_the_action_happens_is_not_swallowed() -> None:
    def act(action: Action, answer: Answer | None) -> None:
        raise KeyboardInterrupt

    event = DiscardEvent(1, act)
    with pytest.raises(KeyboardInterrupt):
        event.settle("keep")
    assert event.is_set()


def test_its_repr_shows_its_state_in_one_line() -> None:
    event = DiscardEvent(41, lambda action, answer: None)
    assert repr(event) == "<DiscardEvent turn 41: open>"
    event.settle("keep")
    assert repr(event) == "<DiscardEvent turn 41: 'keep' by the judge>"
    asked = DiscardEvent(42, lambda action, answer: None)
    asked.settle("show", Answer(3, 1, "show", Verdict.OK))
    assert repr(asked) == "<DiscardEvent turn 42: 'show' by seat 3>"
    asked.spoil(KeyError("x"))
    assert repr(asked) == "<DiscardEvent turn 42: spoilt by KeyError>"
