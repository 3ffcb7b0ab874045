"""Prints a match adjusted for luck."""

import msgspec
from rich.table import Table

from jantaku.table.arena.match.figures.luck.adjusted import FEWEST, LuckFigures, worth
from jantaku.table.arena.match.figures.statistics import Figures, Interval
from jantaku.table.arena.match.report.verdict import hanchan_compared, verdict
from jantaku.table.ground.columns import fitting


def luck_tables(found: LuckFigures, width: int) -> list[Table]:
    """Make tables of mean rank and points, plain and adjusted, and of the worth of an adjusted hanchan in plain ones.
    `width`: columns of the terminal. Empty with too few sets."""
    if found.sets < FEWEST:
        return []
    rows = [
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
    heads = ("player", "mean rank", "without luck", "worth", "points", "without luck", "worth")
    return fitting(heads, rows, width)


def _worth(plain: Interval, without: Interval) -> str:
    found = worth(plain, without)
    return "-" if found is None else f"{found:.2f}x"


def luck_verdict(found: LuckFigures, figures: Figures, unit: str) -> str:
    """Return the verdict on the adjusted figures. `unit`: what a game is called."""
    if found.sets < FEWEST:
        return f"Luck is taken out of {FEWEST} wall sets or more; these are {found.sets}."
    by_name = {player.name: player.rank_adjusted for player in found.players}
    players = tuple(msgspec.structs.replace(one, rank=by_name[one.name]) for one in figures.players)
    adjusted = msgspec.structs.replace(figures, players=players, pairs=found.pairs)
    return f"Without luck: {verdict(hanchan_compared(adjusted, unit))}"
