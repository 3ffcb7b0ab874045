"""Allround: attacks and defends. It weighs what each discard may win against what it may cost."""

from jantaku.players.base import RiichiPlayer
from jantaku.players.bots.weighing import Weighing
from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi.actions import Discard, Ron, Tenpai, Tsumo


class Allround(RiichiPlayer):
    """Attacks and defends: weighs what each discard may win against what it may cost, calls where that brings more, and
    counts points by the ranks that they change. In a three-player game it sets every north aside."""

    remembers = False
    reseed = None

    def answer(self, question: Question) -> Action:
        """Return a win if offered, else the action that is worth most."""
        if sure := self.find(question, Tsumo, Ron, Tenpai):
            return sure
        weighing = Weighing(self)
        if isinstance(question.default, Discard):
            return weighing.turn(self, question)
        return weighing.call(self, question)
