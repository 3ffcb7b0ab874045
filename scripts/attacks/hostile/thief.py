"""A bot that tries one way out of its sandbox in its first question, says on stderr what came of it, and plays on.

`ESCAPE` in its environment names the way. `FOUND` in what it says is an escape; the rest is read by the attack.
"""

import os

from jantaku.players.base import RiichiPlayer
from jantaku.table.port import Action, Question
from scripts.attacks.hostile import doors, hogs, peepers

WAYS = {**peepers.WAYS, **doors.WAYS, **hogs.WAYS}


class Thief(RiichiPlayer):
    """See the module."""

    def __init__(self) -> None:
        super().__init__()
        self._tried = False

    def answer(self, question: Question) -> Action:
        """The default; before the first, the escape."""
        if not self._tried:
            self._tried = True
            way = WAYS[os.environ["ESCAPE"].replace(";", ",")]
            try:
                found = way()
            except (OSError, MemoryError, ValueError, RuntimeError) as refused:
                found, held = None, f"{type(refused).__name__}: {refused}"
            else:
                held = "nothing was found"
            print(f"FOUND {found}" if found else f"held: {held}", flush=True)
        return question.default
