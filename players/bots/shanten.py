"""Shanten: a sensible player. Greedy, without randomness, and fast."""

from jantaku.players.base import RiichiPlayer
from jantaku.players.bots.thought import Thought
from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi.actions import Discard, Ron, Tenpai, Tsumo


class Shanten(RiichiPlayer):
    """Lowers its shanten by the widest ukeire, declares riichi, calls for yakuhai and tanyao, folds to a riichi. In a
    three-player game it sets every north aside."""

    remembers = False
    reseed = None

    def answer(self, question: Question) -> Action:
        """Return a win if offered, else the action that advances the hand."""
        if sure := self.find(question, Tsumo, Ron, Tenpai):
            return sure
        if isinstance(question.default, Discard):
            return self._turn(question)
        return self._thought().call(question.choice)

    def _turn(self, question: Question) -> Action:
        return self._thought().turn(question.choice)

    def _thought(self) -> Thought:
        return Thought(self.board, self.seat, self.threats)
