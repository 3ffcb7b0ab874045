"""Bots asked beside a record: they hear it, are asked what their seat was asked, and change nothing."""

from pathlib import Path

import pytest

from jantaku.players.broken.stuck import let_all_go
from jantaku.table.arena.forks.between import ALONE, Beside
from jantaku.table.arena.forks.course import Course, course_in, course_of
from jantaku.table.arena.forks.shadow import Shadowed, shadowed
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Verdict
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.play.seating.roster import Entrant, enlist
from jantaku.table.records.journal.read import Record, load
from jantaku.table.records.replay.decisions import decisions
from scripts.environments import PYTHON


@pytest.fixture(scope="module")
def record(game_folder: Path) -> Record:
    return load(game_folder / "game-0000.jsonl")


@pytest.fixture(scope="module")
def course(record: Record) -> Course:
    return course_of(record)


def bot(spec: str) -> Entrant:
    return enlist([spec])[0]


def at_all_seats(spec: str) -> dict[int, Entrant]:
    return dict.fromkeys(range(4), bot(spec))


def test_a_shadow_is_asked_every_decision_that_its_seat_had(record: Record, course: Course) -> None:
    wanted = [(one.kyoku, one.turn, one.player) for one in decisions(record)]
    found = shadowed(course, at_all_seats("tsumogiri"))
    assert [(one.kyoku, one.turn, one.player) for one in found] == wanted
    assert len(wanted) > 100


def test_another_bot_is_asked_about_the_very_same_states(course: Course) -> None:
    found = shadowed(course, at_all_seats("tsumogiri"))
    assert any(one.differs for one in found)
    assert all(one.played in one.choice.options and one.answer.action in one.choice.options for one in found)


def test_a_shadow_of_a_paifu_sees_the_same_questions(game_folder: Path, course: Course) -> None:
    told = shadowed(course, at_all_seats("shanten"))
    guessed = shadowed(course_of(load(game_folder / "game-0000.json")), at_all_seats("shanten"))
    assert [(one.kyoku, one.turn, one.player, one.choice) for one in told] == [
        (one.kyoku, one.turn, one.player, one.choice) for one in guessed
    ]
    assert [one.answer.action for one in told] == [one.answer.action for one in guessed]


def test_only_those_are_asked_that_are_wanted(course: Course) -> None:
    left: set[tuple[int, int]] = set()

    def once_a_kyoku(one: Shadowed) -> None:
        left.add((one.kyoku, one.player))

    found = shadowed(
        course,
        at_all_seats("shanten"),
        wanted=lambda kyoku, turn, player: (kyoku, player) not in left,
        note=once_a_kyoku,
    )
    assert len(found) == len({(one.kyoku, one.player) for one in found}) == 4 * len(course.kyoku)


def test_a_fault_of_a_shadow_is_its_own_and_the_game_goes_on(record: Record, course: Course) -> None:
    found = shadowed(course, at_all_seats("cheat"))
    assert len(found) == len(list(decisions(record)))
    assert {one.answer.verdict for one in found} <= {Verdict.ILLEGAL, Verdict.MALFORMED}
    assert all(one.answer.reason for one in found)


def test_a_bot_that_cannot_be_made_is_said_in_a_line(course: Course, tmp_path: Path) -> None:
    file = tmp_path / "bad.py"
    file.write_text("class Bad:\n    def __init__(self): raise OSError('no weights')\n    def answer(self, q): ...\n")
    with pytest.raises(BadInput, match="no weights"):
        shadowed(course, at_all_seats(f"{file}:Bad"))


def test_bots_in_processes_of_their_own_answer_as_in_this_one(course: Course) -> None:
    inside = shadowed(course, {2: bot("shanten")})
    outside = shadowed(course, {2: bot("shanten?isolate=process")}, Beside(Clock(turn=10, reaction=10), Mode.RESIDENT))
    assert [(one.kyoku, one.turn, one.answer.action) for one in inside] == [
        (one.kyoku, one.turn, one.answer.action) for one in outside
    ]


def test_a_stuck_shadow_is_silent_and_is_not_waited_for_long(course: Course) -> None:
    found = shadowed(course, {0: bot("stuck")}, Beside(Clock(turn=0.01, reaction=0.01, margin=0), Mode.RESIDENT))
    let_all_go()
    assert found[0].answer.verdict is Verdict.SILENT
    assert not any(one.answer.verdict.good for one in found)


def test_a_journal_is_read_by_its_answers_alone_to_the_same_course(game_folder: Path, course: Course) -> None:
    quick = course_in(game_folder / "game-0000.jsonl")
    assert (quick.kyoku, quick.standings, quick.rules) == (course.kyoku, course.standings, course.rules)
    assert quick.begin().events == course.begin().events


@pytest.mark.parametrize("dialect", ["mjai", "majiang"])
def test_a_program_hears_one_story_whatever_it_would_have_done(course: Course, dialect: str) -> None:
    """It is asked until it first differs in a kyoku, and hears the rest as the record has it: also where it would have
    declared riichi, which mjai asks about twice."""
    program = f"exec:{PYTHON} -m jantaku.players.adapters.client --bot shanten --dialect {dialect}?dialect={dialect}"

    def asked(one: Entrant, beside: Beside) -> list[tuple[object, ...]]:
        left: set[tuple[int, int]] = set()

        def leave(found: Shadowed) -> None:
            if found.differs:
                left.add((found.kyoku, found.player))

        seats = {0: one, 1: one}
        found = shadowed(course, seats, beside, lambda kyoku, _, player: (kyoku, player) not in left, leave)
        return [(one.kyoku, one.turn, one.player, one.answer.verdict, one.answer.action) for one in found]

    patient = Beside(Clock(turn=20, reaction=20, start=30), Mode.RESIDENT)
    assert asked(bot(program), patient) == asked(bot("shanten"), ALONE)
