"""Two faults in the same turn: both seats are blamed, each for its own, and nobody else."""

import sys
from itertools import product
from typing import Any

import pytest

from jantaku.table.ground.errors import PlayerFault, PlayerGone, PlayerSilent, PlayerUnreadable
from jantaku.table.ground.port import Question, Verdict
from jantaku.table.judge.timing import Clock
from scripts.pace import UNIT
from tests.judge.players import Writer, always, join_table_threads, play
from tests.kit.modes import THREADED
from tests.kit.simulated import sleep
from tests.kit.toy import ToyGame

pytestmark = pytest.mark.simulated(schedules=1)
LIMIT = 3 * UNIT


def _raises(fault: BaseException) -> Any:
    def does(question: Question) -> Any:
        raise fault

    return does


def _sleeps(question: Question) -> Any:
    sleep(LIMIT + 3 * UNIT)
    return "claim"


def _quits(question: Question) -> Any:
    sys.exit(1)


FAULTS: dict[str, tuple[Any, Verdict]] = {
    "raises": (_raises(ValueError("no")), Verdict.GONE),
    "quits": (_quits, Verdict.GONE),
    "fault": (_raises(PlayerFault("down")), Verdict.GONE),
    "gone": (_raises(PlayerGone("exit code 1")), Verdict.GONE),
    "silent elsewhere": (_raises(PlayerSilent("nothing")), Verdict.SILENT),
    "unreadable": (_raises(PlayerUnreadable("not JSON")), Verdict.MALFORMED),
    "nonsense": (lambda question: 5, Verdict.MALFORMED),
    "illegal": (lambda question: "keep", Verdict.ILLEGAL),
}
SLEEPER = {"sleeps": (_sleeps, Verdict.SILENT)}


@pytest.mark.parametrize("mode", THREADED)
@pytest.mark.parametrize("seats", [(1, 2), (3, 1)])
def test_every_pair_of_faults_blames_both_seats_and_only_them(mode: str, seats: tuple[int, int]) -> None:
    """Both react to the same discard; the third reactor's claim is heard (S-38)."""
    clock = Clock(turn=LIMIT, reaction=LIMIT, margin=0.0)
    third = 6 - sum(seats)
    pairs = [*product(FAULTS, FAULTS), *(("sleeps", fault) for fault in ("sleeps", "illegal", "gone"))]
    every = FAULTS | SLEEPER
    for one, two in pairs:
        players = [always("show"), always("claim"), always("claim"), always("claim")]
        players[seats[0]], players[seats[1]] = Writer(every[one][0]), Writer(every[two][0])
        game = ToyGame(turns=1)
        _, log = play(game, players, mode=mode, clock=clock)
        expected = {0: Verdict.OK, third: Verdict.OK, seats[0]: every[one][1], seats[1]: every[two][1]}
        assert {answer.seat: answer.verdict for answer in log.every} == expected, (one, two)
        (ruled,) = game.ruled
        assert ruled[third] == "claim" and {ruled[seat] for seat in seats} == {"pass"}
    join_table_threads()


@pytest.mark.parametrize("mode", THREADED)
def test_a_faulty_turn_seat_and_a_faulty_reactor_are_both_blamed(mode: str) -> None:
    """The default of the turn seat is played, and the next seat may react to it."""
    clock = Clock(turn=LIMIT, reaction=LIMIT, margin=0.0)
    for one, two in product(FAULTS, FAULTS):
        game = ToyGame(turns=1, moves=lambda turn: ("offer", "show"))
        players = [Writer(FAULTS[one][0]), Writer(FAULTS[two][0]), always("claim"), always("claim")]
        _, log = play(game, players, mode=mode, clock=clock)
        expected = {0: FAULTS[one][1], 1: FAULTS[two][1]}
        assert {answer.seat: answer.verdict for answer in log.every} == expected, (one, two)
    join_table_threads()
