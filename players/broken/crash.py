"""Crash: raises instead of answering."""

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.port import Action, Question


class Crash(Tsumogiri):
    """Raises an exception in every question."""

    def answer(self, question: Question) -> Action:
        """RuntimeError, always."""
        raise RuntimeError(f"crash in question {question.id}")
