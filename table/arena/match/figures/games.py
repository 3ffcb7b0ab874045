"""A list of the games of a match, in constant memory."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from jantaku.table.arena.match.figures.summary import HanchanSummary

LISTED = 300
"""The first games are listed without condition up to this number."""


class PlayedGame(NamedTuple):
    """A game of a list: number, number of its set (None if the game has no sets), record, names and points from the
    best down (`came_to`; empty without a result), number of faults, and why it has no result."""

    number: int
    set: int | None
    record: Path
    came_to: Sequence[tuple[str, float]]
    faults: int
    reason: str = ""


class PlayedGames:
    """Keeps the first `LISTED` games, and after them the first `LISTED` that had a fault or have no result."""

    def __init__(self) -> None:
        self.total = 0
        self.shown: list[PlayedGame] = []

    def add(self, game: PlayedGame) -> None:
        """Add the next game."""
        told = game.faults or game.reason
        if self.total < LISTED or (told and len(self.shown) < 2 * LISTED):
            self.shown.append(game)
        self.total += 1

    def add_line(self, line: HanchanSummary, record: Path) -> None:
        """Add the next hanchan."""
        faults = sum(sum(faults.values()) for faults in line.faults)
        came_to = best_first(line.players, line.ranks, line.points)
        self.add(PlayedGame(line.game, line.set, record, came_to, faults, "" if line.ended else line.reason))


def best_first(players: Sequence[str], ranks: Sequence[float], points: Sequence[float]) -> Sequence[tuple[str, float]]:
    """Return names and points in the order of the ranks."""
    order = sorted(range(len(ranks)), key=lambda place: ranks[place])
    return [(players[place], points[place]) for place in order]
