"""Bots that hold the interpreter's lock, end their process, or change their question."""

import os
import re
import sys
import time
from collections.abc import Callable
from typing import Any

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.players.broken.catalogue import DueAction, add, beside
from jantaku.table.daifugo.cards import Put
from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi.actions import KYUUSHU, RON, TSUMO


class Innocent(Tsumogiri):
    """Takes 20 ms without CPU time."""

    def answer(self, question: Question) -> Action:
        time.sleep(0.02)
        return question.default


class BornBacktracking(Tsumogiri):
    """Holds the lock for ever in its constructor."""

    def __init__(self, *, seed: int = 0) -> None:
        _backtrack()
        super().__init__(seed=seed)


def _backtrack(*given: Any) -> None:
    """Hold the lock for ever."""
    re.match(r"(a+)+$", "a" * 40 + "b")


def _burn(compute: Callable[[], object]) -> None:
    """Compute for 0.6 s of CPU time."""
    began = time.thread_time()
    while time.thread_time() - began < 0.6:
        compute()


@beside(bot=(), at="2")
def computes(due: DueAction) -> None:
    """Holds the lock inside C calls."""
    _burn(lambda: sum(range(2 * 10**7)))


@beside(bot=(), at="2")
def switches(due: DueAction) -> None:
    """Holds the lock in Python, with a switch interval of five seconds."""
    sys.setswitchinterval(5)
    _burn(lambda: None)
    sys.setswitchinterval(0.005)


def _injects(name: str, action: Any) -> None:
    """Register a bot that takes this action whenever it likes."""

    def does(due: DueAction) -> Any:
        due.question.choice._options = (*due.options, action)
        due.question.choice._default = action
        return action

    add(name, does, bot=(), at="every-1")


add("backtracks", _backtrack, bot=(), at="every-1")
add("exits", lambda due: os._exit(0), bot=(), at="every-1")
_injects("injects_kyuushu", KYUUSHU)
_injects("injects_tsumo", TSUMO)
_injects("injects_ron", RON)
_injects("injects_put", Put((0, 1, 2, 3, 4, 5, 6, 7)))
