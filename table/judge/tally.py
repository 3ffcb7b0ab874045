"""One seat's running count of verdicts and seconds."""

from table.judge.result import SeatReport
from table.port import Answer, Verdict


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
