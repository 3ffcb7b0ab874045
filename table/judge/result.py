"""The result of a game at the table, apart from the game itself."""

from enum import StrEnum

import msgspec

from jantaku.table.port import Answer, Verdict


class Ending(StrEnum):
    """Why the judge stopped."""

    OVER = "over"  # the game itself had come to its end
    STOPPED = "stopped"  # somebody asked the judge to stop
    VOID = "void"  # a fault of a player, and the settings say that such a game does not count


class FirstFault(msgspec.Struct, frozen=True):
    """The first answer of a seat with one verdict that is not good, with its turn and round in the game, from 1."""

    round: int
    turn: int
    answer: Answer
    penalized: bool = False
    """Whether it was not the default that counted for it, but the game's penalty."""


class SeatReport(msgspec.Struct, frozen=True):
    """How one seat did: number of questions by verdict (only those that occurred), stale answers, seconds.

    `total` and `longest` are as the seat's clock counts; `cpu` is CPU time, as far as it was measured. `first` has the
    first fault of each verdict, in the order in which they came.
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
    """The result of a judge. `left_behind` names the threads that are still busy; `reason` is for VOID."""

    ending: Ending
    turns: int
    seats: tuple[SeatReport, ...]
    left_behind: tuple[str, ...] = ()
    reason: str = ""
