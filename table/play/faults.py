"""The report of a fault, for the author of the bot: where it happened first, why, and what the bot was doing.

A report has text of strangers, bounded in size. It is printed by `jantaku.table.cli.say` like all such text; here it
only becomes lines.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from textwrap import wrap

import msgspec

from jantaku.table.foreign.traces import briefly
from jantaku.table.judge.faults import ANSWERED, in_words
from jantaku.table.judge.result import Result
from jantaku.table.port import Evidence

WIDTH = 78
"""Columns of text that is ours to break; a traceback keeps its lines."""
_UNBROKEN = "\N{NO-BREAK SPACE}"
_STDERR_LINES = 20
_FEW_LINES = 5
"""Of its stderr, where there is little room."""


class QuestionPlace(msgspec.Struct, frozen=True):
    """Where in its record a question is: the kyoku, the turn in that kyoku, both from 1, and the record's players."""

    kyoku: int
    turn: int
    players: tuple[str, ...]


class FaultReport(msgspec.Struct, frozen=True):
    """The first fault of one verdict that a player had in a game. `round` is in the game's words, `turn` and `question`
    are numbers as in the record; `cause` is in words for the bot's author, with the place in its code if that is known.
    `again` says how the question can be put once more, where a game can be begun inside a record.
    """

    player: str
    verdict: str
    game: int
    round: str
    turn: int
    question: int
    cause: str
    evidence: Evidence
    record: str = ""
    again: QuestionPlace | None = None

    def answered_at(self, place: Callable[[], str]) -> "FaultReport":
        """With the place where the player answers, if it answered with what cannot be used: no traceback tells that."""
        found = place() if self.verdict in ANSWERED and not self.evidence.trace else ""
        return msgspec.structs.replace(self, cause=f"{self.cause} (answered at {found})") if found else self

    @property
    def kind(self) -> tuple[str, str]:
        """Of what it is the first: the player and the verdict."""
        return self.player, self.verdict


def reports_of(
    result: Result,
    order: Sequence[int],
    names: Sequence[str],
    game: int,
    rounds: Sequence[str],
    record: str,
    begun: Sequence[int] = (),
) -> tuple[FaultReport, ...]:
    """The reports of a game. `order` is the entrant on each seat, `names` are the entrants', `rounds` the game's, and
    `begun` the turn that each round begins with, where a game can be begun inside a record."""
    found, seated = [], tuple(names[place] for place in order)
    for seat in result.seats:
        for first in seat.first:
            answer = first.answer
            report = FaultReport(
                player=names[order[seat.seat]],
                verdict=str(answer.verdict),
                game=game,
                round=rounds[first.round - 1],
                turn=first.turn,
                question=answer.question,
                cause=in_words(answer) + "; that is a chombo" * first.penalized,
                evidence=answer.evidence or Evidence(),
                record=record,
                again=QuestionPlace(first.round, first.turn - begun[first.round - 1] + 1, seated) if begun else None,
            )
            found.append(report)
    return tuple(sorted(found, key=lambda report: report.question))


def place_of(report: FaultReport) -> str:
    """Where it happened, in words."""
    return f"game {report.game}, {report.round}, turn {report.turn}, question {report.question}"


def details_of(evidence: Evidence, *, brief: bool = False) -> list[str]:
    """What a fault has left behind, line by line, or a few lines of that; none if that is nothing."""
    trace = evidence.trace
    lines = [] if not trace else briefly(trace) if brief else trace.split("\n")
    if evidence.offered:
        lines += listed("offered", evidence.offered)
    if evidence.came and evidence.offered:
        lines += wrapped("came", evidence.came)
    elif evidence.came:
        lines += ["said last, but not in answer to this question:", *wrapped("", evidence.came)]
    if evidence.stderr:
        most = _FEW_LINES if brief else _STDERR_LINES
        lines += ["on stderr, last:", *(f"  {line}" for line in evidence.stderr.split("\n")[-most:])]
    return lines


def listed(head: str, items: Iterable[str]) -> list[str]:
    """Lines with these items, none of which is broken at a space."""
    text = ", ".join(item.replace(" ", _UNBROKEN) for item in items)
    return [line.replace(_UNBROKEN, " ") for line in wrapped(head, text)]


def wrapped(head: str, text: str) -> list[str]:
    """Lines with this text, behind and below its head."""
    return wrap(text, WIDTH, initial_indent=f"{head:9}", subsequent_indent=" " * 9, break_on_hyphens=False)


class FaultReports:
    """The faults of many games: how many of which verdict each player had, and the report of the first of each."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = Counter()
        self._first: dict[tuple[str, str], FaultReport] = {}

    def __bool__(self) -> bool:
        return bool(self._first)

    @property
    def all(self) -> list[FaultReport]:
        """In the order in which they happened."""
        return sorted(self._first.values(), key=lambda report: (report.game, report.question))

    def add(self, names: Sequence[str], faults: Sequence[Mapping[str, int]], reports: Iterable[FaultReport]) -> None:
        """A game: its players, how many faults of which kind each had, and its reports."""
        for name, counts in zip(names, faults, strict=True):
            for verdict, count in counts.items():
                self._counts[name, verdict] += count
        for report in reports:
            first = self._first.setdefault(report.kind, report)
            if report.game < first.game:
                self._first[report.kind] = report

    def only(self, games: Container[int]) -> None:
        """Of these games alone there are records that can be looked at."""
        self._first = {kind: report for kind, report in self._first.items() if report.game in games}

    def summary(self) -> list[str]:
        """Two lines for each report: who did what how often and where first, and why."""
        lines = []
        for report in self.all:
            count = self._counts[report.kind]
            often = "once" if count == 1 else f"{count} times, first"
            lines.append(f"{report.player}: {report.verdict} {often} in {place_of(report)}")
            lines.append(f"  {report.cause}")
        return lines

    def details(self, *, brief: bool = False) -> list[str]:
        """What each report has left behind, or a few lines of that, under the name of its player."""
        lines: list[str] = []
        for report in self.all:
            if details := details_of(report.evidence, brief=brief):
                lines += [f"{report.player}, question {report.question}, {report.verdict}:"]
                lines += [f"  {line}" for line in details]
        return lines
