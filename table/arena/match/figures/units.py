"""The units in which results of mahjong are told elsewhere: rank points by a list, and stable dan.

A list gives every rank its points. In the ranking of tenhou.net the last of a hanchan loses 30 + 15 d points at d dan;
first and second gain 90 and 45 in the room `houou`, 75 and 30 in `tokujou`. The stable dan is the d at which a player
neither gains nor loses, so with n1, n2 and n4 firsts, seconds and lasts in `houou`

    stable dan = (6 n1 + 3 n2) / n4 - 2

Both are ratios over wall sets, like the mean rank, and have intervals of the same kind; for stable dan that is the
delta method.
"""

import math
import re
from collections.abc import Sequence

from jantaku.table.arena.match.figures.looks import Looks
from jantaku.table.arena.match.figures.statistics import Interval, interval
from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.pieces.seats import SEATS, THREE

ROOMS = {"houou": (90.0, 45.0, 0.0), "tokujou": (75.0, 30.0, 0.0)}
"""What the first three gain in a hanchan, by the room of tenhou.net."""
LISTS = {"mleague": (50.0, 10.0, -10.0, -30.0), "wrc": (15.0, 5.0, -5.0, -15.0)}
"""Lists by name, besides `houou-1` to `houou-10` and `tokujou-1` to `tokujou-10`, whose number is the dan."""
USUAL = "houou-7"
"""The list of most published results: 90, 45, 0, -135."""
NAMES = f"houou-DAN, tokujou-DAN (DAN is 1 to 10), {', '.join(LISTS)}, or the points of every rank, as in 90,45,0,-135"
_BASE, _PER_DAN = 30.0, 15.0
_IN_ROOM = re.compile(r"(houou|tokujou)-([1-9]|10)")
_LARGEST = 1e6


def rank_points(text: str) -> tuple[float, ...]:
    """Return the points of every rank by that list or name. BadInput if it is neither."""
    if text in LISTS:
        return LISTS[text]
    if (named := _IN_ROOM.fullmatch(text)) is not None:
        return (*ROOMS[named[1]], -(_BASE + _PER_DAN * int(named[2])))
    try:
        points = tuple(float(word) for word in text.split(","))
    except ValueError:
        points = ()
    if len(points) not in (THREE, SEATS) or not all(abs(one) <= _LARGEST for one in points):  # nan is not, either
        raise BadInput(f"rank points “{text[:40]}”: allowed are {NAMES}")
    return points


def check_length(text: str, seats: int) -> None:
    """Raise BadInput if the list does not have one number for each of `seats` ranks."""
    if len(points := rank_points(text)) != seats:
        raise BadInput(f"rank points {text}: {len(points)} numbers; a game of {seats} players needs {seats}")


def rank_pt(ranks: Sequence[Sequence[float]], points: Sequence[float], looks: Looks = Looks.ONCE) -> Interval:
    """Return the mean rank points of a player. `ranks`: by wall set, how often it came first, second, …"""
    return interval([_worth(one, points) for one in ranks], [math.fsum(one) for one in ranks], looks)


def stable_dan(ranks: Sequence[Sequence[float]], room: str = "houou", looks: Looks = Looks.ONCE) -> Interval | None:
    """Return the stable dan of a player in that room of tenhou.net; None if the player was never last, and for
    games of three, which have another ranking. `ranks` as in `rank_pt`."""
    if any(len(one) != SEATS for one in ranks) or not any(one[-1] for one in ranks):
        return None
    gains = [_worth(one, ROOMS[room]) / _PER_DAN for one in ranks]
    found = interval(gains, [one[-1] for one in ranks], looks)
    return Interval(found.mean - _BASE / _PER_DAN, found.half)


def _worth(ranks: Sequence[float], points: Sequence[float]) -> float:
    return math.fsum(count * worth for count, worth in zip(ranks, points, strict=False))
