"""Quitter: tries to end the whole program."""

import sys

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.port import Action, Question


class Quitter(Tsumogiri):
    """Calls sys.exit at every question."""

    def answer(self, question: Question) -> Action:
        sys.exit(f"quit in question {question.id}")
