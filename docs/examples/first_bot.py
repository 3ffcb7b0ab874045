"""The first bot: takes wins, never calls, and discards the tile of which it sees most copies."""

from jantaku import KIND, Action, Discard, Question, RiichiPlayer, Ron, Tsumo


class Follower(RiichiPlayer):
    """Takes wins, never calls, and discards the tile of which it sees most copies."""

    def answer(self, question: Question) -> Action:
        """One of `question.options`."""
        if win := self.find(question, Tsumo, Ron):
            return win
        discards = self.find_all(question, Discard)
        if not discards:
            return question.default
        return max(discards, key=lambda discard: self.visible[KIND[discard.tile]])
