"""What the first page and programs are told of riichi rooms: who sits where, how games ended. All of it is public."""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from jantaku.table.play.outcome import Outcome

LISTED = 200
"""Rooms in a list; of more it says how many there are."""
KEPT = 30
"""Games that are over, with what is to be seen of them."""
NAMED = 500
"""Names in the standings; who has not played for longest is left out for another."""
RANKED = 50
"""Rows of the standings that are shown."""


class RoomState(StrEnum):
    """Who may sit down in a room."""

    OPEN = "open"
    """It waits for players."""
    PLAYING = "playing"
    ENDED = "ended"
    """Its game is over, and there is no other one."""


class Sitter(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat: a client's, a bot's (`bot`), or free; `name` is then whom it is kept for. `away`: the client's connection
    is broken."""

    name: str = ""
    free: bool = False
    bot: bool = False
    away: bool = False


class RoomNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One room. `seats` as they are planned, not in the order of winds; `games` that were begun here; `locked`: a token
    is wanted of players; `host`: who came first, and may begin with bots."""

    room: str
    state: RoomState
    seats: tuple[Sitter, ...]
    title: str = ""
    games: int = 0
    locked: bool = False
    host: str = ""


class Placing(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a player ended."""

    name: str
    score: int
    points: float
    faults: int = 0


class EndedGame(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game that is over, its players best first; `reason`: why it does not count. What was to be seen of it is at
    /record/NUMBER."""

    number: int
    room: str
    players: tuple[Placing, ...]
    reason: str = ""


class RankingRow(msgspec.Struct, frozen=True):
    """A row of the standings of a server: its games that count, first places, mean rank, and points of them all."""

    name: str
    games: int
    first: int
    rank: float
    points: float


class Listing(msgspec.Struct, frozen=True, omit_defaults=True):
    """All of it. `more` rooms are not listed; `opens`: a visitor may open a room of any name; `bots`: with which a host
    may fill free seats."""

    rooms: tuple[RoomNotice, ...]
    more: int = 0
    opens: bool = False
    ended: tuple[EndedGame, ...] = ()
    standings: tuple[RankingRow, ...] = ()
    bots: tuple[str, ...] = ()


_FIRST = (RoomState.OPEN, RoomState.PLAYING, RoomState.ENDED)


def in_order(notices: Sequence[RoomNotice]) -> tuple[RoomNotice, ...]:
    """As many as are listed; of too many those that wait for players first."""
    if len(notices) <= LISTED:
        return tuple(notices)
    return tuple(sorted(notices, key=lambda notice: _FIRST.index(notice.state))[:LISTED])


def ended_game(room: str, outcome: Outcome) -> EndedGame:
    """How a game ended."""
    order = sorted(range(len(outcome.names)), key=lambda n: outcome.ranks[n] if outcome.ranks else n)
    places = (
        Placing(outcome.names[n], outcome.scores[n], outcome.points[n], sum(outcome.faults[n].values())) for n in order
    )
    why = "" if outcome.ranks else outcome.broken_off
    return EndedGame(outcome.game, room, tuple(places) if outcome.ranks else (), why)


class Rankings:
    """The standings as they grow. For one thread at a time."""

    def __init__(self) -> None:
        self._rows: dict[str, tuple[int, int, int, float]] = {}
        """By name the games, first places, the sum of ranks and that of points; who played last is last."""

    def add(self, outcome: Outcome) -> None:
        """Count a game; one that was stopped or is void counts for nobody."""
        for name, rank, points in zip(outcome.names, outcome.ranks, outcome.points, strict=False):
            games, first, ranks, total = self._rows.pop(name, (0, 0, 0, 0.0))
            self._rows[name] = (games + 1, first + (rank == 1), ranks + rank, total + points)
        while len(self._rows) > NAMED:
            del self._rows[next(iter(self._rows))]

    @property
    def standings(self) -> tuple[RankingRow, ...]:
        """The best mean rank first, then the most points."""
        rows = [
            RankingRow(name, games, first, round(ranks / games, 2), round(points, 1))
            for name, (games, first, ranks, points) in self._rows.items()
        ]
        return tuple(sorted(rows, key=lambda row: (row.rank, -row.points, row.name))[:RANKED])
