"""The registry of bots that misbehave only in their first own turn."""

import sys
from collections.abc import Callable
from typing import Any

from jantaku.players.broken.once import Broken
from jantaku.table.ground.port import Question

OWN: dict[str, frozenset[str]] = {}
"""Every such bot, as `--players` takes it, with its possible verdicts."""
Sin = Callable[[Question], Any]


def may(*verdicts: str) -> Callable[[Sin], Sin]:
    """Make a bot of a function, in the function's module, under its name with an underscore."""

    def kept(sin: Sin) -> Sin:
        name, module = f"{sin.__name__}_", sin.__module__
        setattr(sys.modules[module], name, type(name, (Broken,), {"sin": staticmethod(sin), "__module__": module}))
        OWN[f"{module}:{name}"] = frozenset(verdicts)
        return sin

    return kept
