"""A bot that tries one way out of its sandbox during its first question, reports the result on stderr, and plays on.

`ESCAPE` in its environment names the way. `FOUND` in its report is an escape; the attack reads the rest.
"""

import os

from jantaku.players.base import RiichiPlayer
from jantaku.table.ground.port import Action, Question
from tests.hostile.thief import doors, hogs, peepers

WAYS = [(verdict, ways) for kind in (peepers, doors, hogs) for verdict, ways in kind.WAYS.items()]
"""All ways, by the verdict that they bring their seat, if any."""
TRIES = {way: tries for _, ways in WAYS for way, tries in ways.items()}


class Thief(RiichiPlayer):
    """Tries the escape during its first question, and plays the default."""

    def __init__(self) -> None:
        super().__init__()
        self._tried = False

    def answer(self, question: Question) -> Action:
        if not self._tried:
            self._tried = True
            way = TRIES[os.environ["ESCAPE"].replace(";", ",")]
            try:
                found = way()
            except (OSError, MemoryError, ValueError, RuntimeError) as refused:
                found, held = None, f"{type(refused).__name__}: {refused}"
            else:
                held = "nothing was found"
            print(f"FOUND {found}" if found else f"held: {held}", flush=True)
        return question.default
