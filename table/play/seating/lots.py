"""Makes bots that draw lots repeatable, so that a decision can be asked again: every decision gets its own seed."""

import random
import sys
from collections.abc import Callable
from typing import Any

from jantaku.table.ground.port import Action, Player, PlayerWrapper, Question

_MIXED = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
_NUMPY = (1 << 32) - 1


class DrawnAnew(PlayerWrapper):
    """Before every question, seeds all lots by the game, the seat and the number of the question: the module `random`,
    numpy's if numpy is loaded, or the bot alone if it has a method `reseed(seed)`, which must then cover all its lots.
    `reseed = None` says that the bot draws no lots."""

    def __init__(self, wrapped: Player, seed: int) -> None:
        super().__init__(wrapped)
        self._seed = seed
        self._reseed: Any = getattr(wrapped, "reseed", _everything)
        if self._reseed is None and not says_itself(wrapped, "reseed"):
            self._reseed = _everything

    def answer(self, question: Question) -> Action:
        if self._reseed is not None:
            self._reseed((self._seed + question.id * _MIXED) & _MASK)
        return self.wrapped.answer(question)


def says_itself(bot: Player, name: str) -> bool:
    """Whether a bot's own class defines that attribute: what a base class says need not hold for its subclasses."""
    return name in vars(type(bot))


def _everything(seed: int) -> None:
    random.seed(seed)
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(seed & _NUMPY)


def drawing_anew(make: Callable[[int], Player]) -> Callable[[int], Player]:
    """Return a factory of the same bots, with lots drawn anew for every decision."""
    return lambda seed: DrawnAnew(make(seed), seed)
