"""Formats of a match: which seatings are played on the walls of one set.

A seating names players by their index in the pool, for places 0 to 3; place 0 is the first dealer. All games of a
wall set have the same walls, so that luck of the draw affects every player alike.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from typing import Literal

from jantaku.table.ground.chance import Numbers
from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.pieces.seats import SEATS as SEATS

Format = Literal["seats", "1v3", "2v2", "round-robin", "gauntlet", "1v2"]
Seatings = Literal["rotated", "all", "one"]
Seating = tuple[int, ...]
Lineup = Sequence[int]

PAIRS: Mapping[str, Lineup] = {"1v3": (0, 1, 1, 1), "2v2": (0, 0, 1, 1), "1v2": (0, 1, 1)}
"""Formats of a challenger (the first player) against a champion (the second), with the players of a table."""


def alone(seats: int) -> Format:
    """Return the format in which one challenger sits among champions, at a table of `seats` seats."""
    return "1v3" if seats == SEATS else "1v2"


def even(seats: int) -> float:
    """Return the mean rank of a player among equal ones, at a table of `seats` seats."""
    return (1 + seats) / 2


def check_pool(form: Format, players: Sequence[str], seats: int = SEATS) -> None:
    """Raise BadInput if the format cannot be played by these players at a table of `seats` seats."""
    count, given = len(players), ", ".join(players) or "none"
    pairs = [name for name, lineup in PAIRS.items() if len(lineup) == seats]
    if form in PAIRS and form not in pairs:
        raise BadInput(f"format {form} seats {len(PAIRS[form])}; for {seats} players there is {' and '.join(pairs)}")
    if form in PAIRS and count != 2:
        raise BadInput(f"players: format {form} needs 2, challenger and champion; given are {count}: {given}")
    if form == "seats" and count != seats:
        are = "are the formats" if len(pairs) > 1 else "is the format"
        two = f"; for two there {are} {' and '.join(pairs)}" if count == 2 else ""
        raise BadInput(f"players: format seats needs {seats}; given are {count}: {given}{two}")
    if count < seats and form not in PAIRS:
        raise BadInput(f"players: format {form} needs a pool of {seats} or more; given are {count}: {given}")


def seatings_of(
    form: Format, players: int, choice: Seatings, seed: int | str, number: int, seats: int = SEATS
) -> list[Seating]:
    """Return the seatings of wall set `number` at a table of `seats` seats.

    `rotated` lets four different players sit in their 4 rotations, `all` in all 24 orders; three players in 3 and 6.
    1v3 and 2v2 always play all their 4 and 6 orders, 1v2 its 3. `one` has no pairing: a single seating, drawn anew for
    every set.
    """
    played = lineups(form, players, seats)
    if choice != "one":
        return [seating for lineup in played for seating in _arranged(lineup, every=choice == "all" or form in PAIRS)]
    numbers = Numbers(f"jantaku seating 1|{seed}|{number}")
    orders = _arranged(played[numbers.below(len(played))], every=True)
    return [orders[numbers.below(len(orders))]]


def set_size(form: Format, players: int, choice: Seatings, seats: int = SEATS) -> int:
    return len(seatings_of(form, players, choice, 0, 0, seats))


def lineups(form: Format, players: int, seats: int = SEATS) -> list[Lineup]:
    """Return the groups that meet at one table, as indices into a pool of `players` players."""
    if form in PAIRS:
        return [PAIRS[form]]
    if form == "gauntlet":
        return [(0, *others) for others in combinations(range(1, players), seats - 1)]
    return list(combinations(range(players), seats))


def _arranged(lineup: Lineup, *, every: bool) -> list[Seating]:
    rotations = ((*lineup[n:], *lineup[:n]) for n in range(len(lineup)))
    return sorted(set(permutations(lineup) if every else rotations))
