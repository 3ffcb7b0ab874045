"""The three ways to run a turn: which threads call the players of a table."""

from enum import StrEnum
from typing import Final


class Mode(StrEnum):
    """Which threads call the players of a table."""

    PER_TURN = "per-turn"  # a thread per seat and turn, as S-40 asks
    RESIDENT = "resident"  # a thread per seat for the whole game, woken when its seat has something to decide
    INLINE = "inline"  # no threads: for trusted players, without a clock

    @property
    def line(self) -> str:
        """One line for a person, at most 80 columns: the mode in use, and how to choose another."""
        if self is Mode.PER_TURN:
            return f"threads {self}: {_EVERY_TURN} (--threads {Mode.RESIDENT}: faster)"
        return f"threads {self} (--threads {Mode.PER_TURN}: {_EVERY_TURN})"


_EVERY_TURN: Final = "a DiscardEvent and new threads every turn"
