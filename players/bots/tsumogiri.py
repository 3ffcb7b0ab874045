"""Tsumogiri (ツモ切り): the simplest player."""

from jantaku.players.base import RiichiPlayer
from jantaku.table.ground.port import Action, Question


class Tsumogiri(RiichiPlayer):
    """Discards what it draws, never calls and never wins: it always plays the default."""

    game = ""
    remembers = False
    reseed = None
    listens = False

    def answer(self, question: Question) -> Action:
        """Return the default."""
        return question.default
