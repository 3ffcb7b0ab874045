"""The first bot: takes wins, never calls, and discards what most copies are seen of."""

from players.base import RiichiPlayer
from table.port import Action, Question
from table.riichi.actions import Discard, Ron, Tsumo
from table.riichi.pieces.tiles import KIND


class Follower(RiichiPlayer):
    """Takes wins, never calls, and discards what most copies are seen of."""

    def answer(self, question: Question) -> Action:
        """One of `question.options`."""
        if win := self.find(question, Tsumo, Ron):
            return win
        discards = self.find_all(question, Discard)
        if not discards:
            return question.default
        return max(discards, key=lambda discard: self.visible[KIND[discard.tile]])
