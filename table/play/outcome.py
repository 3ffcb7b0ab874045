"""The result of a game, as one line of text, and the final table over many games.

A fault has a report for the author of the bot: where it first happened, why, and what the bot was doing.

A report contains foreign text, bounded in size. Here it only becomes lines; `jantaku.table.cli.say` prints them safely,
as it does for all such text.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import msgspec

from jantaku.table.ground.foreign.traces import briefly
from jantaku.table.ground.port import Answer, Evidence, Verdict
from jantaku.table.judge.faults import ANSWERED, in_words
from jantaku.table.judge.result import Ending, Result

if TYPE_CHECKING:  # as in `jantaku.table.cli.screen`
    from rich.table import Table

WIDTH = 78
"""Columns at which our own text is wrapped; a traceback keeps its lines."""
_UNBROKEN = "\N{NO-BREAK SPACE}"
_STDERR_LINES = 20
_FEW_LINES = 5
"""The last lines of stderr to show where there is little room."""


class QuestionPlace(msgspec.Struct, frozen=True):
    """The place of a question in its record: the kyoku, the turn in that kyoku, both from 1, and the record's
    players."""

    kyoku: int
    turn: int
    players: tuple[str, ...]


class FaultReport(msgspec.Struct, frozen=True):
    """A player's first fault of one verdict in a game. `round` is in the game's words; `turn` and `question` are the
    numbers in the record; `cause` says what was wrong, for the bot's author, with the place in its code if that is
    known. `again` is where the question can be put once more, None if a game cannot be begun inside a record.
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
        """Return the report with the place where the player answers, if its answer could not be used: no traceback
        shows that."""
        found = place() if self.verdict in ANSWERED and not self.evidence.trace else ""
        return msgspec.structs.replace(self, cause=f"{self.cause} (answered at {found})") if found else self

    @property
    def kind(self) -> tuple[str, str]:
        """The player and the verdict, of which this is the first fault."""
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
    """Make the reports of a game. `order` is the entrant on each seat, `names` are the entrants', `rounds` the game's.
    `begun` is the turn that each round begins with; empty if a game cannot be begun inside a record."""
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
    return f"game {report.game}, {report.round}, turn {report.turn}, question {report.question}"


def often(count: int) -> str:
    """Say how often a fault happened, in front of the place where it did first."""
    return "once" if count == 1 else f"{count} times, first"


def why_lines(answer: Answer, at: Callable[[], str]) -> list[str]:
    """Why an answer is a fault, where in the bot's code (`at` tells where it answers), and the evidence, as indented
    lines."""
    evidence = answer.evidence or Evidence()
    place = "" if evidence.trace or answer.verdict not in ANSWERED else at()
    why = f"  {in_words(answer)}{f' (answered at {place})' if place else ''}"
    return [why, *(f"    {line}" for line in details_of(evidence))]


def details_of(evidence: Evidence, *, brief: bool = False) -> list[str]:
    """The evidence of a fault as lines, with `brief` only a few; empty if there is none."""
    trace = evidence.trace
    lines = [] if not trace else briefly(trace) if brief else trace.split("\n")
    if evidence.offered:
        lines += listed("offered", evidence.offered)
    if evidence.came and evidence.offered:
        lines += wrapped("came", evidence.came)
    elif evidence.came:
        lines += ["its last message, not an answer to this question:", *wrapped("", evidence.came)]
    if evidence.stderr:
        most = _FEW_LINES if brief else _STDERR_LINES
        lines += ["last lines on stderr:", *(f"  {line}" for line in evidence.stderr.split("\n")[-most:])]
    return lines


def listed(head: str, items: Iterable[str]) -> list[str]:
    """Wrap these items into lines, without breaking inside an item."""
    text = ", ".join(item.replace(" ", _UNBROKEN) for item in items)
    return [line.replace(_UNBROKEN, " ") for line in wrapped(head, text)]


def wrapped(head: str, text: str) -> list[str]:
    """Wrap a text into lines, indented behind its head."""
    return wrap(text, WIDTH, initial_indent=f"{head:9}", subsequent_indent=" " * 9, break_on_hyphens=False)


class FaultReports:
    """The faults of many games: how many of each verdict a player had, and the report of the first one."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = Counter()
        self._first: dict[tuple[str, str], FaultReport] = {}

    def __bool__(self) -> bool:
        return bool(self._first)

    @property
    def all(self) -> list[FaultReport]:
        """All reports, in the order in which the faults happened."""
        return sorted(self._first.values(), key=lambda report: (report.game, report.question))

    def add(self, names: Sequence[str], faults: Sequence[Mapping[str, int]], reports: Iterable[FaultReport]) -> None:
        """Add a game: its players, the number of faults of each kind that they had, and its reports."""
        for name, counts in zip(names, faults, strict=True):
            for verdict, count in counts.items():
                self._counts[name, verdict] += count
        for report in reports:
            first = self._first.setdefault(report.kind, report)
            if report.game < first.game:
                self._first[report.kind] = report

    def only(self, games: Container[int]) -> None:
        """Drop reports of other games, whose records are not kept."""
        self._first = {kind: report for kind, report in self._first.items() if report.game in games}

    def summary(self) -> list[str]:
        """Two lines for each report: the player, the fault, how often and where it first happened; then why."""
        lines = []
        for report in self.all:
            told = f"{report.verdict} {often(self._counts[report.kind])} in {place_of(report)}"
            lines.append(f"{report.player}: {told}")
            lines.append(f"  {report.cause}")
        return lines

    def details(self, *, brief: bool = False) -> list[str]:
        """The evidence of each report as lines, with `brief` only a few, under the player's name."""
        lines: list[str] = []
        for report in self.all:
            if details := details_of(report.evidence, brief=brief):
                lines += [f"{report.player}, question {report.question}, {report.verdict}:"]
                lines += [f"  {line}" for line in details]
        return lines


class Outcome(msgspec.Struct, frozen=True):
    """The result of one game. All tuples are by entrant, in the order of the match; `points` are final points. A game
    that was stopped or is void has no ranks. `faults` counts the bad verdicts by name; `longest` is the slowest answer
    in seconds, `cpu` the CPU seconds of all answers. `fault_reports` has each player's first faults."""

    game: int
    seed: str
    ending: Ending
    names: tuple[str, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    points: tuple[float, ...]
    kyoku: int
    faults: tuple[dict[str, int], ...]
    longest: tuple[float, ...]
    records: tuple[str, ...]
    reason: str = ""
    cpu: tuple[float, ...] = ()
    fault_reports: tuple[FaultReport, ...] = ()

    @property
    def broken_off(self) -> str:
        """For a game without ranks: whether it was stopped or is void, and why if that is known."""
        return f"{self.ending}: {self.reason}" if self.reason else str(self.ending)


def by_entrant(by_seat: Sequence[Any], order: Sequence[int]) -> tuple[Any, ...]:
    """Reorder values from seats to entrants; `order` is the entrant on each seat."""
    return tuple(by_seat[order.index(place)] for place in range(len(order)))


def faults_by_entrant(result: Result, order: Sequence[int]) -> tuple[dict[str, int], ...]:
    """By entrant, the numbers of bad verdicts and stale answers; `order` is the entrant on each seat."""
    faults: list[dict[str, int]] = [{} for _ in order]
    for report in result.seats:
        bad = {str(verdict): count for verdict, count in report.verdicts.items() if verdict is not Verdict.OK}
        if report.stale:
            bad["stale"] = report.stale
        faults[order[report.seat]] = bad
    return tuple(faults)


CHOMBO = "chombo"
"""The key, beside the verdicts, that counts the kyoku ended by a player's faults."""


def with_chombos(faults: Sequence[dict[str, int]], counts: Sequence[int]) -> tuple[dict[str, int], ...]:
    """The faults of each entrant, with the number of kyoku that they ended."""
    return tuple({**words, CHOMBO: count} if count else words for words, count in zip(faults, counts, strict=True))


def line_of(outcome: Outcome) -> str:
    """One game as one line of plain text, the best player first; after the points come faults and uses of the
    margin."""
    if not outcome.ranks:
        return f"game {outcome.game}: {outcome.broken_off}"
    best_first = sorted(range(len(outcome.names)), key=lambda place: outcome.ranks[place])
    parts = [f"{outcome.names[n]} {outcome.scores[n]} ({_came_to(outcome, n)})" for n in best_first]
    return f"game {outcome.game}: {' · '.join(parts)}"


def _came_to(outcome: Outcome, n: int) -> str:
    words = [f"{word} {count}" for word, count in sorted(outcome.faults[n].items())]
    return ", ".join([f"{outcome.points[n]:+.1f}", *words])


def tables_of(outcomes: Iterable[Outcome], width: int) -> "list[Table]":
    """The standings over all games that count, the best mean rank first, fitted to `width` columns of a terminal."""
    from jantaku.table.drawing.columns import fitting  # rich takes a start's time, and only a terminal gets tables

    counted = [outcome for outcome in outcomes if outcome.ranks]
    names = counted[0].names if counted else ()
    means = [(sum(outcome.ranks[n] for outcome in counted) / len(counted), n) for n in range(len(names))]
    rows = []
    for mean, n in sorted(means):
        places = Counter(outcome.ranks[n] for outcome in counted)
        points = sum(outcome.points[n] for outcome in counted)
        faults = sum((Counter(outcome.faults[n]) for outcome in counted), Counter[str]())
        words = ", ".join(f"{word} {count}" for word, count in sorted(faults.items())) or "none"
        counts = [str(places[rank]) for rank in range(1, len(names) + 1)]
        rows.append((names[n], *counts, f"{mean:.2f}", f"{points:+.1f}", words))
    ranks = [f"{rank}." for rank in range(1, len(names) + 1)]
    return fitting(("player", *ranks, "rank", "points", "faults"), rows, width)
