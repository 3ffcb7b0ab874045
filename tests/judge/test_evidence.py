"""What a fault leaves behind for the bot's author, and what a player says beside its answers: kept as JSON, bounded,
on its clock."""

import json
import threading
from collections.abc import Callable
from itertools import cycle
from typing import Any

import numpy
import pytest

from jantaku.players.base import RiichiPlayer
from jantaku.table.ground.errors import PlayerFault, PlayerSilent, PlayerUnreadable
from jantaku.table.ground.foreign.remarks import LONGEST_REMARK
from jantaku.table.ground.port import Action, Choice, Evidence, PlayerWrapper, Question, Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import FirstFault
from jantaku.table.judge.timing import Clock
from tests.judge.players import Writer, join_table_threads, play
from tests.kit.cases import cases
from tests.kit.pace import MODES, SOON, UNIT
from tests.kit.simulated import about, sleep
from tests.kit.toy import MOVES, ToyGame


def faulty(does: Callable[[Question], Any], **settings: Any) -> tuple[tuple[FirstFault, ...], list[Evidence | None]]:
    """The first faults of seat 0, and the evidence of each of its bad answers."""
    players = [Writer(does), Writer(), Writer(), Writer()]
    result, log = play(ToyGame(turns=9), players, **settings)
    return result.seats[0].first, [answer.evidence for answer in log.of(0) if not answer.verdict.good]


def stumble(question: Question) -> Action:
    raise LookupError(f"question {question.id}")


@pytest.mark.parametrize("mode", MODES)
def test_an_exception_leaves_its_traceback_once(mode: str) -> None:
    (first,), evidence = faulty(stumble, mode=mode)
    assert (first.turn, first.round, first.answer.verdict) == (1, 1, Verdict.GONE)
    assert evidence[0] is not None and len(evidence) > 1 and not any(evidence[1:])
    assert first.answer.evidence == evidence[0]
    assert "in stumble" in evidence[0].trace
    assert evidence[0].trace.endswith(f"LookupError: question {first.answer.question}")
    assert "seats/player.py" not in evidence[0].trace


def test_an_answer_that_is_not_offered_leaves_what_was_and_what_came() -> None:
    (first,), _ = faulty(lambda question: next(move for move in (*MOVES, "claim") if move not in question.options))
    assert first.answer.verdict is Verdict.ILLEGAL
    assert first.answer.evidence == Evidence(came="'claim'", offered=("'keep'", "'offer'", "'show'"))


def test_every_verdict_has_a_first_fault_of_its_own() -> None:
    vices = cycle([lambda question: 5, stumble])
    (one, other), evidence = faulty(lambda question: next(vices)(question))
    assert [one.answer.verdict, other.answer.verdict] == [Verdict.MALFORMED, Verdict.GONE]
    assert [found is not None for found in evidence] == [True, True] + [False] * (len(evidence) - 2)
    assert len(evidence) > 2


def test_a_fault_while_hearing_leaves_the_traceback_of_hearing() -> None:
    class Deaf(Writer):
        def hear(self, event: Any) -> None:
            raise OSError("deaf")

    result, _ = play(ToyGame(turns=5), [Deaf(), Writer(), Writer(), Writer()], mode="inline")
    evidence = result.seats[0].first[0].answer.evidence
    assert evidence is not None and "in hear" in evidence.trace and evidence.trace.endswith("OSError: deaf")


def test_a_player_that_is_silent_leaves_where_it_was() -> None:
    free = threading.Event()

    def ponder(question: Question) -> Action:
        free.wait()
        return question.default

    players = [Writer(ponder), Writer(), Writer(), Writer()]
    clock = Clock(turn=5 * UNIT, margin=0.0)  # so that its thread begins in time
    judge = Judge(ToyGame(turns=1), players, clock=clock)
    try:
        (first,) = judge.run().seats[0].first
    finally:
        free.set()
    assert first.answer.verdict is Verdict.SILENT
    assert first.answer.evidence is not None and "in ponder" in first.answer.evidence.trace


class Far(Writer):
    stale = 0

    def __init__(self, raises: PlayerFault, explains: Callable[[Choice], Evidence]) -> None:
        super().__init__(self._fail)
        self._raises, self.explain = raises, explains

    def _fail(self, question: Question) -> Action:
        raise self._raises

    def start(self, seconds: float | None) -> None: ...

    def close(self) -> None: ...


SAID = Evidence(came="{]", offered=("keep",), stderr="Trouble")


@cases(
    "raises, left",
    (PlayerUnreadable("no JSON"), SAID),
    (PlayerSilent("no answer in time"), Evidence(came="{]", stderr="Trouble")),
    (PlayerFault("its own", trace="Traceback there"), Evidence("Traceback there", "{]", (), "Trouble")),
)
def test_a_remote_player_tells_what_came_and_its_own_traceback(raises: PlayerFault, left: Evidence) -> None:
    far = Far(raises, lambda choice: SAID)
    result, _ = play(ToyGame(turns=1), [far, Writer(), Writer(), Writer()], mode="inline")
    assert result.seats[0].first[0].answer.evidence == left


def test_a_remote_player_that_cannot_explain_itself_costs_nothing_but_that() -> None:
    def fail(choice: Choice) -> Evidence:
        raise ValueError("no idea")

    result, _ = play(ToyGame(turns=1), [Far(PlayerSilent("?"), fail), Writer(), Writer(), Writer()], mode="inline")
    assert result.seats[0].first[0].answer.evidence == Evidence()


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


@cases(
    "said, told",
    (numpy.float32(0.5), 0.5),
    ({"q": numpy.array([[1.5, 2], [3, 4]])}, {"q": [[1.5, 2], [3, 4]]}),
    (float("nan"), None),
    ("", ""),
    ((1, {2}), [1, [2]]),
)
def test_numbers_of_numpy_and_the_like_are_written_as_json(said: Any, told: Any) -> None:
    assert kept(said)[0] == told


def _into_itself() -> Any:
    said: list[Any] = []
    said.append(said)
    return said


def _raises() -> Any:
    raise KeyError("q_values")


@cases(
    "said, why",
    (object(), "TypeError: a object cannot be written as JSON"),
    ("\ud800", "UnicodeEncodeError"),
    ("x" * LONGEST_REMARK, f"{LONGEST_REMARK + 2} bytes of JSON; at most {LONGEST_REMARK} are kept"),
    (_into_itself, "RecursionError"),
    (_raises, "KeyError: 'q_values'"),
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
