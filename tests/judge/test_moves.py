"""The tables that the judge goes by are whole, and nothing moves otherwise than they say."""

import itertools

import pytest

from jantaku.table.ground.port import Verdict
from jantaku.table.judge import player
from jantaku.table.judge.faults import CONFINED, RAISED, VERDICTS, Cause, Fault
from jantaku.table.judge.player import SeatPlace, State
from jantaku.table.judge.turn import settling
from jantaku.table.judge.turn.discard import DiscardEvent
from jantaku.table.judge.turn.settling import EventState

TO = {State.IDLE: [], State.ASKED: [State.ASKED], State.LATE: [State.ASKED, State.LATE], State.GONE: [State.GONE]}
"""How a seat that is at home gets into each state."""


@pytest.mark.parametrize(("before", "after"), list(itertools.product(State, State)))
def test_a_seat_moves_as_its_table_says_and_not_otherwise(before: State, after: State) -> None:
    seat = SeatPlace()
    assert all(seat.move(state) for state in TO[before]) and seat.state is before
    drawn = any((move.before, move.after) == (before, after) for move in player.MOVES)
    assert seat.move(after) is drawn
    assert seat.state is (after if drawn else before)


def test_an_event_moves_as_its_table_says() -> None:
    moves = {(move.before, move.after) for move in settling.MOVES}
    settled, spoilt = (DiscardEvent(1, lambda action, answer: None) for _ in range(2))
    assert settled.settle("keep") and (EventState.OPEN, EventState.SETTLED) in moves
    assert not settled.settle("show") and settled.action == "keep"
    settled.spoil(RuntimeError("ours"))
    assert repr(settled).endswith("spoilt by RuntimeError>") and (EventState.SETTLED, EventState.SPOILT) in moves
    spoilt.spoil(RuntimeError("ours"))
    assert not spoilt.settle("keep") and (EventState.SPOILT, EventState.SETTLED) not in moves


def test_every_cause_has_a_verdict_and_every_bad_verdict_a_cause() -> None:
    assert set(VERDICTS) == set(Cause)
    assert set(VERDICTS.values()) == {verdict for verdict in Verdict if not verdict.good}
    assert {*RAISED.values(), *CONFINED.values()} <= set(Cause)
    assert Fault(Cause.BUSY, "still busy").verdict is Verdict.NOT_ASKED


def test_an_exception_is_found_before_those_that_it_is_one_of() -> None:
    kinds = list(RAISED)
    for first, second in itertools.combinations(kinds, 2):
        assert not issubclass(second, first)
