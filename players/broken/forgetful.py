"""Forgetful: always one question behind."""

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.port import Action, Question


class Forgetful(Tsumogiri):
    """Answers every question with the right answer to the question before."""

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self._before: Action | None = None

    def answer(self, question: Question) -> Action:
        """Return the default of the question before; the first question gets its own."""
        before, self._before = self._before, question.default
        return question.default if before is None else before
