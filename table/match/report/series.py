"""Series of 大富豪 in a folder, and their figures on the terminal."""

from collections.abc import Sequence
from pathlib import Path

from rich.table import Table

from table.daifugo.ranks import RANK_NAMES
from table.errors import BadInput
from table.match.figures.decision_times import Timing, seconds
from table.match.figures.series import SeriesFigures, SeriesTally
from table.match.folder.reading import journals
from table.match.report.tables import share_text
from table.record.daifugo import load
from table.record.lines import content_of
from table.record.sealed import is_sealed
from table.view.columns import fitting


def read_series(folders: Sequence[Path]) -> SeriesTally:
    """The series of all folders together. Equal names are taken for one player."""
    tally = SeriesTally()
    for folder in folders:
        for path in journals(folder).values():
            try:
                tally.add(load(path))
            except BadInput:
                if not is_sealed(content_of(path)):
                    raise
                tally.void += 1  # its hands are told when it is over
    return tally


def series_tables(figures: SeriesFigures, times: Sequence[Timing], width: int) -> list[Table]:
    """The results of series, those of their rounds, and how they were played, with the time for an answer. For so many
    columns of a terminal."""
    results, rounds, habits = [], [], []
    by_name = {timing.name: timing for timing in times}
    for player in figures.best_first:
        faults = ", ".join(f"{word} {count}" for word, count in player.faults.items()) or "none"
        place, points = player.place.text(2), player.points.text(1)
        results.append((player.name, str(player.seats), points, place, share_text(player.won), faults))
        rounds.append((player.name, str(player.rounds), *map(share_text, player.ranks.values())))
        timing = by_name.get(player.name)
        spent = (seconds(timing.median), seconds(timing.p99)) if timing else ("-", "-")
        done = (share_text(player.passes), str(player.revolutions), str(player.fouls))
        habits.append((player.name, *done, *spent))
    return [
        *fitting(("player", "series", "points", "mean place", "won", "faults"), results, width),
        *fitting(("player", "rounds", *RANK_NAMES.values()), rounds, width),
        *fitting(("player", "passes", "革命", "反則", "median", "99%"), habits, width),
    ]
