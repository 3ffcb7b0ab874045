"""Prints a match: tables that fit the terminal."""

from collections.abc import Sequence

from rich.table import Table

from jantaku.table.arena.match.figures.decision_times import Timing, seconds
from jantaku.table.arena.match.figures.statistics import Figures, PlayerFigures
from jantaku.table.arena.match.figures.stopping import Sprt
from jantaku.table.ground.columns import fitting

PLACES = ("1st", "2nd", "3rd", "4th")
"""Names of the ranks."""
NAME = 16
"""Most letters of a name in a progress line."""


def places_in(figures: Figures) -> Sequence[str]:
    """Return the names of the ranks, for three or four players."""
    return PLACES[: max(len(player.ranks) for player in figures.players)]


def tables_of(figures: Figures, times: Sequence[Timing], width: int) -> list[Table]:
    """Make tables of the results, and of the style of play: per kyoku, with answer times. `width`: columns of the
    terminal."""
    return [*_results(figures, width), *_play(figures, times, width)]


def _results(figures: Figures, width: int) -> list[Table]:
    rows = []
    for player in figures.best_first:
        shares = " ".join(f"{share * 100:3.0f}" for share in player.ranks)
        faults = ", ".join(f"{word} {count}" for word, count in player.faults.items()) or "none"
        rank, points = player.rank.cell(2), player.points.cell(1, sign=True)
        rows.append((player.name, rank, points, shares, faults))
    places = f"{' '.join(places_in(figures))} %"
    return fitting(("player", "mean rank", "points", places, "faults"), rows, width)


def _play(figures: Figures, times: Sequence[Timing], width: int) -> list[Table]:
    rows, by_name = [], {timing.name: timing for timing in times}
    for player in figures.best_first:
        timing = by_name.get(player.name)
        spent = (seconds(timing.median), seconds(timing.p99)) if timing else ("-", "-")
        rows.append((player.name, *_habits(player), *spent))
    heads = ("player", "win", "tsumo", "value", "deal-in", "riichi", "call", "median", "99%")
    return fitting(heads, rows, width)


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
