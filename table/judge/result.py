"""The result of a game at the table, apart from the game itself."""

from enum import StrEnum

import msgspec

from jantaku.table.ground.port import Answer, Verdict


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
