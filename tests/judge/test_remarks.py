"""What a player says beside its answers: kept as JSON, bounded, on its clock, and nothing else comes of it."""

import json
from typing import Any

import numpy
import pytest

from jantaku.players.base import RiichiPlayer
from jantaku.table.ground.foreign.remarks import LONGEST_REMARK
from jantaku.table.ground.port import Action, PlayerWrapper, Question, Verdict
from jantaku.table.judge.timing import Clock
from tests.judge.players import Writer, join_table_threads, play
from tests.kit.modes import MODES
from tests.kit.pace import SOON, UNIT
from tests.kit.simulated import about, sleep
from tests.kit.toy import ToyGame


class _Says(Writer):
    """Says `said` beside every answer; called, if it can be."""

    def __init__(self, said: Any) -> None:
        super().__init__()
        self._said = said

    def remark(self) -> object:
        return self._said() if callable(self._said) else self._said


def kept(said: Any, **settings: Any) -> list[Any]:
    _, log = play(ToyGame(turns=5), [_Says(said), Writer(), Writer(), Writer()], **settings)
    assert all(answer.verdict is Verdict.OK for answer in log.every)
    assert not any(answer.meta for answer in log.every if answer.seat)
    return [json.loads(answer.meta) if answer.meta else None for answer in log.of(0)]


@pytest.mark.parametrize("mode", MODES)
def test_what_a_player_says_beside_its_answer_is_kept(mode: str) -> None:
    assert kept({"q": [0.5, -1], "note": "東\u2028"}, mode=mode)[0] == {"q": [0.5, -1], "note": "東\u2028"}
    assert set(kept(None, mode=mode)) == {None}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (numpy.float32(0.5), 0.5),
        ({"q": numpy.array([[1.5, 2], [3, 4]])}, {"q": [[1.5, 2], [3, 4]]}),
        (float("nan"), None),
        ("", ""),
        ((1, {2}), [1, [2]]),
    ],
)
def test_numbers_of_numpy_and_the_like_are_written_as_json(said: Any, told: Any) -> None:
    assert kept(said)[0] == told


def _into_itself() -> Any:
    said: list[Any] = []
    said.append(said)
    return said


def _raises() -> Any:
    raise KeyError("q_values")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (object(), "TypeError: a object cannot be written as JSON"),
        ("\ud800", "UnicodeEncodeError"),
        ("x" * LONGEST_REMARK, f"{LONGEST_REMARK + 2} bytes of JSON; at most {LONGEST_REMARK} are kept"),
        (_into_itself, "RecursionError"),
        (_raises, "KeyError: 'q_values'"),
    ],
)
@pytest.mark.parametrize("mode", ["per-turn", "inline"])
def test_what_cannot_be_kept_says_why_and_costs_nothing(mode: str, said: Any, why: str) -> None:
    for one in kept(said, mode=mode):
        assert list(one) == ["lost"]
        assert one["lost"].startswith(why)


def test_a_remark_that_is_no_method_is_lost_and_says_so() -> None:
    player = Writer()
    player.remark = {"q": 1}  # type: ignore[attr-defined]
    _, log = play(ToyGame(), [player, Writer(), Writer(), Writer()])
    assert json.loads(log.of(0)[0].meta) == {"lost": "TypeError: 'dict' object is not callable"}


@pytest.mark.simulated
def test_a_remark_is_on_the_clock_of_its_player() -> None:
    def slow() -> Any:
        sleep(3 * UNIT)

    _, log = play(ToyGame(turns=1), [_Says(slow), Writer(), Writer(), Writer()], clock=Clock(turn=UNIT, margin=0.0))
    assert log.of(0)[0].verdict is Verdict.SILENT
    _, log = play(ToyGame(turns=1), [_Says(slow), Writer(), Writer(), Writer()], clock=Clock(turn=SOON))
    assert log.of(0)[0].used == about(3 * UNIT)
    join_table_threads()


def test_the_innermost_player_says_it_and_our_bots_say_nothing() -> None:
    class Silent(RiichiPlayer):
        def answer(self, question: Question) -> Action:
            return question.default

    _, log = play(ToyGame(), [PlayerWrapper(_Says(7)), PlayerWrapper(Silent()), Writer(), Writer()])
    assert {answer.meta for answer in log.of(0)} == {"7"}
    assert {answer.meta for answer in log.of(1)} == {""}
