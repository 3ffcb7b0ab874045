"""The units in which results of mahjong are told elsewhere: rank points by a list, and stable dan.

A list gives every rank its points. In the ranking of tenhou.net the last of a hanchan loses 30 + 15 d points at d dan;
first and second gain 90 and 45 in the room `houou`, 75 and 30 in `tokujou`. The stable dan is the d at which a player
neither gains nor loses, so with n1, n2 and n4 firsts, seconds and lasts in `houou`

    stable dan = (6 n1 + 3 n2) / n4 - 2

Both are ratios over wall sets, like the mean rank, and have intervals of the same kind; for stable dan that is the
delta method.
"""

import math
from collections.abc import Sequence

from jantaku.table.arena.match.figures.looks import Looks
from jantaku.table.arena.match.figures.statistics import Interval, interval
from jantaku.table.arena.match.ranklists import BASE, PER_DAN, ROOMS
from jantaku.table.riichi.pieces.seats import SEATS


def rank_pt(ranks: Sequence[Sequence[float]], points: Sequence[float], looks: Looks = Looks.ONCE) -> Interval:
    """Return the mean rank points of a player. `ranks`: by wall set, how often it came first, second, …"""
    return interval([_worth(one, points) for one in ranks], [math.fsum(one) for one in ranks], looks)


def stable_dan(ranks: Sequence[Sequence[float]], room: str = "houou", looks: Looks = Looks.ONCE) -> Interval | None:
    """Return the stable dan of a player in that room of tenhou.net; None if the player was never last, and for
    games of three, which have another ranking. `ranks` as in `rank_pt`."""
    if any(len(one) != SEATS for one in ranks) or not any(one[-1] for one in ranks):
        return None
    gains = [_worth(one, ROOMS[room]) / PER_DAN for one in ranks]
    found = interval(gains, [one[-1] for one in ranks], looks)
    return Interval(found.mean - BASE / PER_DAN, found.half)


def _worth(ranks: Sequence[float], points: Sequence[float]) -> float:
    return math.fsum(count * worth for count, worth in zip(ranks, points, strict=False))
