"""A bot that is good but for what it does in its first own turn, and how such bots are named."""

import sys
from collections.abc import Callable
from typing import Any

from jantaku.table.port import Action, Question
from jantaku.table.riichi.actions import PASS

OWN: dict[str, frozenset[str]] = {}
"""Every such bot as `--players` takes it, with the verdicts that it may come to."""
Sin = Callable[[Question], Any]


class Habit:
    """Plays the default but for one own turn."""

    sin: Sin
    done = False

    def hear(self, event: Any) -> None:
        """Nothing."""

    def answer(self, question: Question) -> Action:
        """The vice, once."""
        if self.done or PASS in question.options:
            return question.default
        self.done = True
        given: Action = type(self).sin(question)
        return given


def may(*verdicts: str) -> Callable[[Sin], Sin]:
    """Make a bot of a function, in the function's module and with its name and an underscore."""

    def kept(sin: Sin) -> Sin:
        name, module = f"{sin.__name__}_", sin.__module__
        setattr(sys.modules[module], name, type(name, (Habit,), {"sin": staticmethod(sin), "__module__": module}))
        OWN[f"{module}:{name}"] = frozenset(verdicts)
        return sin

    return kept
