"""What the first page and programs learn of riichi rooms: seats, states, and results. All of it is public."""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from jantaku.table.play.outcome import Outcome

LISTED = 200
"""Most rooms in a list; beyond that it gives only their number."""
KEPT = 30
"""Finished games that are kept, with what is to be seen of them."""
NAMED = 500
"""Most names in the standings; beyond that the name that has not played for longest goes."""
RANKED = 50
"""Rows of the standings that are shown."""


class RoomState(StrEnum):
    """Whether a room takes players."""

    OPEN = "open"
    """It waits for players."""
    PLAYING = "playing"
    ENDED = "ended"
    """Its game is over, and no other one follows."""


class Sitter(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat: a client's, a bot's (`bot`), or free, with the name that it is reserved for. `away`: the client's
    connection is broken."""

    name: str = ""
    free: bool = False
    bot: bool = False
    away: bool = False


class RoomNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One room. `seats` are in the order of the plan, not of winds. `games` were begun here. `locked`: players need a
    token. `host` came first and may begin with bots."""

    room: str
    state: RoomState
    seats: tuple[Sitter, ...]
    title: str = ""
    games: int = 0
    locked: bool = False
    host: str = ""


class Placing(msgspec.Struct, frozen=True, omit_defaults=True):
    name: str
    score: int
    points: float
    faults: int = 0


class EndedGame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A finished game, its players best first. `reason`: why it does not count. /record/NUMBER shows it."""

    number: int
    room: str
    players: tuple[Placing, ...]
    reason: str = ""


class RankingRow(msgspec.Struct, frozen=True):
    """A row of the standings of a server: games that count, first places, mean rank, and total points."""

    name: str
    games: int
    first: int
    rank: float
    points: float


class Listing(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that is public. `more` counts the rooms that are not listed. `opens`: a visitor may open a room under any
    name. `bots`: a host may fill seats with these."""

    rooms: tuple[RoomNotice, ...]
    more: int = 0
    opens: bool = False
    ended: tuple[EndedGame, ...] = ()
    standings: tuple[RankingRow, ...] = ()
    bots: tuple[str, ...] = ()


_FIRST = (RoomState.OPEN, RoomState.PLAYING, RoomState.ENDED)


def in_order(notices: Sequence[RoomNotice]) -> tuple[RoomNotice, ...]:
    """Return the rooms to list; if there are too many, waiting ones come first."""
    if len(notices) <= LISTED:
        return tuple(notices)
    return tuple(sorted(notices, key=lambda notice: _FIRST.index(notice.state))[:LISTED])


def ended_game(room: str, outcome: Outcome) -> EndedGame:
    order = sorted(range(len(outcome.names)), key=lambda n: outcome.ranks[n] if outcome.ranks else n)
    places = (
        Placing(outcome.names[n], outcome.scores[n], outcome.points[n], sum(outcome.faults[n].values())) for n in order
    )
    why = "" if outcome.ranks else outcome.broken_off
    return EndedGame(outcome.game, room, tuple(places) if outcome.ranks else (), why)


class Rankings:
    """The standings, updated game by game. Call from one thread at a time."""

    def __init__(self) -> None:
        self._rows: dict[str, tuple[int, int, int, float]] = {}
        """By name: games, first places, sum of ranks, sum of points. The name that played last is last."""

    def add(self, outcome: Outcome) -> None:
        """Count a game; one that was stopped or is void does not count."""
        for name, rank, points in zip(outcome.names, outcome.ranks, outcome.points, strict=False):
            games, first, ranks, total = self._rows.pop(name, (0, 0, 0, 0.0))
            self._rows[name] = (games + 1, first + (rank == 1), ranks + rank, total + points)
        while len(self._rows) > NAMED:
            del self._rows[next(iter(self._rows))]

    @property
    def standings(self) -> tuple[RankingRow, ...]:
        """The rows: the best mean rank first, of equal ones the most points."""
        rows = [
            RankingRow(name, games, first, round(ranks / games, 2), round(points, 1))
            for name, (games, first, ranks, points) in self._rows.items()
        ]
        return tuple(sorted(rows, key=lambda row: (row.rank, -row.points, row.name))[:RANKED])
