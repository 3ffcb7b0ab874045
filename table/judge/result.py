"""What a game at the table came to, apart from the game itself."""

from enum import StrEnum

import msgspec

from table.port import Answer, Verdict


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


class Tally:
    """One seat's running count. Only the judge's thread adds to it."""

    __slots__ = ("_longest", "_total", "_verdicts")

    def __init__(self) -> None:
        self._verdicts: dict[Verdict, int] = {}
        self._total = 0.0
        self._longest = 0.0

    def add(self, answer: Answer) -> None:
        """Count one answer."""
        self._verdicts[answer.verdict] = self._verdicts.get(answer.verdict, 0) + 1
        self._total += answer.used
        if answer.used > self._longest:
            self._longest = answer.used

    def report(self, seat: int, state: str, stale: int) -> SeatReport:
        """The count so far, frozen."""
        return SeatReport(seat, state, dict(self._verdicts), stale, self._total, self._longest)
