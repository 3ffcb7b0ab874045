"""Arithmetic with seats around the table.

A *player* is a fixed place at the table for the whole game, from 0. A *seat* is a place in one kyoku: 0 東, the dealer,
to 3 北, or to 2 西 in a three-player game. Both count in turn order, so the next seat is the next player.

A *side* is the position of another seat relative to one: 1 下家, 2 対面, 3 上家. In a three-player game there is no
対面.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

SEATS: Final = 4
"""Seats of a table by default."""
THREE: Final = 3
"""Seats of a three-player table."""
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
    """The seat that is `steps` after `seat` in turn order; a negative number counts back."""
    return (seat + steps) % seats


def side_of(seat: int, other: int, seats: int = SEATS) -> int:
    steps = (other - seat) % seats
    return BEFORE if steps == seats - 1 else steps


def at_side(seat: int, side: int, seats: int = SEATS) -> int:
    return (seat - 1 if side == BEFORE else seat + side) % seats


def in_turn_order(seat: int, seats: int = SEATS) -> tuple[int, ...]:
    """The other seats, the next one first: the order in which claims on a tile of `seat` have priority."""
    return _IN_TURN_ORDER[seats][seat]


def seat_of(player: int, dealer: int, seats: int = SEATS) -> int:
    return (player - dealer) % seats


def player_of(seat: int, dealer: int, seats: int = SEATS) -> int:
    return (dealer + seat) % seats


def by_seat(by_player: Sequence[Value], dealer: int) -> tuple[Value, ...]:
    return (*by_player[dealer:], *by_player[:dealer])


def by_player(by_seat: Sequence[Value], dealer: int) -> tuple[Value, ...]:
    return (*by_seat[-dealer:], *by_seat[:-dealer]) if dealer else tuple(by_seat)
