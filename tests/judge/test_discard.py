"""What the threads of a turn share: a DiscardEvent, settled once by whoever comes first (S-40, S-41), a sheet of
responses, sealed once (S-42, S-43), and bells."""

import os
import threading
from pathlib import Path

import pytest

from jantaku.table.ground.port import Action, Answer, Choice, Turn, Verdict
from jantaku.table.judge.responses import Responses, question_id
from jantaku.table.judge.turn.bells import TABLES, Bells, LockBell, PipeBell
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


CLAIM = Choice(("pass", "claim"), "pass")


def _answer(turn: int, seat: int) -> Answer:
    return Answer(seat, question_id(turn, seat, 4), "claim", Verdict.OK, 0.25)


OWN = Choice(("keep", "show"), "keep")


def _missing(seat: int, choice: Choice) -> Answer:
    return Answer(seat, question_id(41, seat, 4), choice.default, Verdict.SILENT, 2.0)


def _sheet() -> tuple[Responses, list[int]]:
    tested: list[int] = []

    def reaction(seat: int, action: Action) -> Choice | None:
        tested.append(seat)
        return CLAIM if seat != 3 else None

    return Responses(41, 4, Turn(0, OWN), reaction, lambda: (1, 2, 3)), tested


def test_the_sealed_sheet_alone_tells_the_whole_turn() -> None:
    """Who acted, who let it pass, who was silent until its time was up and who could not react, each with its time."""
    sheet, _ = _sheet()
    acted = Answer(0, question_id(41, 0, 4), "show", Verdict.OK, 0.5)
    sheet.write(acted)
    sheet.write(Answer(1, question_id(41, 1, 4), "pass", Verdict.OK, 0.25))
    sheet.note(3, 0.125)
    sheet.seal("show", _missing)
    told = [(line.seat, line.action, line.word, line.used, line.by) for line in sheet.lines()]
    assert told == [
        (0, "show", "ok", 0.5, "seat"),
        (1, "pass", "ok", 0.25, "seat"),
        (2, "pass", "silent", 2.0, "judge"),
        (3, None, "no reaction", 0.125, "seat"),
    ]


def test_a_seat_with_one_option_has_a_line_without_an_answer() -> None:
    one = Choice(("pass",), "pass")
    sheet = Responses(41, 2, Turn(0, one), lambda seat, action: one, lambda: (1,))
    sheet.note(0, 0.5)
    assert sheet.seal("show", _missing)[1] == [None, None]
    assert [(line.action, line.word, line.used, line.by) for line in sheet.lines()] == [
        ("pass", "one option", 0.5, "seat"),
        ("pass", "one option", None, "judge"),
    ]


def test_each_seat_is_tested_once_and_the_mover_never() -> None:
    sheet, tested = _sheet()
    assert sheet.choice(2, "show") is CLAIM and sheet.choice(2, "show") is CLAIM and sheet.choice(3, "show") is None
    assert sheet.choice(0, "show") is OWN
    assert sheet.seal("show", _missing)[0] == [OWN, CLAIM, CLAIM, None]
    assert sorted(tested) == [1, 2, 3]


def test_question_numbers_do_not_meet() -> None:
    ids = [question_id(turn, seat, 4) for turn in range(1, 50) for seat in range(4)]
    assert len(set(ids)) == len(ids)


def test_the_repr_of_responses_shows_their_state_in_one_line() -> None:
    sheet, _ = _sheet()
    assert repr(sheet) == "<Responses turn 41 open: nothing>"
    sheet.write(_answer(41, 2))
    sheet.note(3, 0.5)
    assert repr(sheet) == "<Responses turn 41 open: 2 ok, 3 no reaction>"
    sheet.seal("show", _missing)
    assert repr(sheet) == "<Responses turn 41 sealed: 0 silent, 1 silent, 2 ok, 3 no reaction>"


OPEN = Path("/proc/self/fd")


def test_only_so_many_tables_have_pipes() -> None:
    tables = [Bells(1) for _ in range(TABLES)]
    other = Bells(1)
    assert isinstance(tables[0].bells[0], PipeBell)
    assert isinstance(other.bells[0], LockBell)
    _end(tables[0])
    following = Bells(1)
    assert isinstance(following.bells[0], PipeBell)
    for one in (*tables[1:], other, following):
        _end(one)


def test_a_table_that_gets_no_pipes_has_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> tuple[int, int]:
        raise OSError("too many open files")

    monkeypatch.setattr(os, "pipe", refuse)
    bells = Bells(2)
    assert [type(bell) for bell in bells.bells] == [LockBell, LockBell]
    _end(bells)


@pytest.mark.skipif(not OPEN.exists(), reason="the system does not list open files")
def test_closed_bells_leave_no_files_open() -> None:
    before = len(list(OPEN.iterdir()))
    bells = Bells(4)
    assert len(list(OPEN.iterdir())) > before
    _end(bells)
    assert len(list(OPEN.iterdir())) == before


def _end(bells: Bells) -> None:
    bells.close()
    assert not any(bell.wait() for bell in bells.bells)
