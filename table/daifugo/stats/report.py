"""Reads 大富豪 series from folders, and shows their figures on the terminal and as a report."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rich.table import Table

from jantaku.table.arena.match.figures.summary import Timing, seconds
from jantaku.table.arena.match.figures.tally import PlayedGame, PlayedGames
from jantaku.table.arena.match.folder.records import numbered
from jantaku.table.arena.match.report import document, plots
from jantaku.table.arena.match.report.document import Document, cross_table, ends, game_list, times, title_of
from jantaku.table.arena.match.report.tables import share_text
from jantaku.table.arena.match.report.verdict import ComparedPlayers, Scale, verdict
from jantaku.table.daifugo.board import RANK_NAMES
from jantaku.table.daifugo.records.record import load
from jantaku.table.daifugo.stats.figures import SeriesFigures, SeriesPlayer, SeriesTally
from jantaku.table.ground.columns import fitting
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.markup.elements import Markup, Part, table
from jantaku.table.ground.markup.faces import FacedNames
from jantaku.table.play.games.entry import Stats
from jantaku.table.records.journal.lines import content_of
from jantaku.table.records.journal.sealed import is_sealed

# Reads 大富豪 series from folders, and shows their figures on the terminal and as a report.


class PlayedSeries(NamedTuple):
    """What the records of some files and folders add up to."""

    tally: SeriesTally
    games: PlayedGames


def read_series(named: Mapping[Path, Sequence[Path]]) -> PlayedSeries:
    """Add up the series of all these files and folders. Equal names count as one player."""
    tally, games = SeriesTally(), PlayedGames()
    for paths in named.values():
        for number, path in numbered(paths):
            try:
                came_to, faults = tally.add(load(path))
            except BadInput:
                if not is_sealed(content_of(path)):
                    raise
                tally.void += 1  # a running series: its record tells the hands at the end
                came_to, faults = (), 0
            games.add(PlayedGame(number, None, path, came_to, faults, "" if came_to else "it has not come to its end"))
    return PlayedSeries(tally, games)


def series_tables(figures: SeriesFigures, times: Sequence[Timing], width: int) -> list[Table]:
    """Make tables of the results, of the rounds, and of the style of play with answer times. `width`: columns of the
    terminal."""
    results, rounds, habits = [], [], []
    by_name = {timing.name: timing for timing in times}
    for player in figures.best_first:
        faults = ", ".join(f"{word} {count}" for word, count in player.faults.items()) or "none"
        place, points = player.place.cell(2), player.points.cell(1)
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


def write_series_report(path: Path, folders: Sequence[Path], played: PlayedSeries) -> str:
    """Write the report. Return why it was not written; empty on success. BadInput if the disk refuses."""
    document.write_report(path, _document(path, folders, played))
    return ""


def series_compared(figures: SeriesFigures) -> ComparedPlayers:
    """Compare the players of series by their points."""
    scales = (
        Scale("points a series", 1, lambda pair: pair.points),
        Scale("places", 2, lambda pair: pair.rank.reversed),
    )
    names = [player.name for player in figures.best_first]
    return ComparedPlayers(names, figures.pairs, figures.series, "series", scales)


def _document(path: Path, folders: Sequence[Path], played: PlayedSeries) -> Document:
    tally = played.tally
    figures = tally.figures()
    compared = series_compared(figures)
    timings = tally.spent.timings(compared.names)
    faults = {player.name: player.faults for player in figures.players}
    parts = [
        Part("Results", _results(figures.best_first)),
        *cross_table(compared),
        *_drawings(tally, figures, timings),
        times(compared.names, timings, faults),
        *game_list(played.games, path, "series"),
    ]
    void = f", {figures.void} without an end" if figures.void else ""
    rounds = f"{figures.rounds} round{'s' * (figures.rounds != 1)}"
    said = f"{figures.series} series of {rounds} in all{void}; {figures.legend}."
    facts = {"records": ", ".join(map(str, folders))}
    return Document(title_of(compared.names), [verdict(compared), said], facts, parts)


def _drawings(tally: SeriesTally, figures: SeriesFigures, timings: Sequence[Timing]) -> Sequence[Part]:
    points = {player.name: tally.points[player.name] for player in figures.best_first}
    ranks = {player.name: list(player.ranks.values()) for player in figures.best_first}
    heads = list(RANK_NAMES.values())
    return plots.parts(
        {
            "階級": plots.share_plot("階級", ranks, heads, "rounds"),
            "Points over series": plots.points_plot("Points over series", points, "series"),
            "Time for an answer": plots.time_plot("Time for an answer", timings),
        }
    )


def _results(players: Sequence[SeriesPlayer]) -> Markup:
    faced = FacedNames(player.name for player in players)
    rows = [
        (
            faced.whole(player.name),
            player.points.cell(1),
            ends(player.points, 1),
            player.place.cell(2),
            *map(share_text, (player.won, player.passes)),
            player.revolutions,
            player.fouls,
            player.seats,
            player.rounds,
        )
        for player in players
    ]
    heads = ("player", "mean points", "95 %", "mean place", "won", "passes", "革命", "反則", "series", "rounds")
    return table("Results", heads, rows)


# What `jantaku stats` tells of series of 大富豪, from their records alone.


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
