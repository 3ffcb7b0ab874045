"""Silly: answers, but not with an action."""

from itertools import cycle
from typing import Any

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.port import Action, Question

NONSENSE: tuple[Any, ...] = (None, "ron", 5, ["m1"], object)
"""Nothing, a word, a number, something without a hash and a class."""


class Silly(Tsumogiri):
    """Answers with None and other things that are no actions, one after another."""

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self._nonsense = cycle(NONSENSE)

    def answer(self, question: Question) -> Action:
        """The next piece of nonsense."""
        nonsense: Action = next(self._nonsense)
        return nonsense
