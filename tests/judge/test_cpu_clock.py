"""A clock may count CPU time: what a player computes is charged, and time that only passes is not."""

import sys
import threading
from collections.abc import Callable

import pytest

from jantaku.players.adapters.program import Program
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Answer, Player, Question, Verdict
from jantaku.table.judge import timing
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from tests.judge.players import Log, Writer, always
from tests.kit.pace import SOON, THREADED
from tests.kit.simulated import about, compute, now, sleep
from tests.kit.toy import ToyGame

LIMIT = 0.1
CPU = Clock(turn=LIMIT, reaction=LIMIT, margin=0.0, counts="cpu")


def first_answer(does: Callable[[Question], Action], clock: Clock, mode: str) -> Answer:
    log = Log()
    players: list[Player] = [Writer(does), *(always("pass") for _ in range(3))]
    Judge(ToyGame(turns=1), players, mode=mode, clock=[clock, Clock(), Clock(), Clock()], watches=[log]).run()
    return log.of(0)[0]


def sleeps(question: Question) -> Action:
    sleep(3 * LIMIT)
    return question.default


def computes(question: Question) -> Action:
    compute(3 * LIMIT)
    return question.default


@pytest.mark.simulated
@pytest.mark.parametrize("mode", THREADED)
def test_a_player_that_sleeps_is_charged_nothing(mode: str) -> None:
    answer = first_answer(sleeps, CPU, mode)
    assert answer.verdict is Verdict.OK and answer.used == answer.cpu == about(0.0)
    assert answer.wall == about(3 * LIMIT)


@pytest.mark.simulated
@pytest.mark.parametrize("mode", THREADED)
def test_a_player_that_computes_is_charged_what_it_computes(mode: str) -> None:
    answer = first_answer(computes, CPU, mode)
    assert answer.verdict in (Verdict.LATE, Verdict.SILENT) and answer.used == about(3 * LIMIT)


@pytest.mark.simulated
@pytest.mark.parametrize("mode", THREADED)
def test_a_player_that_never_computes_is_cut_off_by_the_wall_clock(mode: str) -> None:
    over, began = threading.Event(), now()

    def waits(question: Question) -> Action:
        over.wait()
        return question.default

    try:
        answer = first_answer(waits, CPU, mode)
    finally:
        over.set()
    waited = LIMIT * timing.PATIENCE + timing.GRACE
    assert answer.verdict is Verdict.SILENT and f"{waited:.2f} s by the wall clock" in answer.reason
    assert now() - began == about(waited + LIMIT)  # and one more limit to come home at the end


@pytest.mark.simulated
@pytest.mark.parametrize("mode", THREADED)
def test_what_is_computed_is_told_beside_what_passes(mode: str) -> None:
    answer = first_answer(computes, Clock(turn=SOON, reaction=SOON), mode)
    assert (answer.cpu, answer.used) == (about(3 * LIMIT), about(3 * LIMIT)) and answer.wall is None


@pytest.mark.simulated
def test_the_report_of_a_seat_has_its_cpu_time() -> None:
    players: list[Player] = [Writer(computes), *(always("pass") for _ in range(3))]
    result = Judge(ToyGame(turns=1), players, clock=Clock(turn=SOON, reaction=SOON)).run()
    assert result.seats[0].cpu == about(3 * LIMIT)


class Elsewhere(Writer):
    """Stands for a client behind a socket."""

    stale = 0

    def start(self, seconds: float | None) -> None:
        pass

    def close(self) -> None:
        pass


def test_a_player_behind_a_network_is_refused_where_cpu_time_counts() -> None:
    players: list[Player] = [always("pass"), Elsewhere(), always("pass"), always("pass")]
    with pytest.raises(BadInput, match=r"clock\.counts: seat 1 is played over a network"):
        Judge(ToyGame(turns=1), players, clock=CPU).run()


def test_nobody_measures_the_cpu_time_of_a_player_behind_a_network() -> None:
    log = Log()
    players: list[Player] = [Elsewhere(), *(always("pass") for _ in range(3))]
    Judge(ToyGame(turns=1), players, clock=Clock(turn=SOON, reaction=SOON), watches=[log]).run()
    assert log.of(0)[0].cpu is None


class Computed(Elsewhere):
    """Stands for a program of this machine that has used so much CPU time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(self._compute)
        self._seconds, self._used = seconds, 0.0

    def _compute(self, question: Question) -> Action:
        self._used += self._seconds
        return question.default

    def computed(self) -> float:
        return self._used


@pytest.mark.parametrize(("seconds", "verdict"), [(LIMIT / 2, Verdict.OK), (2 * LIMIT, Verdict.LATE)])
def test_a_program_is_charged_what_its_processes_compute(seconds: float, verdict: Verdict) -> None:
    log = Log()
    players: list[Player] = [Computed(seconds), *(always("pass") for _ in range(3))]
    clocks = [CPU, Clock(), Clock(), Clock()]
    Judge(ToyGame(turns=1), players, clock=clocks, watches=[log]).run()
    assert log.of(0)[0].verdict is verdict and log.of(0)[0].used == pytest.approx(seconds)


def test_a_program_tells_what_it_has_computed() -> None:
    code = "import time\nwhile time.process_time() < 0.3: pass\nprint(1, flush=True)\ninput()"
    program = Program("busy", [sys.executable, "-c", code], cwd=None, env={}, log=None)
    try:
        program.receive(Deadline(SOON))
        assert program.computed() >= 0.3
    finally:
        program.stop(at_once=True)
        program.join(SOON)
