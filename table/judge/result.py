"""The result of a game at the table, apart from the game itself.

State machines are data: a table of `Move`s, which the code follows and from which the pages' pictures are drawn.

A `Watch` is notified of a game's events and answers, as the journal, spectators and the progress line are.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

import msgspec

from jantaku.table.ground.port import Answer, Verdict


class Move(NamedTuple):
    """One possible step of a state machine; `why` says when it is taken."""

    before: StrEnum
    after: StrEnum
    why: str


def ways(states: Iterable[StrEnum], moves: Iterable[Move]) -> dict[str, frozenset[str]]:
    """Return for each state the states that it can lead to."""
    listed = list(moves)
    return {state: frozenset(move.after for move in listed if move.before is state) for state in states}


class Watch(Protocol):
    """Is notified of events and answers, always in the judge's thread and never while a player's clock runs.

    In each turn `answers` comes first (if a seat was asked), then the `events` that follow from them. An exception
    raised here is a defect of ours: the table stops with a TableFault.
    """

    def events(self, new: Sequence[Any]) -> None:
        """Receive the events since the last call: unmasked, in order, never empty."""

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """Receive the answers to the questions of `turn`: the turn seat's first, then in seat order after it."""


class Ending(StrEnum):
    """Why the judge stopped the game."""

    OVER = "over"  # the game reached its end
    STOPPED = "stopped"  # `Judge.stop` was called
    VOID = "void"  # a player committed a fault, and the settings void such a game


class FirstFault(msgspec.Struct, frozen=True):
    """The first answer of a seat with one particular bad verdict, with its round and turn in the game, both from 1."""

    round: int
    turn: int
    answer: Answer
    penalized: bool = False
    """Whether the game's penalty was played for the answer, not the default."""


class SeatReport(msgspec.Struct, frozen=True):
    """How one seat did: the number of questions by verdict (only verdicts that occurred), stale answers, times in
    seconds.

    `total` and `longest` are measured by the seat's clock; `cpu` is CPU time, 0 if it was not measured. `first` has the
    first fault of each verdict, in the order in which they occurred.
    """

    seat: int
    state: str
    verdicts: dict[Verdict, int]
    stale: int
    total: float
    longest: float
    cpu: float = 0.0
    first: tuple[FirstFault, ...] = ()


class Result(msgspec.Struct, frozen=True):
    """The result of a judge. `left_behind` names the threads that are still busy; `reason` says why a game is VOID."""

    ending: Ending
    turns: int
    seats: tuple[SeatReport, ...]
    left_behind: tuple[str, ...] = ()
    reason: str = ""
