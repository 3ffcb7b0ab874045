"""The result of a game, as one line of text, and the final table over many games."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from rich.table import Table

from jantaku.table.ground.columns import fitting
from jantaku.table.ground.port import Verdict
from jantaku.table.judge.result import Ending, Result
from jantaku.table.play.faults import FaultReport


class Outcome(msgspec.Struct, frozen=True):
    """The result of one game. All tuples are by entrant, in the order of the match; `points` are final points.

    A game that was stopped or is void has no ranks. `faults` counts the bad verdicts by name; `longest` is the slowest
    answer in seconds, `cpu` the CPU seconds of all answers. `fault_reports` has each player's first faults.
    """

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


def tables_of(outcomes: Iterable[Outcome], width: int) -> list[Table]:
    """The standings over all games that count, the best mean rank first, fitted to `width` columns of a terminal."""
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
