"""Bots that do something to their process."""

import os
import signal
from pathlib import Path

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.port import Action, Question

FLAG = "JANTAKU_TEST_FLAG"
"""Environment variable with the path of a file that says: it has happened."""


class DiesOnce(Tsumogiri):
    """Is killed at its first question of all, if FLAG names a file that is not there yet."""

    def answer(self, question: Question) -> Action:
        flag = Path(os.environ[FLAG])
        if not flag.exists():
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().answer(question)


class DiesAlways(Tsumogiri):
    """Takes its process with it at its first question."""

    def answer(self, question: Question) -> Action:
        os._exit(3)


class Hangs(Tsumogiri):
    """Says that it was asked through the FIFO that FLAG names, and never answers."""

    def answer(self, question: Question) -> Action:
        Path(os.environ[FLAG]).write_text("asked")
        signal.pause()
        raise AssertionError("nothing wakes it")


class Picks(Tsumogiri):
    """Answers with the option of that number, or the last one."""

    def __init__(self, *, number: int = 0) -> None:
        super().__init__()
        self._number = number

    def answer(self, question: Question) -> Action:
        return question.options[min(self._number, len(question.options) - 1)]
