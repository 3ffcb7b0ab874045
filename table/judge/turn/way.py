"""The three ways to run the same turn, as the judge sees them."""

from enum import StrEnum
from typing import Final, NamedTuple

from jantaku.table.errors import BadInput, TableFault
from jantaku.table.game import Turn
from jantaku.table.judge.shared import sabotage
from jantaku.table.judge.turn.played import Played
from jantaku.table.port import Action, Answer, Choice


class Mode(StrEnum):
    """How the players of one table are run."""

    PER_TURN = "per-turn"  # a thread per seat and turn, as S-40 asks
    RESIDENT = "resident"  # a thread per seat for the whole game, woken when the seat has something to decide
    INLINE = "inline"  # no threads: trusted players, no clock

    @property
    def line(self) -> str:
        """A line of at most 80 columns for a person: which mode is played, and how to have another."""
        if self is Mode.PER_TURN:
            return f"threads {self}: {_EVERY_TURN} (--threads {Mode.RESIDENT}: faster)"
        return f"threads {self} (--threads {Mode.PER_TURN}: {_EVERY_TURN})"


_EVERY_TURN: Final = "a DiscardEvent and new threads every turn"


class SheetLine(NamedTuple):
    """What the sheet says of one seat."""

    seat: int
    choice: Choice | None
    """What it might do; None: nothing."""
    answer: Answer | None
    """What it was asked and answered, or the default with a verdict that says why; None if it was not to be asked."""
    used: float | None
    """Seconds until its thread had written; None if it wrote nothing."""
    by: str
    """`seat` if its thread wrote the line, `judge` if the judge did because nothing had come from it."""

    @property
    def action(self) -> Action | None:
        """What counts for this seat; None if it has no reaction."""
        return self.answer.action if self.answer else self.choice.default if self.choice else None

    @property
    def word(self) -> str:
        """The verdict on what it was asked; else that it cannot react, or has only one option."""
        return self.answer.verdict if self.answer else "one option" if self.choice else "no reaction"


class Way:
    """One way to run turns, the base class of all. Everything here is called in the judge's thread."""

    def start(self) -> None:
        """Wait until the players that need it are ready, concurrently. One that is not is GONE (`start_failed`)."""
        raise NotImplementedError

    def new_round(self) -> None:
        """A round has begun: let every seat that has a clock hear of it, and of the last one's end, off the clock."""
        raise NotImplementedError

    def play(self, number: int, turn: Turn) -> Played:
        """Ask the turn seat, make its action happen, ask who may react, and seal what came in time."""
        raise NotImplementedError

    def finish(self) -> None:
        """The game is over: let every seat hear what it has not heard yet."""
        raise NotImplementedError

    def close(self) -> tuple[str, ...]:
        """Stop all threads. The names of those that are still busy."""
        raise NotImplementedError


def table_fault(table: int, turn: int, defect: BaseException | None) -> TableFault | BadInput:
    """A defect of ours, with the place where it occurred; BadInput if a bot has replaced parts of `threading`."""
    where = f"table {table}, turn {turn}: {type(defect).__name__}: {defect}"
    fault = sabotage(where) or TableFault(where)
    fault.__cause__ = defect  # compiled, `raise … from` keeps no cause
    return fault
