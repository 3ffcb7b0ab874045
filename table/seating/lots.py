"""Bots that draw lots, so that a decision can be asked again: each has a seed of its own."""

import random
import sys
from collections.abc import Callable
from typing import Any

from jantaku.table.port import Action, Player, PlayerWrapper, Question

_MIXED = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
_NUMPY = (1 << 32) - 1


class DrawnAnew(PlayerWrapper):
    """Before every question all lots are seeded by the game, the seat and the number of the question: the module
    `random`, that of numpy where it is loaded, and the bot itself by its method `reseed(seed)`. One that has that
    draws from nothing else; `reseed = None` says that it draws no lots at all."""

    def __init__(self, wrapped: Player, seed: int) -> None:
        super().__init__(wrapped)
        self._seed = seed
        self._reseed: Any = getattr(wrapped, "reseed", _everything)
        if self._reseed is None and not says_itself(wrapped, "reseed"):
            self._reseed = _everything

    def answer(self, question: Question) -> Action:
        """See `Player.answer`."""
        if self._reseed is not None:
            self._reseed((self._seed + question.id * _MIXED) & _MASK)
        return self.wrapped.answer(question)


def says_itself(bot: Player, name: str) -> bool:
    """Whether a bot's own class has that attribute: what a class says of itself need not be so of those made of it."""
    return name in vars(type(bot))


def _everything(seed: int) -> None:
    random.seed(seed)
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(seed & _NUMPY)


def drawing_anew(make: Callable[[int], Player]) -> Callable[[int], Player]:
    """What makes the same bots, each of whose decisions draws anew."""
    return lambda seed: DrawnAnew(make(seed), seed)
