"""Broken Python players: good except for one vice, at the moment that the environment names (`JANTAKU_AT`).

Otherwise they play the default, as the programs do. Moments: start, turn, reaction, between (the first end of a kyoku),
or every-N: every Nth decision. `JANTAKU_TOO_LONG` says how many seconds are too long for a decision.
"""

import os
import sys
import threading
import time
from typing import Any

from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import DISCARDS, PASS, Kan
from jantaku.table.riichi.pieces.melds import ankan

SHORT = 0.1
"""Seconds of a pause after which the answer is still in time."""

released = threading.Event()
"""Set to release every stuck player of this process."""


class Broken:
    """Base class: recognises the moments; `sin` is the misbehaviour."""

    def __init__(self, at: str | None = None, too_long: float | None = None) -> None:
        self._at = os.environ.get("JANTAKU_AT", "turn") if at is None else at
        self.too_long = float(os.environ.get("JANTAKU_TOO_LONG", "30")) if too_long is None else too_long
        self._decisions = 0

    def hear(self, event: Any) -> None:
        """Recognise the moments without a question."""
        if isinstance(event, events.HanchanStart):
            self._now("start")
        elif isinstance(event, events.Win | events.Ryukyoku):
            self._now("between")

    def answer(self, question: Question) -> Action:
        """Recognise the moments with a question."""
        self._decisions += 1
        every, _, number = self._at.partition("-")
        if every == "every":
            return self.sin(question) if self._decisions % int(number) == 0 else question.default
        moment = "reaction" if PASS in question.options else "turn"
        if moment != self._at:
            return question.default
        self._at = ""
        return self.sin(question)

    def sin(self, question: Question | None) -> Action:
        """Misbehave. The result is lost if there is no question."""
        raise NotImplementedError

    def _now(self, moment: str) -> None:
        if moment == self._at:
            self._at = ""
            self.sin(None)


class Raises(Broken):
    """Raises an exception."""

    def sin(self, question: Question | None) -> Action:
        raise ValueError("I cannot go on")


class Quits(Broken):
    """Calls sys.exit."""

    def sin(self, question: Question | None) -> Action:
        sys.exit("goodbye")


class Thinks(Broken):
    """Pauses, but answers in time."""

    def sin(self, question: Question | None) -> Action:
        time.sleep(SHORT)
        return question and question.default


class ThinksTooLong(Broken):
    """Answers too late."""

    def sin(self, question: Question | None) -> Action:
        time.sleep(self.too_long)
        return question and question.default


class Hangs(Broken):
    """Does not return unless it is released."""

    def sin(self, question: Question | None) -> Action:
        released.wait()
        return question and question.default


class AnswersNothing(Broken):
    """Answers None."""

    def sin(self, question: Question | None) -> Action:
        return None


class AnswersNonsense(Broken):
    """Answers with an object that is not an action of any game."""

    def sin(self, question: Question | None) -> Action:
        return ("m1", 5)


class Cheats(Broken):
    """Answers with an illegal action: a kan of tiles that no seat can hold."""

    def sin(self, question: Question | None) -> Action:
        return Kan(ankan(0, 0, 0, 0))


class DiscardsWhatOthersHold(Broken):
    """Answers with an action that would be legal for another seat."""

    def sin(self, question: Question | None) -> Action:
        return next(discard for discard in DISCARDS if question is None or discard not in question.options)


class Vanishes(Broken):
    """Ends its process; for a player in its own process: elsewhere it would end the table."""

    def sin(self, question: Question | None) -> Action:
        os._exit(7)
