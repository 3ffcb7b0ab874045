"""Whose a seat is, without a network: claims, and what the seat says when nobody is there."""

import threading
from collections.abc import Callable
from typing import Any, cast

import pytest

from jantaku.table.ground.errors import PlayerFault, PlayerNotReady, PlayerSilent, PlayerUnreadable
from jantaku.table.ground.port import Choice, Evidence, Question
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.actions import PASS, RON
from jantaku.table.riichi.events import HanchanStart
from jantaku.table.serve.identity import Identity
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.riichi.seats import DialectSeat
from tests.kit.cases import cases

ALICE = Identity("alice", "", "127.0.0.1")
KEYED = Identity("alice", "k", "127.0.0.1")
START = HanchanStart(("a", "b", "c", "d"), 0, ruleset.resolve("tenhou").rules, 0)
QUESTION = Question(1, 0, Choice((PASS, RON), PASS), 0.05, 0.0)


class PaperLine:
    def __init__(self) -> None:
        self.said: list[bytes] = []
        self.ended = ""

    def say(self, message: bytes) -> None:
        self.said.append(message)

    def hang_up(self, code: int, reason: str, awaited: Callable[[], bool] | None = None) -> None:
        self.ended = reason


def line() -> Any:
    return cast(Line, PaperLine())


def seated(claim: Identity = KEYED) -> tuple[DialectSeat, Any]:
    seat, first = DialectSeat(), line()
    assert seat.take(claim, first) == ""
    return seat, first


@cases(
    "claim, again, allowed",
    (ALICE, ALICE, True),
    (ALICE, ALICE._replace(address="10.0.0.1"), False),
    (ALICE, KEYED, False),
    (KEYED, KEYED._replace(address="10.0.0.1"), True),
    (KEYED, KEYED._replace(key="K"), False),
    (KEYED, KEYED._replace(key=""), False),
    (KEYED, KEYED._replace(name="bob"), False),
)
def test_a_seat_that_was_left_is_only_for_the_same_client(claim: Identity, again: Identity, allowed: bool) -> None:
    """The same: it has the same key; or, if it had none, the same address."""
    seat, first = seated(claim)
    seat.hear(START)
    seat.leave(first)
    second = line()
    assert (seat.take(again, second) == "") is allowed
    assert len(second.said) == (1 if allowed else 0)


def test_a_seat_that_somebody_sits_on_is_taken_over_with_a_key_only() -> None:
    seat, first = seated(ALICE)
    assert "taken" in seat.take(ALICE, line()) and first.ended == ""
    seat, first = seated(KEYED)
    assert seat.take(KEYED, line()) == "" and first.ended


def test_a_reply_may_come_before_the_question_that_it_answers_is_put() -> None:
    """Clients reply to messages; whether the table has a question there they do not know."""
    seat, first = seated()
    seat.hear(START)
    seat.receive(first, '{"hule": "-", "seq": 1}')
    assert seat.answer(QUESTION) == RON


def test_a_connection_that_ends_at_the_start_is_not_waited_for() -> None:
    seat, first = seated()
    seat.hear(START)
    leaving = threading.Timer(0.05, seat.leave, [first])
    leaving.start()
    seat.start(60)
    leaving.join()
    with pytest.raises(PlayerFault):
        seat.answer(QUESTION)


def test_who_is_not_connected_is_not_waited_for() -> None:
    seat, first = seated()
    seat.hear(START)
    first.ended = "a broken cable"
    seat.leave(first)
    with pytest.raises(PlayerFault, match="a broken cable"):
        seat.answer(Question(1, 0, QUESTION.choice, None, 0.0))


def test_nobody_has_come_in_the_time_to_become_ready() -> None:
    seat = DialectSeat("nobody has come to the table")
    with pytest.raises(PlayerNotReady, match="nobody has come to the table"):
        seat.start(0.01)
    assert "given up" in seat.take(KEYED, line())


def test_messages_that_are_due_do_not_count_as_too_many() -> None:
    seat, first = seated()
    assert not seat.receive(first, "{}")
    seat.hear(START)
    assert seat.receive(first, '{"seq": 1}') and not seat.receive(first, '{"seq": 1}')


def test_replies_that_nobody_asks_for_do_not_pile_up() -> None:
    seat, first = seated()
    for _ in range(100):
        seat.receive(first, "x" * 10_000)
    assert first.ended == ""
    for _ in range(10):
        seat.receive(first, "x" * 10_000)
    assert "that answer nothing" in first.ended


def test_a_line_that_was_replaced_is_not_heard_any_more() -> None:
    seat, first = seated()
    seat.hear(START)
    seat.take(KEYED, line())
    assert not seat.receive(first, '{"seq": 1}')
    with pytest.raises(PlayerSilent):
        seat.answer(QUESTION)


def test_empty_replies_do_not_pile_up_either() -> None:
    seat, first = seated()
    for _ in range(100_000):
        seat.receive(first, "")
    assert "that answer nothing" in first.ended and len(seat._inbox) < 20_000


def test_a_limit_of_centuries_is_a_limit_and_no_fault() -> None:
    """No thread can wait for so long at a time."""
    seat, first = seated()
    seat.hear(START)
    answering = threading.Timer(0.05, seat.receive, [first, '{"hule": "-", "seq": 1}'])
    answering.start()
    assert seat.answer(Question(1, 0, QUESTION.choice, 1e11, 0.0)) == RON
    answering.join()


def test_a_client_is_quoted_in_its_own_dialect_with_the_line_that_came() -> None:
    seat, first = seated()
    seat.hear(START)
    seat.receive(first, '{"seq": 1, "fulou": "nonsense"}')
    with pytest.raises(PlayerUnreadable):
        seat.answer(QUESTION)
    told = seat.explain(QUESTION.choice)
    assert told == Evidence(came='{"seq": 1, "fulou": "nonsense"}', offered=("{}", '{"hule":"-"}'))


def test_a_seat_to_which_nobody_came_has_nothing_to_tell() -> None:
    assert DialectSeat().explain(QUESTION.choice) == Evidence()
    assert DialectSeat().sent() == []


def test_a_seat_keeps_the_last_messages_that_went_to_its_client() -> None:
    seat, first = seated()
    seat.hear(START)
    assert [text.encode() for text in seat.sent()] == first.said
