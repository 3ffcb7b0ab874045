"""Crash: raises instead of answering."""

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.port import Action, Question


class Crash(Tsumogiri):
    """Raises an exception at every question."""

    def answer(self, question: Question) -> Action:
        raise RuntimeError(f"crash in question {question.id}")
