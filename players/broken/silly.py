"""Silly: answers with objects that are not actions."""

from itertools import cycle
from typing import Any

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.port import Action, Question

NONSENSE: tuple[Any, ...] = (None, "ron", 5, ["m1"], object)
"""None, a text, a number, an unhashable object and a class."""


class Silly(Tsumogiri):
    """Answers with None and other objects that are not actions, in turn."""

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self._nonsense = cycle(NONSENSE)

    def answer(self, question: Question) -> Action:
        """Return the next such object."""
        nonsense: Action = next(self._nonsense)
        return nonsense
