"""A bot with a checkpoint and an `__init__` of its own: docs/learning.md."""

import json
import random
from pathlib import Path

from jantaku import KIND, Action, Discard, Question, RiichiPlayer, Ron, Tsumo


class Policy(RiichiPlayer):
    """Discards what its weights like least to keep; yours asks a network here."""

    def __init__(self, checkpoint: str, heat: float = 0.0, seed: int = 0) -> None:
        self.weights: list[float] = json.loads(Path(checkpoint).read_text("utf-8"))["discards"]
        self.heat = heat
        self.random = random.Random(seed)  # the seed is another for every game and seat, the same in every run

    def answer(self, question: Question) -> Action:
        """A win, else the discard of the kind with the greatest weight, with some noise while it learns."""
        if win := self.find(question, Tsumo, Ron):
            return win
        discards = self.find_all(question, Discard)
        return max(discards, key=self.value) if discards else question.default

    def value(self, discard: Discard) -> float:
        """How gladly it lets go of a tile; less of one of which the hand has two."""
        kind = KIND[discard.tile]
        return self.weights[kind] / self.hand.counts[kind] + self.heat * self.random.random()
