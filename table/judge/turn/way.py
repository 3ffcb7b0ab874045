"""The interface of the ways to run a turn, and its outcome."""

from jantaku.table.ground.errors import BadInput, TableFault
from jantaku.table.ground.port import Action, Answer, Turn
from jantaku.table.judge.shared import sabotage


class Played:
    """A finished turn: `answers`, the turn seat's first, and the `responses` to rule on, by seat."""

    __slots__ = ("answers", "responses")

    def __init__(self, answers: list[Answer], responses: list[Action | None]) -> None:
        self.answers = answers
        self.responses = responses


class TurnRunner:
    """Base class of the ways to run turns. The judge's thread calls every method."""

    def start(self) -> None:
        """Let players warm up and wait until remote ones are ready, concurrently where threads allow. One that is not
        ready is GONE (`start_failed`)."""
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
