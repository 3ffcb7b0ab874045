"""The model tells what a person works out by hand from the documents, and finds what is wrong in a judge. Scripts are
plain data, read back from a line."""

from collections.abc import Callable
from typing import Any

import pytest

from jantaku.table.judge import seat
from jantaku.table.judge.account import Account
from jantaku.table.judge.player import SeatPlace, State
from jantaku.table.judge.responses import Responses
from jantaku.table.judge.turn.settling import EventState, Settling
from tests.kit.cases import cases, kept_cases
from tests.simulation.acting import Broken, play
from tests.simulation.again import quiet, tried
from tests.simulation.drawn import schedule_of, script_of
from tests.simulation.laws import check, outcomes
from tests.simulation.scripted import Refused, read

pytestmark = pytest.mark.pure
CLOCK = "turn=2 reaction=1 margin=0.125"


def answers(line: str) -> list[set[str]]:
    """By question in their order, what may come of it: verdict, seconds used, and the bank of the next question."""
    found = list[dict[str, Any]](facts for facts, _ in outcomes(read(line)))
    keys = [key for key in found[0] if key.startswith("turn ") and "seat" in key and "times" not in key]
    return [{f"{facts[key][2]} {facts[f'{key} times'][0]:g}" for facts in found if key in facts} for key in keys]


@kept_cases("line, expected")
def test_the_model_says_what_a_person_works_out(line: str, expected: list[list[str]]) -> None:
    assert answers(f"toy:1 seats=3 mode=resident {CLOCK} | {line}") == [set(each) for each in expected]


def _settles_again(self: Settling, action: Any, answer: Any = None) -> bool:
    self.action, self.answer, self._state = action, answer, EventState.SETTLED
    self._act(action, answer)
    return True


def _writes_always(self: Responses, answer: Any) -> bool:
    self._answers[answer.seat] = answer
    return True


def _books_no_time(self: Account, answer: Any) -> None:
    self.tally.add(answer)


def _never_late(self: SeatPlace, to: State) -> bool:
    return to is not State.LATE and self._step(to)


def _weighs_nothing(choice: Any, given: Any, *_: Any) -> Any:
    return (given if given in choice.options else choice.default), None


@cases(
    "where, name, new",
    (Settling, "settle", _settles_again),
    (Responses, "write", _writes_always),
    (Account, "book", _books_no_time),
    (SeatPlace, "move", _never_late),
    (seat, "weigh", _weighs_nothing),
)
def test_wrong_judges_are_seen(where: Any, name: str, new: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(where, name, new)
    found = None
    with quiet():
        for number in range(2000):
            found = tried(script_of(number // 4), number)
            if isinstance(found, str):
                break
    assert isinstance(found, str) and "scripts/checks interleavings --seed" in found


def test_one_fact_that_differs_is_told_with_what_was_to_come() -> None:
    script = read(f"toy:2 seats=3 {CLOCK} | option:1 | default | default")
    played = play(script, schedule_of(1))
    check(script, played)
    played.record.turns[0][1][0].used = 0.5
    with pytest.raises(Broken, match=r"turn 1 seat 0 times: \[0\.5, .* came; the model says \[0\.0, "):
        check(script, played)


LINE = (
    "riichi:7 seats=3 mode=resident turn=2 reaction=1 bank=0.5 increment=0.125 margin=0.0625 max_faults=2 "
    "bank_per=round on_fault=chombo | hear:3 thinks:0.5 raises, thinks:0.25 freezes:0.5 option:2, at:margin, never "
    "| after:bank illegal, late:0.125 malformed, computes:0.25 incomparable | leaves"
)


def test_a_script_is_the_same_after_its_line_was_read_back() -> None:
    assert str(read(LINE)) == LINE
    for game, count in (("toy", 100), ("clocks", 100), ("riichi", 5)):
        for number in range(count):
            script = script_of(number, game)
            assert read(str(script)) == script and "\n" not in str(script)


@kept_cases("line, why")
def test_what_cannot_be_is_refused(line: str, why: str) -> None:
    with pytest.raises(Refused, match=why):
        read(line)
