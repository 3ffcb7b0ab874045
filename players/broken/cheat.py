"""Cheat: answers with actions that are not offered."""

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi.actions import DISCARDS, PASS, RON


class Cheat(Tsumogiri):
    """Discards a tile that it does not hold, and wins on any discard."""

    def answer(self, question: Question) -> Action:
        """Return an action of the game that is not among the options."""
        wishes = (RON, *DISCARDS) if PASS in question.options else DISCARDS
        return next(wish for wish in wishes if wish not in question.options)
