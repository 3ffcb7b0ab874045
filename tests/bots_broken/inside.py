"""Broken Python players: good but for one vice, once, at the moment that the environment names (`JANTAKU_AT`).

They always play the default otherwise, as the programs do.
"""

import os
import sys
import threading
import time
from typing import Any

from table.port import Action, Question
from table.riichi import events
from table.riichi.actions import PASS, Kan
from table.riichi.pieces.melds import ankan
from tests.bots_broken.pace import LONG, SHORT

released = threading.Event()
"""Lets every stuck player of this process go home."""


class Broken:
    """Base: knows the moments; `sin` is the vice."""

    def __init__(self, at: str | None = None) -> None:
        self._at = os.environ.get("JANTAKU_AT", "") if at is None else at

    def hear(self, event: Any) -> None:
        """The moments without a question."""
        if isinstance(event, events.HanchanStart):
            self._now("start")
        elif isinstance(event, events.Win | events.Ryukyoku):
            self._now("between")

    def answer(self, question: Question) -> Action:
        """The moments with one."""
        moment = "reaction" if PASS in question.options else "turn"
        if moment != self._at:
            return question.default
        self._at = ""
        return self.sin(question)

    def sin(self, question: Question | None) -> Action:
        """The vice. Without a question what it gives is lost."""
        raise NotImplementedError

    def _now(self, moment: str) -> None:
        if moment == self._at:
            self._at = ""
            self.sin(None)


class Raises(Broken):
    def sin(self, question: Question | None) -> Action:
        raise ValueError("I cannot go on")


class Quits(Broken):
    def sin(self, question: Question | None) -> Action:
        sys.exit("goodbye")


class Thinks(Broken):
    def sin(self, question: Question | None) -> Action:
        time.sleep(SHORT)
        return question and question.default


class ThinksTooLong(Broken):
    def sin(self, question: Question | None) -> Action:
        time.sleep(LONG)
        return question and question.default


class Hangs(Broken):
    def sin(self, question: Question | None) -> Action:
        released.wait()
        return question and question.default


class AnswersNothing(Broken):
    def sin(self, question: Question | None) -> Action:
        return None


class AnswersNonsense(Broken):
    def sin(self, question: Question | None) -> Action:
        return ("m1", 5)


class Cheats(Broken):
    def sin(self, question: Question | None) -> Action:

        return Kan(ankan(0, 0, 0, 0))


class Vanishes(Broken):
    """Only for a process of its own: in this one it would end the table."""

    def sin(self, question: Question | None) -> Action:
        os._exit(7)
