"""Bots that hold the interpreter's lock, end their process, or change their question."""

import os
import re
import sys
import time
from typing import Any

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.daifugo.cards import Put
from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi.actions import KYUUSHU, RON, TSUMO


class Innocent(Tsumogiri):
    """Takes 20 ms without CPU time."""

    def answer(self, question: Question) -> Action:
        time.sleep(0.02)
        return question.default


class Computes(Tsumogiri):
    """Holds the lock for 0.6 s of CPU time at its second question, inside C calls."""

    asked = 0

    def answer(self, question: Question) -> Action:
        self.asked += 1
        began = time.thread_time()
        while self.asked == 2 and time.thread_time() - began < 0.6:
            sum(range(2 * 10**7))
        return question.default


class Switches(Tsumogiri):
    """The same in Python, with a switch interval of five seconds."""

    asked = 0

    def answer(self, question: Question) -> Action:
        self.asked += 1
        sys.setswitchinterval(5 if self.asked == 2 else 0.005)
        began = time.thread_time()
        while self.asked == 2 and time.thread_time() - began < 0.6:
            pass
        sys.setswitchinterval(0.005)
        return question.default


class Backtracks(Tsumogiri):
    """Holds the lock for ever."""

    def answer(self, question: Question) -> Action:
        re.match(r"(a+)+$", "a" * 40 + "b")
        return question.default


class BornBacktracking(Tsumogiri):
    """Holds the lock for ever in its constructor."""

    def __init__(self, *, seed: int = 0) -> None:
        re.match(r"(a+)+$", "a" * 40 + "b")
        super().__init__(seed=seed)


class Exits(Tsumogiri):
    """Ends its process with exit code 0."""

    def answer(self, question: Question) -> Action:
        os._exit(0)


class _Injects(Tsumogiri):
    injected: Any = None

    def answer(self, question: Question) -> Action:
        choice: Any = question.choice
        choice._options = (*question.options, self.injected)
        choice._default = self.injected
        given: Action = self.injected
        return given


class InjectsKyuushu(_Injects):
    """Aborts with 九種九牌 whenever it likes."""

    injected = KYUUSHU


class InjectsTsumo(_Injects):
    """Wins on every draw."""

    injected = TSUMO


class InjectsRon(_Injects):
    """Wins on every tile."""

    injected = RON


class InjectsPut(_Injects):
    """Plays cards that it does not hold."""

    injected = Put((0, 1, 2, 3, 4, 5, 6, 7))
