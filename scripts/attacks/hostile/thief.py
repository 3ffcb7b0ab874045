"""A bot that tries one way out of its sandbox during its first question, reports the result on stderr, and plays on.

`ESCAPE` in its environment names the way. `FOUND` in its report is an escape; the attack reads the rest.
"""

import os

from jantaku.players.base import RiichiPlayer
from jantaku.table.ground.port import Action, Question
from scripts.attacks.hostile import doors, hogs, peepers

WAYS = {**peepers.WAYS, **doors.WAYS, **hogs.WAYS}


class Thief(RiichiPlayer):
    """Tries the escape during its first question, and plays the default."""

    def __init__(self) -> None:
        super().__init__()
        self._tried = False

    def answer(self, question: Question) -> Action:
        """Return the default; try the escape before the first answer."""
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
