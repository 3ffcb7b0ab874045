"""Prints a match, also adjusted for luck: tables that fit the terminal."""

from collections.abc import Sequence

from msgspec import UnsetType
from rich.table import Table

from jantaku.table.arena.match.figures.adjusted import worth
from jantaku.table.arena.match.figures.statistics import (
    Figures,
    Interval,
    LuckFigures,
    PlayerFigures,
)
from jantaku.table.arena.match.figures.stops import NAME as NAME
from jantaku.table.arena.match.figures.stops import Sprt
from jantaku.table.arena.match.figures.timing import Timing, seconds
from jantaku.table.arena.match.ranklists import rank_points
from jantaku.table.arena.match.report.verdict import faults_text
from jantaku.table.drawing.columns import fitting

PLACES = ("1st", "2nd", "3rd", "4th")
"""Names of the ranks."""


def places_in(figures: Figures) -> Sequence[str]:
    """Return the names of the ranks, for three or four players."""
    return PLACES[: max(len(player.ranks) for player in figures.players)]


def tables_of(figures: Figures, times: Sequence[Timing], width: int, *, units: bool = False) -> list[Table]:
    """Make tables of the results, with `units` of rank points and stable dan, and of the style of play: per kyoku, with
    answer times. `width`: columns of the terminal."""
    rank_points = unit_tables(figures, width) if units else []
    return [*_results(figures, width), *rank_points, *luck_tables(figures.luck, width), *_play(figures, times, width)]


def _results(figures: Figures, width: int) -> list[Table]:
    rows = [(player.name, *result_cells(player)) for player in figures.best_first]
    return fitting(("player", *result_heads(figures)), rows, width)


def unit_tables(figures: Figures, width: int) -> list[Table]:
    """Make tables of rank points and stable dan. `width`: columns of the terminal."""
    rows = [(player.name, *unit_cells(player)) for player in figures.best_first]
    return fitting(("player", *unit_heads(figures.points_by_rank)), rows, width)


def unit_heads(points_by_rank: Sequence[float]) -> Sequence[str]:
    """Return the heads of `unit_cells`."""
    return f"rank pt ({', '.join(f'{one:g}' for one in points_by_rank)})", "stable dan (houou)"


def unit_cells(player: PlayerFigures) -> Sequence[str]:
    """Return a player's rank points and its stable dan; – where there is none."""
    rank_pt, dan = player.rank_pt, player.stable_dan
    return "–" if rank_pt is None else rank_pt.cell(2, sign=True), "–" if dan is None else dan.cell(2)


def result_heads(figures: Figures) -> Sequence[str]:
    """Return the heads of `result_cells`."""
    return ("mean rank", "points", f"{' '.join(places_in(figures))} %", "faults")


def result_cells(player: PlayerFigures) -> Sequence[str]:
    """Return the results of a player for a table of the terminal."""
    shares = " ".join(f"{share * 100:3.0f}" for share in player.ranks)
    return player.rank.cell(2), player.points.cell(1, sign=True), shares, faults_text(player.faults)


def _play(figures: Figures, times: Sequence[Timing], width: int) -> list[Table]:
    rows, by_name = [], {timing.name: timing for timing in times}
    for player in figures.best_first:
        timing = by_name.get(player.name)
        spent = (seconds(timing.median), seconds(timing.p99)) if timing else ("-", "-")
        rows.append((player.name, *_habits(player), *spent))
    return fitting(("player", *_HABITS, "median", "99%"), rows, width)


def player_tables(rows: Sequence[tuple[str, PlayerFigures]], pt: str, width: int) -> list[Table]:
    """Make tables of the figures of one player, a named part of its games a row, also in rank points by the list `pt`
    if there is one. `width`: columns of the terminal."""
    told = []
    for name, found in rows:
        rank, points, shares, _ = result_cells(found)
        paid = "-" if found.deal_in_value is None else f"{found.deal_in_value:.0f}"
        shares += "   0" * (len(PLACES) - len(found.ranks))
        told.append((name, str(found.seats), rank, points, shares, *_habits(found), paid))
    heads = ("games", "count", "mean rank", "points", f"{' '.join(PLACES)} %", *_HABITS, "paid")
    units = [(name, *unit_cells(found)) for name, found in rows] if pt else []
    named = fitting(("games", *unit_heads(rank_points(pt))), units, width) if pt else []
    return [*fitting(heads, told, width), *named]


_HABITS = ("win", "tsumo", "value", "deal-in", "riichi", "call")


def _habits(player: PlayerFigures) -> list[str]:
    value = "-" if player.win_value is None else f"{player.win_value:.0f}"
    win, tsumo, deal_in, riichi, call = map(
        share_text, (player.win_rate, player.tsumo_share, player.deal_in_rate, player.riichi_rate, player.call_rate)
    )
    return [win, tsumo, value, deal_in, riichi, call]


def share_text(share: float | None) -> str:
    """Write a share for people: `12.5%`."""
    return "-" if share is None else f"{share * 100:.1f}%"


def sprt_text(test: Sprt) -> str:
    """Write the outcome of a sequential test in a sentence."""
    said = f"accepted {test.accepted}" if test.accepted else "undecided"
    return (
        f"SPRT, mean rank {test.rank0} (H0) against {test.rank1} (H1): {said}, "
        f"LLR {test.llr:+.2f} (bounds {test.lower:.2f}, {test.upper:.2f})"
    )


def luck_tables(found: LuckFigures | UnsetType, width: int) -> list[Table]:
    """Make tables of mean rank and points, plain and without luck. `width`: columns of the terminal. Empty if there are
    too few sets, or luck was not asked for."""
    rows = luck_rows(found)
    return fitting(("player", *LUCK_HEADS), rows, width) if rows else []


def luck_rows(found: LuckFigures | UnsetType) -> Sequence[Sequence[str]]:
    """Return the cells of `LUCK_HEADS` of every player, after its name."""
    if not found or not found.known:
        return []
    return [
        (
            player.name,
            player.rank.text(3),
            player.rank_adjusted.text(3),
            _worth(player.rank, player.rank_adjusted),
            player.points.text(1, sign=True),
            player.points_adjusted.text(1, sign=True),
            _worth(player.points, player.points_adjusted),
        )
        for player in sorted(found.players, key=lambda player: player.rank_adjusted.mean)
    ]


LUCK_HEADS = ("mean rank", "without luck", "worth", "points", "without luck", "worth")
LUCK_NOTE = "What chance gave is taken out. worth: how many plain games one game is worth then."


def _worth(plain: Interval, without: Interval) -> str:
    found = worth(plain, without)
    return "-" if found is None else f"{found:.2f}x"
