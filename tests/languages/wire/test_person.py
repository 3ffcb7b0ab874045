"""What the page of a person is told and what of its messages counts: only an option of the question that is open."""

import json
from typing import Any

import pytest

from jantaku.table.ground.errors import PlayerSilent
from jantaku.table.ground.port import Action, Question
from jantaku.table.languages.wire.dialect import Heard
from jantaku.table.languages.wire.person import Person, is_back
from jantaku.table.riichi.actions import PASS, RON, TSUMO, TSUMOGIRI, Discard
from tests.kit.cases import cases
from tests.languages.wire.driving import question

DRAWN = TSUMOGIRI[3]
OWN = (Discard(0), DRAWN, TSUMO)


class Page:
    """A page that was asked something, and what it hears back."""

    def __init__(self, options: tuple[Action, ...] = OWN) -> None:
        self.side = Person()
        self.talk = self.side.ask(question(*options, default=options[0]))
        (self.choice,) = told(next(self.talk))

    def says(self, message: Any) -> Any:
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        heard = Heard(line, self.side.due)
        if (refusal := self.side.interjected(heard)) is not None:
            return told(refusal)[0]
        try:
            assert self.talk.send(heard) == b""
        except StopIteration as end:
            return end.value
        return None


def told(data: bytes) -> list[Any]:
    return [json.loads(line) for line in data.splitlines()]


def reply(number: int, **words: str) -> dict[str, Any]:
    return {"question": number, "reply": words}


def test_a_choice_has_its_number_every_option_and_the_time() -> None:
    choice = Page().choice["choice"]
    assert choice["question"] == 7
    assert choice["options"] == [{"dapai": "m1"}, {"dapai": "m4_"}, {"hule": "-"}]
    assert choice["default"] == {"dapai": "m1"}


@pytest.mark.parametrize(("words", "action"), [({"dapai": "m4_"}, DRAWN), ({"hule": "-"}, TSUMO)])
def test_a_reply_to_the_open_question_is_what_is_played(words: dict[str, str], action: Action) -> None:
    assert Page().says(reply(7, **words)) == action


def test_a_call_is_let_go_with_nothing() -> None:
    assert Page((PASS, RON)).says(reply(7)) == PASS


@cases(
    "message, why",
    (reply(6, dapai="m1"), "late"),
    (reply(8, dapai="m1"), "late"),
    (reply(7, dapai="m2"), "forbidden"),
    (reply(7), "forbidden"),
    ({"question": 7, "reply": {"dapai": "m1", "hule": "-"}}, "forbidden"),
    ({"question": True, "reply": {}}, "unreadable"),
    ({"question": "7", "reply": {}}, "unreadable"),
    ({"question": 7, "reply": "dapai"}, "unreadable"),
    ({"reply": {"dapai": "m1"}}, "unreadable"),
    ([7], "unreadable"),
    (b"\xff", "unreadable"),
    (b"[" * 10_000, "unreadable"),
)
def test_whatever_else_is_said_is_refused_and_the_question_stays_open(message: Any, why: str) -> None:
    page = Page()
    assert page.says(message) == {"refused": why}
    assert page.side.choice(None) != b""
    assert page.says(reply(7, dapai="m1")) == Discard(0)


def test_a_second_tap_is_late() -> None:
    page = Page()
    assert page.says(reply(7, dapai="m1")) == Discard(0)
    assert page.says(reply(7, dapai="m4_")) == {"refused": "late"}
    assert page.side.choice(None) == b"" and page.side.stale == 1


def test_a_reply_that_was_taken_as_time_ran_out_answers_no_other_question() -> None:
    page = Page()
    line = Heard(json.dumps(reply(7, dapai="m1")).encode(), 1)
    assert page.side.interjected(line) is None  # it waits to be read, and nobody reads it any more
    with pytest.raises(PlayerSilent):
        page.talk.throw(PlayerSilent())
    following = page.side.ask(Question(12, 0, question(*OWN).choice))
    next(following)
    assert following.send(line) == b""
    assert page.side.choice(None) != b""


def test_who_comes_back_is_told_the_open_question_with_the_time_that_is_left() -> None:
    side = Person()
    asked = Question(5, 0, question(*OWN).choice, allowed=70.0, margin=1.0, bank=10.0)
    next(talk := side.ask(asked))
    (again,) = told(side.choice(21.5))
    assert again["choice"]["question"] == 5
    assert again["choice"]["timer"] == {"limit": 60.0, "bank": 10.0, "left": 20.5, "margin": 1.0}
    talk.close()
    assert side.choice(21.5) == b""


def test_only_the_one_word_says_that_somebody_is_back() -> None:
    assert is_back('{"back":true}')
    assert not is_back('{"back":false}') and not is_back('{"question":1,"reply":{}}')
