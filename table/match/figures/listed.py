"""A list of the games of a match, in constant memory."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from jantaku.table.match.figures.summary import HanchanSummary

LISTED = 300
"""Most games that are listed whatever they came to."""


class PlayedGame(NamedTuple):
    """A game of a list: its number, the number of its set (None where there are none), its record, what it came to
    (names and points, the best first; empty without a result), its faults, and why it has no result."""

    number: int
    set: int | None
    record: Path
    came_to: Sequence[tuple[str, float]]
    faults: int
    reason: str = ""


class PlayedGames:
    """The first games of all, and of the others the first that had a fault or have no result."""

    def __init__(self) -> None:
        self.total = 0
        self.shown: list[PlayedGame] = []

    def add(self, game: PlayedGame) -> None:
        """The next game."""
        told = game.faults or game.reason
        if self.total < LISTED or (told and len(self.shown) < 2 * LISTED):
            self.shown.append(game)
        self.total += 1

    def add_line(self, line: HanchanSummary, record: Path) -> None:
        """The next hanchan."""
        faults = sum(sum(faults.values()) for faults in line.faults)
        came_to = best_first(line.players, line.ranks, line.points)
        self.add(PlayedGame(line.game, line.set, record, came_to, faults, "" if line.ended else line.reason))


def best_first(players: Sequence[str], ranks: Sequence[float], points: Sequence[float]) -> Sequence[tuple[str, float]]:
    """Names and points in the order of the ranks."""
    order = sorted(range(len(ranks)), key=lambda place: ranks[place])
    return [(players[place], points[place]) for place in order]
