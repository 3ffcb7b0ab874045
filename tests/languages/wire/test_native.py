"""Our own messages: their words are written out, so that a class may be renamed and the bytes stay."""

import msgspec
import pytest

from jantaku.table.ground.errors import PlayerFault
from jantaku.table.ground.port import Choice, Question
from jantaku.table.languages.wire.dialect import Heard, Talk
from jantaku.table.languages.wire.native import _ACTIONS, _EVENTS, Native, write_answer, write_fault
from jantaku.table.riichi import actions, events
from jantaku.table.riichi.pieces.melds import ankan, chi
from tests.kit.cases import cases


@cases(
    "event, line",
    (events.TileDiscard(1, 8, tsumogiri=True), ["Discard", {"seat": 1, "tile": 8, "tsumogiri": True}]),
    (events.MeldCall(1, chi(0, 1, 2)), ["Call", {"seat": 1}]),
    (events.OwnKan(1, ankan(0, 0, 0, 0)), ["Kan", {"seat": 1}]),
)
def test_the_words_of_events_are_those_of_the_first_version(event: events.Event, line: list[object]) -> None:
    word, fields = msgspec.json.decode(Native().tell(event))["event"]
    assert word == line[0]
    assert fields.items() >= line[1].items()  # type: ignore[attr-defined]


def test_a_bot_is_quoted_in_objects() -> None:
    side, option = Native(), actions.Discard(29)
    assert side.written(option) == repr(option)
    assert side.said(write_answer(2, PASSING, option)) == repr(option)
    assert side.said(write_answer(2, PASSING, "5s")) == "'5s'"
    assert side.said(b"{") == "{"


def test_what_a_bot_says_beside_its_answer_goes_with_it_and_is_forgotten_with_the_next() -> None:
    side, said = Native(), ['{"q":[0.5,1]}', "", '"東"']
    for number, (remark, kept) in enumerate(zip(said, [{"q": [0.5, 1]}, None, "東"], strict=True), 2):
        talk = side.ask(PASSING)
        next(talk)
        with pytest.raises(StopIteration) as told:
            talk.send(Heard(write_answer(number, PASSING, actions.PASS, remark), number))
        assert (told.value.value, side.meta) == (actions.PASS, kept)


def test_an_exception_brings_the_traceback_of_its_own_process() -> None:
    def fail() -> None:
        raise LookupError("no such tile")

    with pytest.raises(LookupError) as raised:
        fail()
    with pytest.raises(PlayerFault, match="LookupError: no such tile") as told:
        asked().send(Heard(write_fault(2, raised.value), 2))
    assert "in fail" in told.value.trace and told.value.trace.endswith("LookupError: no such tile")


@pytest.mark.parametrize("trace", [None, 5, ["x"]])
def test_a_traceback_that_is_no_text_is_none(trace: object) -> None:
    with pytest.raises(PlayerFault) as told:
        asked().send(Heard(msgspec.json.encode({"number": 2, "raised": "x", "trace": trace}), 2))
    assert told.value.trace == ""


PASSING = Question(1, 0, Choice((actions.PASS,), actions.PASS))


def asked() -> Talk:
    talk = Native().ask(PASSING)
    next(talk)
    return talk


def test_every_event_and_action_has_a_word() -> None:
    assert set(_EVENTS.values()) == {*events.Event.__subclasses__(), *events.Ryukyoku.__subclasses__()}
    assert set(_ACTIONS.values()) == set(actions.RiichiAction.__args__)
