"""What `jantaku stats` tells of series of 大富豪, from their records alone."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from jantaku.table.arena.match.report.verdict import verdict
from jantaku.table.daifugo.stats.report import read_series, series_compared, series_tables, write_series_report
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.games.entry import Stats


def stats_of(named: Mapping[Path, Sequence[Path]]) -> Stats:
    """Work out the figures of series, see `GameEntry.stats`. BadInput if no series has come to its end."""
    played = read_series(named)
    tally = played.tally
    if not tally.series:
        raise BadInput(f"{next(iter(named))}: none of {tally.void} series has come to its end")
    figures, times = tally.figures(), tally.spent.timings(tally.names)
    void = f", {figures.void} without an end" if figures.void else ""
    said = f"{figures.series} series of {figures.rounds} round{'s' * (figures.rounds != 1)} in all{void}"
    report = partial(write_series_report, folders=list(named), played=played)
    data, decided = {"figures": figures, "times": times}, verdict(series_compared(figures))
    return Stats(data, partial(series_tables, figures, times), figures.legend, decided, said, report)
