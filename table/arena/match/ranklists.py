"""Lists of rank points, by name or as numbers: what every rank is worth where results of mahjong are told elsewhere."""

import re

from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.pieces.seats import SEATS, THREE

ROOMS = {"houou": (90.0, 45.0, 0.0), "tokujou": (75.0, 30.0, 0.0)}
"""What the first three gain in a hanchan, by the room of tenhou.net."""
LISTS = {"mleague": (50.0, 10.0, -10.0, -30.0), "wrc": (15.0, 5.0, -5.0, -15.0)}
"""Lists by name, besides `houou-1` to `houou-10` and `tokujou-1` to `tokujou-10`, whose number is the dan."""
USUAL = "houou-7"
"""The list of most published results: 90, 45, 0, -135."""
NAMES = f"houou-DAN, tokujou-DAN (DAN is 1 to 10), {', '.join(LISTS)}, or the points of every rank, as in 90,45,0,-135"
BASE, PER_DAN = 30.0, 15.0
_IN_ROOM = re.compile(r"(houou|tokujou)-([1-9]|10)")
_LARGEST = 1e6


def rank_points(text: str) -> tuple[float, ...]:
    """Return the points of every rank by that list or name. BadInput if it is neither."""
    if text in LISTS:
        return LISTS[text]
    if (named := _IN_ROOM.fullmatch(text)) is not None:
        return (*ROOMS[named[1]], -(BASE + PER_DAN * int(named[2])))
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
