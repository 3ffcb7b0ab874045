"""Slow: answers correctly, but too late."""

import time

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.port import Action, Question


class Slow(Tsumogiri):
    """Sleeps before every answer (2 seconds by default)."""

    def __init__(self, *, seed: int = 0, seconds: float = 2.0) -> None:
        super().__init__(seed=seed)
        self._seconds = seconds

    def answer(self, question: Question) -> Action:
        """Return the default after the pause."""
        time.sleep(self._seconds)
        return question.default
