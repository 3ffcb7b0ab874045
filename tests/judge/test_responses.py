"""Responses: the shared sheet with answers and times, sealed once (S-42, S-43)."""

from table.judge.turn.responses import Responses, question_id
from table.port import Answer, Choice, Verdict

CLAIM = Choice(("pass", "claim"), "pass")


def _answer(turn: int, seat: int) -> Answer:
    return Answer(seat, question_id(turn, seat, 4), "claim", Verdict.OK, 0.25)


def _sheet() -> tuple[Responses, list[int]]:
    tested: list[int] = []

    def reaction(seat: int) -> Choice | None:
        tested.append(seat)
        return CLAIM if seat != 3 else None

    return Responses(41, 4, 0, reaction, lambda: (1, 2, 3)), tested


def test_an_answer_is_kept_with_its_response_time() -> None:
    sheet, _ = _sheet()
    assert sheet.write(_answer(41, 2))
    assert sheet.seal()[1] == [None, None, _answer(41, 2), None]


def test_a_sealed_sheet_refuses_every_later_answer() -> None:
    sheet, _ = _sheet()
    sheet.seal()
    assert not sheet.write(_answer(41, 2))
    assert sheet.seal()[1] == [None] * 4


def test_an_answer_to_another_turns_question_is_refused() -> None:
    sheet, _ = _sheet()
    assert not sheet.write(_answer(40, 2))
    assert sheet.seal()[1] == [None] * 4


def test_each_seat_is_tested_once_and_the_mover_never() -> None:
    sheet, tested = _sheet()
    assert sheet.choice(2) is CLAIM and sheet.choice(2) is CLAIM and sheet.choice(3) is None
    assert sheet.choice(0) is None
    assert sheet.seal()[0] == [None, CLAIM, CLAIM, None]
    assert sorted(tested) == [1, 2, 3]


def test_a_thread_that_comes_after_the_seal_does_not_ask_the_game() -> None:
    sheet, tested = _sheet()
    sheet.seal()
    before = len(tested)
    assert sheet.choice(1) is None and len(tested) == before


def test_question_numbers_do_not_meet() -> None:
    ids = [question_id(turn, seat, 4) for turn in range(1, 50) for seat in range(4)]
    assert len(set(ids)) == len(ids)


def test_its_repr_shows_its_state_in_one_line() -> None:
    sheet, _ = _sheet()
    assert repr(sheet) == "<Responses turn 41 open: nothing>"
    sheet.write(_answer(41, 2))
    sheet.seal()
    assert repr(sheet) == "<Responses turn 41 sealed: 2 ok>"
