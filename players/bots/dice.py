"""Dice: plays any legal action."""

import random

from jantaku.players.base import RiichiPlayer
from jantaku.table.ground.port import Action, Question


class Dice(RiichiPlayer):
    """Picks any legal action, each with the same probability; equal seeds pick alike."""

    game = ""
    listens = False
    remembers = False

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self._random = random.Random(seed)  # its own generator: draws of other bots have no effect here

    def reseed(self, seed: int) -> None:
        self._random.seed(seed)

    def answer(self, question: Question) -> Action:
        """Return one of the options."""
        return self._random.choice(question.options)
