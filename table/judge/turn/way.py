"""The three ways to run a turn, with the interface that the judge uses and the outcome of a turn."""

from enum import StrEnum
from typing import Final, NamedTuple

from jantaku.table.ground.errors import BadInput, TableFault
from jantaku.table.ground.game import Turn
from jantaku.table.ground.port import Action, Answer, Choice
from jantaku.table.judge.shared import sabotage

# The outcome of a turn.


class Played:
    """A finished turn: `answers`, the turn seat's first, and the `responses` to rule on, by seat."""

    __slots__ = ("answers", "responses")

    def __init__(self, answers: list[Answer], responses: list[Action | None]) -> None:
        self.answers = answers
        self.responses = responses


# The three ways to run a turn, with the interface that the judge uses.


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


class SheetLine(NamedTuple):
    """What the sheet says about one seat."""

    seat: int
    choice: Choice | None
    """The options that it had; None if it could not react."""
    answer: Answer | None
    """Its answer, or the default with a verdict that says why; None if it did not have to be asked."""
    used: float | None
    """Seconds until its thread wrote; None if it wrote nothing."""
    by: str
    """`seat` if its thread wrote the line; `judge` if the judge did, because nothing had come from the thread."""

    @property
    def action(self) -> Action | None:
        """The action that counts for this seat; None if it has no reaction."""
        return self.answer.action if self.answer else self.choice.default if self.choice else None

    @property
    def word(self) -> str:
        """The verdict on its answer; for a seat that was not asked, `one option` or `no reaction`."""
        return self.answer.verdict if self.answer else "one option" if self.choice else "no reaction"


class Way:
    """Base class of the ways to run turns. The judge's thread calls every method."""

    def start(self) -> None:
        """Wait until the remote players are ready, concurrently where threads allow. One that is not ready is GONE
        (`start_failed`)."""
        raise NotImplementedError

    def new_round(self) -> None:
        """Let every seat that has a clock hear the end of the last round and the beginning of the new one, off the
        clock."""
        raise NotImplementedError

    def play(self, number: int, turn: Turn) -> Played:
        """Ask the turn seat, make its action happen, ask the seats that may react, and seal what came in time."""
        raise NotImplementedError

    def finish(self) -> None:
        """After the game, let every seat hear the events that it has not heard yet."""
        raise NotImplementedError

    def close(self) -> tuple[str, ...]:
        """Stop all threads; return the names of those that are still busy."""
        raise NotImplementedError


def table_fault(table: int, turn: int, defect: BaseException | None) -> TableFault | BadInput:
    """Describe a defect of ours and where it occurred; BadInput if a bot has replaced parts of `threading`."""
    where = f"table {table}, turn {turn}: {type(defect).__name__}: {defect}"
    fault = sabotage(where) or TableFault(where)
    fault.__cause__ = defect  # set by hand: compiled by mypyc, `raise … from` keeps no cause
    return fault
