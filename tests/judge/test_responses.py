"""Responses: the shared sheet with answers and times, sealed once (S-42, S-43)."""

from jantaku.table.ground.port import Action, Answer, Choice, Turn, Verdict
from jantaku.table.judge.responses import Responses, question_id

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


def test_its_repr_shows_its_state_in_one_line() -> None:
    sheet, _ = _sheet()
    assert repr(sheet) == "<Responses turn 41 open: nothing>"
    sheet.write(_answer(41, 2))
    sheet.note(3, 0.5)
    assert repr(sheet) == "<Responses turn 41 open: 2 ok, 3 no reaction>"
    sheet.seal("show", _missing)
    assert repr(sheet) == "<Responses turn 41 sealed: 0 silent, 1 silent, 2 ok, 3 no reaction>"
