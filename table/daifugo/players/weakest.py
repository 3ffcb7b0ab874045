"""Weakest: the 大富豪 player that keeps all cards that it could use later."""

from jantaku.table.daifugo.actions import PASS
from jantaku.table.daifugo.players.base import DaifugoPlayer
from jantaku.table.ground.port import Action, Question


class DaifugoWeakest(DaifugoPlayer):
    """Plays the weakest cards that are enough, and leads the weakest single; passes only if it must (大富豪)."""

    def answer(self, question: Question) -> Action:
        """Return the smallest play; of equal ones the one with the weakest cards."""
        plays = self.plays(question)
        if not plays:
            return PASS
        return min(plays, key=lambda play: (len(play.cards), sorted(map(self.strength, play.cards), reverse=True)))
