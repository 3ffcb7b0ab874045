"""Counting around the table.

A *player* is a fixed place at the table for the whole game, from 0. A *seat* is a place of one kyoku: 0 東, who deals,
to 3 北, or to 2 西 where three play. Both count in turn order, so the next seat is the next player.

A *side* is where another seat is as seen from one: 1 下家, 2 対面, 3 上家. Where three play nobody sits opposite.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

SEATS: Final = 4
"""Of a table, where nothing else is said."""
THREE: Final = 3
"""Where three play."""
WINDS: Final = "東南西北"
"""The wind of each seat."""
NEXT, OPPOSITE, BEFORE = 1, 2, 3
"""The sides."""

_IN_TURN_ORDER: Final = {
    seats: tuple(tuple((seat + step) % seats for step in range(1, seats)) for seat in range(seats))
    for seats in (THREE, SEATS)
}

Value = TypeVar("Value")


def after(seat: int, steps: int = 1, seats: int = SEATS) -> int:
    """The seat that is so many steps in turn order after `seat`; a negative number counts back."""
    return (seat + steps) % seats


def side_of(seat: int, other: int, seats: int = SEATS) -> int:
    """At which side of `seat` another one is."""
    steps = (other - seat) % seats
    return BEFORE if steps == seats - 1 else steps


def at_side(seat: int, side: int, seats: int = SEATS) -> int:
    """The seat that is at this side of `seat`."""
    return (seat - 1 if side == BEFORE else seat + side) % seats


def in_turn_order(seat: int, seats: int = SEATS) -> tuple[int, ...]:
    """The other seats, the next one first (上家取り as seen from `seat`)."""
    return _IN_TURN_ORDER[seats][seat]


def seat_of(player: int, dealer: int, seats: int = SEATS) -> int:
    """The seat of a player where `dealer` is the player who deals."""
    return (player - dealer) % seats


def player_of(seat: int, dealer: int, seats: int = SEATS) -> int:
    """The player in a seat where `dealer` is the player who deals."""
    return (dealer + seat) % seats


def by_seat(by_player: Sequence[Value], dealer: int) -> tuple[Value, ...]:
    """Values in the order of the players as values in the order of the seats."""
    return (*by_player[dealer:], *by_player[:dealer])


def by_player(by_seat: Sequence[Value], dealer: int) -> tuple[Value, ...]:
    """Values in the order of the seats as values in the order of the players."""
    return (*by_seat[-dealer:], *by_seat[:-dealer]) if dealer else tuple(by_seat)
