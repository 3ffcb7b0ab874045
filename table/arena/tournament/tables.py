"""Prints a tournament: tables that fit the terminal."""

from collections.abc import Sequence

from rich.table import Table

from jantaku.table.arena.match.figures.statistics import Figures
from jantaku.table.arena.match.report.tables import result_cells, result_heads
from jantaku.table.arena.tournament.rounds import PlayedRound, PlayerStanding
from jantaku.table.drawing.columns import fitting


def standings_table(standings: Sequence[PlayerStanding], figures: Figures | None, unit: str, width: int) -> list[Table]:
    """Make the table of the standings, with intervals if there are `figures`. `unit`: what a game is
    called. `width`: columns of the terminal."""
    known = {} if figures is None else {player.name: player for player in figures.players}
    heads = ["player", "place", unit, *(["mean rank", "points"] if figures is None else result_heads(figures))]
    if any(one.byes for one in standings):
        heads.insert(3, "sat out")
    rows = []
    for one in standings:
        row = [one.name, str(one.place), str(one.hanchan), *([str(one.byes or "")] if "sat out" in heads else [])]
        if one.name in known:
            row += result_cells(known[one.name])
        else:
            row += [f"{one.rank:.2f}", f"{one.points:+.1f}"] + ["-"] * (2 if known else 0)
        rows.append(row)
    return fitting(heads, rows, width)


def round_lines(number: int, played: PlayedRound) -> list[str]:
    """Describe a round: a line for each table, and the players that sat out."""
    lines = [
        f"round {number} table {at}: " + ", ".join(f"{one.name} {one.rank:.2f}" for one in table.players)
        for at, table in enumerate(played.tables, 1)
    ]
    return lines + ([f"round {number} sat out: {', '.join(played.byes)}"] if played.byes else [])
