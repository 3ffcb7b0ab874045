"""So many tables of a process play at a time, and none of them waits for the players of another."""

import threading
from collections.abc import Callable

import pytest

from jantaku.table.ground.port import Action, Player, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.result import Ending
from jantaku.table.judge.turn.turnstile import PLACES, Turnstile
from tests.kit.pace import THREADED
from tests.kit.toy import ToyGame


class Bot:
    def __init__(self, think: Callable[[], object] = lambda: None) -> None:
        self._think = think

    def hear(self, event: object) -> None: ...

    def answer(self, question: Question) -> Action:
        self._think()
        return question.default


def table_of(number: int, mode: str, *players: Player) -> Judge:
    return Judge(ToyGame(), players, mode=mode, table=number)


@pytest.mark.parametrize("mode", THREADED)
def test_players_that_think_hold_up_no_other_table(mode: str) -> None:
    begun, go = threading.Semaphore(0), threading.Event()

    def think() -> None:
        begun.release()
        go.wait()

    thinking = [table_of(number, mode, *[Bot(think) for _ in range(4)]) for number in range(PLACES + 2)]
    for judge in thinking:
        judge.start()
    for _ in thinking:
        begun.acquire()
    assert table_of(PLACES + 2, mode, *[Bot() for _ in range(4)]).run().ending is Ending.OVER
    go.set()
    assert [judge.join(None).ending for judge in thinking] == [Ending.OVER] * len(thinking)


def test_a_forked_process_has_all_places_again() -> None:
    turnstile = Turnstile(1)
    turnstile.enter()
    turnstile.open()
    turnstile.enter()
