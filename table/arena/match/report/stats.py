"""What `jantaku stats` tells of hanchan, from their records alone."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from rich.table import Table

from jantaku.table.arena.match.folder.records import read_runs
from jantaku.table.arena.match.report.report import Content, write_report
from jantaku.table.arena.match.report.tables import luck_tables, luck_verdict, tables_of
from jantaku.table.arena.match.report.verdict import hanchan_compared, verdict
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.games.entry import Stats


def stats_of(named: Mapping[Path, Sequence[Path]], *, luck: bool = False) -> Stats:
    """Work out the figures of games, see `GameEntry.stats`. BadInput if no game has come to its end."""
    run = read_runs(named, luck=luck)
    tally = run.tally
    if not tally.games:
        first = next(iter(named))
        raise BadInput(
            run.left_out[0] if not tally.void else f"{first}: none of {tally.void} {run.unit} has come to its end"
        )
    figures, times = tally.figures(), run.spent.timings(tally.names)
    void = f", {figures.void} without a result" if figures.void else ""
    facts = {"records": ", ".join(map(str, named))}
    content = Content(facts, tally.points, figures, times, run.games, unit=run.unit)
    said = f"{figures.games} {run.unit} in {figures.sets} set{'s' * (figures.sets != 1)}{void}"
    report, decided = partial(write_report, content=content), verdict(hanchan_compared(figures, run.unit))
    data = {"figures": figures, "times": times}
    if run.luck is None:
        return Stats(data, partial(tables_of, figures, times), figures.legend, decided, said, report, run.left_out)
    adjusted = run.luck.figures(tally.names)

    def tables(width: int) -> list[Table]:
        return [*tables_of(figures, times, width), *luck_tables(adjusted, width)]

    decided = f"{decided} {luck_verdict(adjusted, figures, run.unit)}"
    return Stats({**data, "luck": adjusted}, tables, figures.legend, decided, said, report, run.left_out)
