"""What a game at the table came to, apart from the game itself."""

from enum import StrEnum

import msgspec

from table.port import Verdict


class Ending(StrEnum):
    """Why the judge stopped."""

    OVER = "over"  # the game itself had come to its end
    STOPPED = "stopped"  # somebody asked the judge to stop
    VOID = "void"  # a fault of a player, and the settings say that such a game does not count


class SeatReport(msgspec.Struct, frozen=True):
    """How one seat did: number of questions by verdict (only those that occurred), stale answers, seconds."""

    seat: int
    state: str
    verdicts: dict[Verdict, int]
    stale: int
    total: float
    longest: float


class Result(msgspec.Struct, frozen=True):
    """The judge's account. `left_behind` names the threads that had not come home; `reason` is for VOID."""

    ending: Ending
    turns: int
    seats: tuple[SeatReport, ...]
    left_behind: tuple[str, ...] = ()
    reason: str = ""
