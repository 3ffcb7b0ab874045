"""One seat's running count of verdicts and seconds."""

from typing import Final

from table.judge.result import SeatReport
from table.port import Answer, Verdict

_OK: Final = Verdict.OK


class Tally:
    """One seat's running count. Only the judge's thread adds to it."""

    __slots__ = ("_longest", "_ok", "_others", "_total")

    def __init__(self) -> None:
        self._ok = 0
        self._others: dict[Verdict, int] = {}
        self._total = 0.0
        self._longest = 0.0

    def add(self, answer: Answer) -> None:
        """Count one answer."""
        if answer.verdict is _OK:
            self._ok += 1
        else:
            self._others[answer.verdict] = self._others.get(answer.verdict, 0) + 1
        self._total += answer.used
        if answer.used > self._longest:
            self._longest = answer.used

    def report(self, seat: int, state: str, stale: int) -> SeatReport:
        """The count so far, frozen."""
        verdicts = ({_OK: self._ok} if self._ok else {}) | self._others
        return SeatReport(seat, state, verdicts, stale, self._total, self._longest)
