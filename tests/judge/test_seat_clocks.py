"""What the clock may do besides one limit for all: limits per seat, banks per round, increments, the autopilot."""

import threading
from typing import Any

import pytest

from jantaku.table.ground.errors import BadInput, PlayerSilent, PlayerUnreadable
from jantaku.table.ground.port import Question, Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from scripts.pace import SOON, UNIT
from tests.judge.players import Writer, always, join_table_threads, play
from tests.kit.simulated import about, now, sleep
from tests.kit.toy import ToyGame

pytestmark = pytest.mark.simulated
THREADED = ("per-turn", "resident")


def slow(seconds: float) -> Writer:
    def does(question: Question) -> Any:
        sleep(seconds)
        return question.default

    return Writer(does)


def raising(fault: Exception) -> Writer:
    def does(question: Question) -> Any:
        raise fault

    return Writer(does)


@pytest.mark.parametrize("mode", THREADED)
def test_every_seat_has_its_own_limits(mode: str) -> None:
    short, long = Clock(turn=UNIT, margin=0.0), Clock(turn=10 * UNIT)
    players = [slow(3 * UNIT), slow(3 * UNIT), Writer(), Writer()]
    _, log = play(ToyGame(turns=2), players, mode=mode, clock=[short, long, short, short])
    assert [(answer.seat, answer.verdict) for answer in log.every] == [(0, Verdict.SILENT), (1, Verdict.OK)]
    assert [answer.allowed for answer in log.every] == [UNIT, 10 * UNIT]
    join_table_threads()


def test_clocks_are_one_for_all_or_one_for_each() -> None:
    with pytest.raises(BadInput, match="clock: 3 given for the 4 seats"):
        Judge(ToyGame(), [Writer() for _ in range(4)], clock=[Clock()] * 3)


def test_inline_refuses_a_clock_of_a_single_seat() -> None:
    with pytest.raises(BadInput, match="inline cannot keep a clock"):
        Judge(ToyGame(), [Writer() for _ in range(4)], mode="inline", clock=[Clock()] * 3 + [Clock(turn=1.0)])


@pytest.mark.parametrize(("per", "left"), [("game", False), ("round", True)])
def test_a_bank_is_for_the_game_or_for_each_round(per: Any, left: bool) -> None:
    """Seat 0 takes turns 1 and 5; the second is in the second round of the toy game."""
    clock = Clock(turn=UNIT, bank=4 * UNIT, bank_per=per, margin=0.0)
    _, log = play(ToyGame(turns=5), [slow(3 * UNIT), Writer(), Writer(), Writer()], clock=clock)
    first, second = log.of(0)
    assert first.verdict is Verdict.OK and first.allowed == 5 * UNIT
    assert second.allowed == about((5 if left else 3) * UNIT)
    join_table_threads()


def test_every_question_adds_the_increment_to_the_bank() -> None:
    clock = Clock(turn=5 * UNIT, increment=2 * UNIT)
    _, log = play(ToyGame(turns=9), [Writer() for _ in range(4)], clock=clock)
    assert [answer.allowed for answer in log.of(0)] == pytest.approx([5 * UNIT, 7 * UNIT, 9 * UNIT])


@pytest.mark.parametrize("mode", [*THREADED, "inline"])
@pytest.mark.parametrize(
    ("fault", "verdict"),
    [(PlayerSilent("nothing came"), Verdict.SILENT), (PlayerUnreadable("not JSON"), Verdict.MALFORMED)],
)
def test_what_a_player_elsewhere_reports_is_its_verdict(mode: str, fault: Exception, verdict: Verdict) -> None:
    """And it is asked again."""
    _, log = play(ToyGame(turns=5), [raising(fault), Writer(), Writer(), Writer()], mode=mode)
    assert [answer.verdict for answer in log.of(0)] == [verdict] * 2
    assert all(str(fault) in answer.reason for answer in log.of(0))


class Sometimes(Writer):
    """Is out of time in its first questions, answers later ones at once, and says when it was asked."""

    def __init__(self, late: int) -> None:
        super().__init__(self._does)
        self._late = late
        self.probed = threading.Event()

    def _does(self, question: Question) -> Any:
        if self._late > 0:
            self._late -= 1
            raise PlayerSilent("nothing came")
        self.probed.set()
        return "keep"


@pytest.mark.parametrize("mode", THREADED)
def test_after_too_many_questions_out_of_time_nobody_waits_for_a_seat(mode: str) -> None:
    """It is still asked; from the autopilot it returns with an answer that comes in time."""
    player = Sometimes(late=2)
    others = [Writer(), Writer(), Writer()]
    clock = Clock(turn=10 * UNIT, reaction=10 * UNIT, max_faults=2)
    seen: list[Any] = []

    def third(question: Question) -> Any:
        seen.append(question.id)
        # The turn after the probe: let the probe come home, so that the next question is waited for.
        if question.id // 4 == 10:
            assert player.probed.wait(SOON)
        return "keep"

    others[0] = Writer(third)
    result, log = play(ToyGame(turns=17), [player, *others], mode=mode, clock=clock)
    verdicts = [(answer.verdict, "autopilot" in answer.reason) for answer in log.of(0)]
    assert verdicts[:3] == [(Verdict.SILENT, False), (Verdict.SILENT, False), (Verdict.NOT_ASKED, True)]
    assert verdicts[3:] == [(Verdict.OK, False)] * 2
    assert result.seats[0].state == "idle"
    join_table_threads()


@pytest.mark.parametrize("mode", THREADED)
def test_the_autopilot_costs_no_time(mode: str) -> None:
    clock = Clock(turn=2 * UNIT, reaction=2 * UNIT, margin=0.0, max_faults=1)
    began = now()
    _, log = play(ToyGame(turns=40), [slow(4 * UNIT), always("show"), Writer(), Writer()], mode=mode, clock=clock)
    assert now() - began == about(4 * UNIT)  # one deadline, and one more limit to come home at the end
    assert {answer.verdict for answer in log.of(0)} <= {Verdict.SILENT, Verdict.LATE, Verdict.NOT_ASKED}
    assert len(log.of(0)) == 20
    assert {answer.verdict for answer in log.every if answer.seat != 0} == {Verdict.OK}
    join_table_threads()


@pytest.mark.parametrize("mode", THREADED)
def test_what_cannot_be_read_and_takes_all_of_the_time_leads_to_the_autopilot(mode: str) -> None:
    def does(question: Question) -> Any:
        sleep(2.5 * UNIT)
        raise PlayerUnreadable("the seq is not the number of a message")

    clock = Clock(turn=2 * UNIT, reaction=2 * UNIT, margin=3 * UNIT, max_faults=2)
    _, log = play(ToyGame(turns=16), [Writer(does), Writer(), Writer(), Writer()], mode=mode, clock=clock)
    assert ["autopilot" in answer.reason for answer in log.of(0)][:3] == [False, False, True]
    assert {answer.verdict for answer in log.every if answer.seat != 0} <= {Verdict.OK, Verdict.OK_MARGIN}
    join_table_threads()


def test_an_answer_that_is_wrong_but_in_time_leads_to_no_autopilot() -> None:
    clock = Clock(turn=10 * UNIT, reaction=10 * UNIT, max_faults=1)
    _, log = play(ToyGame(turns=12), [always(5, "claim"), Writer(), Writer(), Writer()], clock=clock)
    assert all("autopilot" not in answer.reason for answer in log.every)
    players = [Writer(lambda question: "claim"), Writer(), Writer(), Writer()]
    _, log = play(ToyGame(turns=12), players, clock=clock)
    assert [answer.verdict for answer in log.of(0)] == [Verdict.ILLEGAL] * 3
