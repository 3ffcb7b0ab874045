"""What `jantaku stats` tells of hanchan, from their records alone."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from rich.table import Table

from jantaku.table.arena.match.folder.records import read_runs
from jantaku.table.arena.match.report.report import write_report
from jantaku.table.arena.match.report.results import results_of
from jantaku.table.arena.match.report.tables import luck_tables, luck_verdict, tables_of
from jantaku.table.play.games.entry import Stats


def stats_of(named: Mapping[Path, Sequence[Path]], *, luck: bool = False) -> Stats:
    """Work out the figures of games, see `GameEntry.stats`. BadInput if no game has come to its end."""
    run = read_runs(named, luck=luck)
    found = results_of(run, named)
    figures, times, decided = found.figures, found.times, found.verdict
    report, data = partial(write_report, content=found.content), {"figures": figures, "times": times}
    if run.luck is None:
        tables = partial(tables_of, figures, times)
        return Stats(data, tables, figures.legend, decided, found.said, report, run.left_out)
    adjusted = run.luck.figures(run.tally.names)

    def tables_with_luck(width: int) -> list[Table]:
        return [*tables_of(figures, times, width), *luck_tables(adjusted, width)]

    decided = f"{decided} {luck_verdict(adjusted, figures, run.unit)}"
    data = {**data, "luck": adjusted}
    return Stats(data, tables_with_luck, figures.legend, decided, found.said, report, run.left_out)
