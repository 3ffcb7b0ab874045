"""The dialects of Majiang, 2015 (seeds 000 to 002) and 1.x: what a seat is told, and what its replies mean."""

import json
import re
from typing import Any

import pytest

from jantaku.table.ground.errors import PlayerSilent, PlayerUnreadable
from jantaku.table.ground.port import Question
from jantaku.table.languages.majiang.rule import to_majiang
from jantaku.table.languages.wire.dialect import Heard, converse
from jantaku.table.languages.wire.majiang import Majiang, Majiang2015
from jantaku.table.riichi import actions, events, ruleset
from jantaku.table.riichi.actions import NOTEN, PASS, RON, TENPAI, Discard
from jantaku.table.riichi.pieces.melds import chi
from jantaku.table.riichi.pieces.notation import parse_tile
from jantaku.table.riichi.rules import Rules
from tests.kit.cases import cases, kept_cases
from tests.languages.wire.driving import MAJIANG, ask, question, tell

START = events.HanchanStart(("a", "b", "c", "d"), 1, MAJIANG, 2)
DEAL = events.KyokuStart(1, 0, 0, 0, 0, (25000,) * 4, parse_tile("p9"), (None, tuple(range(13)), None, None))


def m(text: str) -> int:
    return parse_tile(text)


def lines(data: bytes) -> list[Any]:
    assert data.endswith(b"\n") or not data
    return [json.loads(line) for line in data.splitlines()]


def test_kaiju_tells_a_1_x_player_its_id_and_the_rule_object() -> None:
    ((kaiju, seq),) = (message.values() for message in lines(tell(Majiang(), START)))
    head = {"id": 2, "player": ["a", "b", "c", "d"], "qijia": 1, "title": "jantaku"}
    assert {key: kaiju[key] for key in head} == head
    assert kaiju["rule"] == to_majiang(MAJIANG) and seq == 1


def test_the_deal_and_draws_show_a_seat_its_own_tiles_only() -> None:
    dialect = Majiang()
    qipai, own, other = lines(tell(dialect, DEAL, events.Draw(1, m("m0")), events.Draw(2, None)))
    assert qipai["qipai"]["shoupai"] == ["", "m123456789p1234", "", ""]
    assert own == {"zimo": {"l": 1, "p": "m0"}, "seq": 2} and other == {"zimo": {"l": 2, "p": ""}, "seq": 3}


def test_the_end_of_1_x_is_the_record_as_this_seat_saw_it() -> None:
    dialect = Majiang()
    tell(dialect, START, DEAL, events.Draw(0, None), events.TileDiscard(0, m("p8"), tsumogiri=True))
    (jieju,) = lines(dialect.tell(events.HanchanEnd((1, 2, 3, 4), (4, 3, 2, 1), (1, 2, 3, 4))))
    log = jieju["jieju"]["log"]
    assert log[0][1:] == [{"zimo": {"l": 0, "p": ""}}, {"dapai": {"l": 0, "p": "p8_"}}]
    assert log[0][0]["qipai"]["shoupai"] == ["", "m123456789p1234", "", ""]
    assert jieju["jieju"]["rank"] == [4, 3, 2, 1]


TURN = (Discard(0), Discard(1, tsumogiri=True))
REACTION = (RON, PASS)


@cases(
    "reply, options, action",
    ({"hule": True}, REACTION, RON),
    ({}, TURN, TURN[1]),
    (None, TURN, TURN[1]),
    ({"hule": ""}, TURN, TURN[1]),
    (None, REACTION, PASS),
    ({"hule": ""}, REACTION, PASS),
    ({"log": "thinking"}, REACTION, PASS),
)
def test_a_reply_of_1_x_means_what_the_protocol_says(reply: Any, options: Any, action: actions.RiichiAction) -> None:
    dialect = Majiang()
    tell(dialect, START)
    assert ask(dialect, question(*options), json.dumps(reply).encode()) == (b"", action)


@pytest.mark.parametrize(("reply", "action"), [({"type": "hule"}, RON), (None, PASS)])
def test_a_reply_of_2015_may_leave_out_what_says_nothing(reply: Any, action: actions.RiichiAction) -> None:
    dialect = Majiang2015()
    tell(dialect, START, DEAL, events.Draw(1, 0))
    assert ask(dialect, question(*REACTION), json.dumps(reply).encode()) == (b"", action)


LONG = '{"dapai":"' + "m" * (2 << 20)


@kept_cases("line, why", (LONG, "a line of more than 1048576 bytes"), ("[" * 200_000, "is not JSON"))
def test_what_is_no_reply_is_named(line: str, why: str) -> None:
    dialect = Majiang()
    tell(dialect, START)
    with pytest.raises(PlayerUnreadable, match=re.escape(why)) as told:
        ask(dialect, question(*TURN), line.encode("latin-1"))
    assert len(str(told.value)) < 400 and str(told.value).isprintable()


@pytest.mark.parametrize("line", [b'{"type":5}', b"{}", b'{"type":"zimo"}', b'{"type":"daopai"}', b'{"type":"dapai"}'])
def test_what_is_no_reply_of_2015_is_named(line: bytes) -> None:
    dialect = Majiang2015()
    tell(dialect, START, DEAL, events.Draw(1, 0))
    with pytest.raises(PlayerUnreadable):
        ask(dialect, question(*TURN), line)


def test_a_reply_without_the_number_of_the_question_is_not_an_answer() -> None:
    """Old, repeated and future numbers are dropped; old questions that were given up and repeats are counted."""
    dialect = Majiang()
    tell(dialect, START, DEAL, events.Draw(1, 0))
    given_up = dialect.ask(question(*TURN))
    next(given_up)
    given_up.close()
    tell(dialect, events.TileDiscard(1, 0), events.Draw(1, 1))
    late, seq = b'{"dapai":"m9","seq":3}', dialect.due
    right = b'{"dapai":"m2_","seq":%d}' % seq
    future = b'{"dapai":"m8","seq":%d}' % (seq + 1)
    assert ask(dialect, question(*TURN), b'{"seq":1}', late, late, future, right)[1] == TURN[1]
    assert dialect.stale == 3, "the late one, its repeat and the one from the future; the reply to kaiju is due"


@pytest.mark.parametrize(("numbered", "sent"), [(True, 0), (False, 2)])
def test_who_repeats_numbers_need_not_reply_to_the_past(numbered: bool, sent: int) -> None:
    """A reply to it that comes nevertheless, and has no number, is none to what is asked later."""
    dialect = Majiang()
    tell(dialect, START)
    greeting = dialect.greet()
    assert greeting is not None and next(greeting) == b""
    with pytest.raises(StopIteration):
        greeting.send(Heard(b'{"seq":1,"name":"a greeting may have it"}' if numbered else b"{}", dialect.due))
    dialect.past = True
    assert tell(dialect, DEAL, events.Draw(1, 0)).count(b"seq") == sent
    dialect.past = False
    tell(dialect, events.TileDiscard(1, 0), events.Draw(1, 1))
    odd = [b'{"dapai":"m9"}'] * (3 if numbered else dialect.due - 2)
    right = b'{"dapai":"m2_","seq":%d}' % dialect.due if numbered else b'{"dapai":"m2_"}'
    assert ask(dialect, question(*TURN), *odd, right)[1] == TURN[1]


def test_replies_without_numbers_are_counted() -> None:
    dialect = Majiang2015()
    tell(dialect, START, DEAL, events.Draw(1, 0), events.TileDiscard(1, 0), events.Draw(2, None))
    nothing, pas = b'{"type":"","data":null}', b'{"type":"hule"}'
    talk = dialect.ask(question(*REACTION))
    next(talk)
    for _ in range(2):
        talk.send(Heard(nothing, dialect.due))
    with pytest.raises(StopIteration) as answer:
        talk.send(Heard(pas, dialect.due))
    assert answer.value.value == RON and dialect.stale == 0


def test_a_reply_that_comes_before_its_message_is_not_counted() -> None:
    dialect = Majiang2015()
    tell(dialect, START, DEAL, events.Draw(1, 0))
    early = Heard(b'{"type":"dapai","data":"m9"}', due=0)
    talk = dialect.ask(question(*TURN))
    next(talk)
    talk.send(early)
    with pytest.raises(StopIteration) as answer:
        talk.send(Heard(b'{"type":"dapai","data":"m1"}', dialect.due))
    assert answer.value.value == Discard(0) and dialect.stale == 1


def test_a_declaration_of_tenpai_may_come_with_the_reply_to_the_last_discard() -> None:
    """daopai lets the tile go and is the answer to the next question too; so is an empty reply."""
    for reply, answer in ((b'{"daopai":"-"}', TENPAI), (b"{}", NOTEN)):
        dialect = Majiang()
        tell(dialect, START, DEAL)
        tell(dialect, events.Draw(0, None), events.TileDiscard(0, 5))
        filler = [b"{}"] * (dialect.due - 1)
        assert ask(dialect, question(*REACTION), *filler, reply)[1] == PASS
        assert ask(dialect, question(TENPAI, NOTEN))[1] == answer


def test_a_seat_that_is_not_asked_about_the_last_discard_declares_in_its_reply_all_the_same() -> None:
    dialect = Majiang()
    tell(dialect, START)
    assert ask(dialect, question(TENPAI, NOTEN), b'{"daopai":"-"}')[1] == TENPAI


def test_the_2015_player_always_declares_tenpai() -> None:
    assert ask(Majiang2015(), question(TENPAI, NOTEN))[1] == TENPAI


def test_a_reply_that_cannot_be_read_is_the_reply_to_that_message_all_the_same() -> None:
    """Nothing else will come for the declaration that follows: whoever waited for it would wait for ever."""
    dialect = Majiang()
    tell(dialect, START)
    with pytest.raises(PlayerUnreadable):
        ask(dialect, question(*REACTION), b'{"hule":"-","fulou":"m1m2m3-","seq":1}')
    assert ask(dialect, question(TENPAI, NOTEN))[1] == NOTEN


@pytest.mark.parametrize("wrong", ["-1", "0", "7.0", '"7"', "true", "[1]", "{}", "1e3", "9999999999999999999999"])
def test_a_reply_with_a_number_of_no_message_is_never_an_answer_and_the_true_one_counts(wrong: str) -> None:
    dialect = Majiang()
    tell(dialect, START, DEAL, events.Draw(1, 0))
    junk = b'{"dapai":"m9","seq":%s}' % wrong.encode()
    right = b'{"dapai":"m2_","seq":%d}' % (dialect.due)
    assert ask(dialect, question(*TURN), junk, junk, right)[1] == TURN[1]


def test_a_player_that_says_nothing_but_wrong_numbers_is_malformed_with_the_number_not_silent() -> None:
    dialect = Majiang()
    tell(dialect, START, DEAL, events.Draw(1, 0))
    lines = iter([Heard(b'{"dapai":"m2_","seq":true}', dialect.due)])

    def receive() -> Heard:
        if (heard := next(lines, None)) is None:
            raise PlayerSilent("no answer in time")
        return heard

    with pytest.raises(
        PlayerUnreadable, match=f"“.*true.*” is not the number of a message.* question has {dialect.due}"
    ):
        converse(dialect.ask(question(*TURN)), lambda data: None, receive)
    with pytest.raises(PlayerSilent):
        converse(dialect.ask(question(*TURN)), lambda data: None, receive)


SHOWA = ruleset.preset("showa")
AFTER_CALL = question(Discard(m("m9")), Discard(m("p2")))


def called(rules: Rules = SHOWA) -> Majiang:
    dialect = Majiang()
    start = events.HanchanStart(("a", "b", "c", "d"), 1, rules, 0)
    tell(dialect, start, DEAL, events.Draw(1, None), events.TileDiscard(1, m("m4")), events.MeldCall(2, M456))
    return dialect


M456 = chi(m("m4"), m("m5"), m("m6"))


def said(tile: str, seq: int) -> bytes:
    return json.dumps({"dapai": tile, "seq": seq}).encode()


def test_who_discards_what_was_just_called_is_warned_and_may_choose_again() -> None:
    """S-51: the call stands, and another tile is chosen within the time."""
    dialect = called()
    sent, action = ask(dialect, AFTER_CALL, said("m4", 5), said("m7", 6), said("p2", 7))
    assert action == Discard(m("p2"))
    assert lines(sent) == [
        {"illegal": {"dapai": tile, "allowed": ["m9", "p2"]}, "seq": seq} for tile, seq in (("m4", 6), ("m7", 7))
    ]


def test_who_says_the_same_again_or_nothing_has_said_what_is_forbidden() -> None:
    assert ask(called(), AFTER_CALL, said("m4", 5), said("m4", 6))[1] == Discard(m("m4"))
    talk = called().ask(AFTER_CALL)
    next(talk)
    talk.send(Heard(said("m4", 5), 5))
    with pytest.raises(StopIteration) as end:
        talk.throw(PlayerSilent("nothing"))
    assert end.value.value == Discard(m("m4"))


@cases(
    "dialect, put, line",
    (called(MAJIANG), AFTER_CALL, said("m4", 5)),
    (called(), AFTER_CALL, b'{"dapai":"m4"}'),
    (called(), question(Discard(m("m9")), Discard(m("p2"), tsumogiri=True)), said("m4", 5)),
    (called(), AFTER_CALL, b'{"hule":"-","seq":5}'),
    ids=["rules-without-it", "without-numbers", "after-a-draw", "no-discard"],
)
def test_nobody_is_warned_otherwise(dialect: Majiang, put: Question, line: bytes) -> None:
    unread = [b"{}"] * (dialect.due - 1) if b"seq" not in line else []
    sent, action = ask(dialect, put, *unread, line)
    assert sent == b"" and action not in put.options
