"""Formats of a match: the seatings that are played on the walls of one set.

A seating names the pool's players (by index) in places 0..3; place 0 is the first dealer. All games of a wall set have
the same walls, so that luck of the draw affects every player alike.
"""

from collections.abc import Sequence
from itertools import combinations, permutations
from typing import Literal

from table.chance import Numbers
from table.errors import BadInput

Format = Literal["seats", "1v3", "2v2", "round-robin", "gauntlet"]
Seatings = Literal["rotated", "all", "one"]
Seating = tuple[int, int, int, int]
Lineup = Sequence[int]

PAIRS = ("1v3", "2v2")
"""Formats of a challenger (first player) against a champion (second player)."""
SEATS = 4


def check_pool(form: Format, players: Sequence[str]) -> None:
    """Raise BadInput if the format cannot be played by so many players."""
    count, given = len(players), ", ".join(players) or "none"
    if form in PAIRS and count != 2:
        raise BadInput(f"players: format {form} needs 2, challenger and champion; given are {count}: {given}")
    if form == "seats" and count != SEATS:
        two = "; for two there are the formats 1v3 and 2v2" if count == 2 else ""
        raise BadInput(f"players: format seats needs {SEATS}; given are {count}: {given}{two}")
    if count < SEATS and form not in PAIRS:
        raise BadInput(f"players: format {form} needs a pool of {SEATS} or more; given are {count}: {given}")


def seatings_of(form: Format, players: int, choice: Seatings, seed: int | str, number: int) -> list[Seating]:
    """The seatings of wall set `number`.

    `rotated` lets four different players sit in four rotations, `all` in all 24 orders. 1v3 and 2v2 always play all
    their 4 and 6. `one` is without pairing: a single seating, drawn anew for every set.
    """
    played = lineups(form, players)
    if choice != "one":
        return [seating for lineup in played for seating in _arranged(lineup, every=choice == "all" or form in PAIRS)]
    numbers = Numbers(f"jantaku seating 1|{seed}|{number}")
    orders = _arranged(played[numbers.below(len(played))], every=True)
    return [orders[numbers.below(len(orders))]]


def set_size(form: Format, players: int, choice: Seatings) -> int:
    """Games of one set."""
    return len(seatings_of(form, players, choice, 0, 0))


def lineups(form: Format, players: int) -> list[Lineup]:
    """The groups of four that meet at one table, by their places in a pool of that size."""
    match form:
        case "1v3":
            return [(0, 1, 1, 1)]
        case "2v2":
            return [(0, 0, 1, 1)]
        case "gauntlet":
            return [(0, *others) for others in combinations(range(1, players), 3)]
        case _:
            return list(combinations(range(players), SEATS))


def _arranged(lineup: Lineup, *, every: bool) -> list[Seating]:
    orders = set(permutations(lineup)) if every else {(*lineup[n:], *lineup[:n]) for n in range(SEATS)}
    return [(a, b, c, d) for a, b, c, d in sorted(orders)]
