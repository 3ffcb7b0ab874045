"""Prints a tournament: tables that fit the terminal."""

from collections.abc import Sequence

from rich.table import Table

from jantaku.table.arena.match.figures.statistics import Figures
from jantaku.table.arena.match.report.tables import NAME, places_in
from jantaku.table.arena.tournament.conduct import PlayedRound
from jantaku.table.arena.tournament.rounds import PlayerStanding, Rounds
from jantaku.table.ground.columns import fitting, shortened

LEADERS = 3
"""Number of players named in a progress line."""


def standings_table(standings: Sequence[PlayerStanding], figures: Figures | None, unit: str, width: int) -> list[Table]:
    """Make the table of the standings, with intervals if there are `figures`. `unit`: what a game is
    called. `width`: columns of the terminal."""
    known = {} if figures is None else {player.name: player for player in figures.players}
    heads = ["player", "place", unit, "mean rank", "points"]
    if figures is not None:
        heads += [f"{' '.join(places_in(figures))} %", "faults"]
    if any(one.byes for one in standings):
        heads.insert(3, "sat out")
    rows = []
    for one in standings:
        figure = known.get(one.name)
        row = [one.name, str(one.place), str(one.hanchan)]
        row += [str(one.byes or "")] if "sat out" in heads else []
        if figure is None:
            row += [f"{one.rank:.2f}", f"{one.points:+.1f}"] + ["-"] * (3 if known else 0)
        else:
            faults = ", ".join(f"{word} {count}" for word, count in figure.faults.items()) or "none"
            shares = " ".join(f"{share * 100:3.0f}" for share in figure.ranks)
            row += [figure.rank.cell(2), figure.points.cell(1, sign=True), shares, faults]
        rows.append(row)
    return fitting(heads, rows, width)


def leaders(rounds: Rounds) -> str:
    """Name the current round and the leaders in a line."""
    now = f"round {rounds.now} of {len(rounds.plan.tables)}"
    best = [f"{shortened(one.name, NAME)} {one.rank:.2f}" for one in rounds.standings()[:LEADERS] if one.hanchan]
    return ", ".join([now, *best])


def round_lines(number: int, played: PlayedRound) -> list[str]:
    """Describe a round: a line for each table, and the players that sat out."""
    lines = [
        f"round {number} table {at}: " + ", ".join(f"{one.name} {one.rank:.2f}" for one in table.players)
        for at, table in enumerate(played.tables, 1)
    ]
    return lines + ([f"round {number} sat out: {', '.join(played.byes)}"] if played.byes else [])
