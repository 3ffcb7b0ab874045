"""What pages tell of rooms: where a seat is free, and the standings of a series (成績表). All of it is public."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

import msgspec

from jantaku.table.daifugo.events import RoundEnd

RANKS = (2, 1, 0, -1, -2)
"""From 大富豪 to 大貧民."""
TOURNAMENT = (*(f"A-{n:02}" for n in range(1, 11)), *(f"B-{n:02}" for n in range(1, 6)))
"""The rooms of neof5's tournament, listed even while they are empty; the first letter is the class."""


class RoomState(StrEnum):
    FREE = "free"
    """It is empty (空き)."""
    OPEN = "open"
    """It waits for more players (受付中)."""
    PLAYING = "playing"
    """A series is in progress (プレイ中)."""
    OVER = "over"
    """A series is over; its players may start the next one (終了)."""


class Standing(msgspec.Struct, frozen=True):
    """A row of the standings: points of the series and of its last round, and how often the player reached each of
    `RANKS`."""

    name: str
    total: int
    last: int
    times: tuple[int, ...]


class RoomNotice(msgspec.Struct, frozen=True, omit_defaults=True):
    """One room. `players` are the names shown, by seat; `seats` is the number of seats. Series and rounds count from
    1."""

    room: str
    letter: str
    state: RoomState
    players: tuple[str, ...] = ()
    seats: int = 0
    series: int = 0
    round: int = 0
    rounds: int = 0
    kaidan: str = ""
    """Class B only: which kaidan beats another one, as in the rule `kaidan.length`."""
    standings: tuple[Standing, ...] = ()


def free(room: str) -> RoomNotice:
    """Make the notice of a room that does not exist yet. Its class is open, except in the tournament's rooms."""
    return RoomNotice(room, room[0] if room in TOURNAMENT else "", RoomState.FREE)


def standings_of(names: Sequence[str], rounds: Sequence[RoundEnd]) -> tuple[Standing, ...]:
    """Return the standings after these rounds, by seat; empty before the first."""
    if not rounds:
        return ()
    rows = []
    for seat, name in enumerate(names):
        reached = Counter(one.ranks[seat] for one in rounds)
        points = [one.points[seat] for one in rounds]
        rows.append(Standing(name, sum(points), points[-1], tuple(reached[rank] for rank in RANKS)))
    return tuple(rows)
