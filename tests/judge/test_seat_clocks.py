"""What the clock may do besides one limit for all: limits per seat, banks per round, increments, the autopilot."""

from typing import Any

import pytest

from jantaku.table.ground.errors import BadInput, PlayerSilent, PlayerUnreadable
from jantaku.table.ground.port import Question, Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from tests.judge.players import Writer, always, join_table_threads, play
from tests.kit.modes import THREADED
from tests.kit.pace import UNIT
from tests.kit.simulated import about, now, sleep
from tests.kit.toy import ToyGame

pytestmark = pytest.mark.simulated


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
