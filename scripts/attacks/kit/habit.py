"""A bot that misbehaves only in its first own turn, and the registry of such bots."""

import sys
from collections.abc import Callable
from typing import Any

from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi.actions import PASS

OWN: dict[str, frozenset[str]] = {}
"""Every such bot, as `--players` takes it, with its possible verdicts."""
Sin = Callable[[Question], Any]


class Habit:
    """Plays the default except in one own turn."""

    sin: Sin
    done = False

    def hear(self, event: Any) -> None:
        """Does nothing."""

    def answer(self, question: Question) -> Action:
        """Commit the vice once, else play the default."""
        if self.done or PASS in question.options:
            return question.default
        self.done = True
        given: Action = type(self).sin(question)
        return given


def may(*verdicts: str) -> Callable[[Sin], Sin]:
    """Make a bot of a function, in the function's module, under its name with an underscore."""

    def kept(sin: Sin) -> Sin:
        name, module = f"{sin.__name__}_", sin.__module__
        setattr(sys.modules[module], name, type(name, (Habit,), {"sin": staticmethod(sin), "__module__": module}))
        OWN[f"{module}:{name}"] = frozenset(verdicts)
        return sin

    return kept
