"""Counting around the table.

A *player* is a fixed place at the table for the whole game, 0..3. A *seat* is a place of one kyoku: 0 東, who deals,
to 3 北. Both count in turn order, so the next seat is the next player.
"""

from collections.abc import Sequence
from typing import Final, TypeVar

SEATS: Final = 4
WINDS: Final = "東南西北"
"""The wind of each seat."""
NORTH_SEAT: Final = 3

Value = TypeVar("Value")


def after(seat: int, steps: int = 1) -> int:
    """The seat that is so many steps in turn order after `seat`; a negative number counts back."""
    return (seat + steps) % SEATS


def steps_from(seat: int, to: int) -> int:
    """How many steps in turn order lead from `seat` to the seat `to`, 0..3."""
    return (to - seat) % SEATS


def in_turn_order(seat: int) -> tuple[int, int, int]:
    """The other seats, the next one first (上家取り as seen from `seat`)."""
    return after(seat, 1), after(seat, 2), after(seat, 3)


def seat_of(player: int, dealer: int) -> int:
    """The seat of a player where `dealer` is the player who deals."""
    return (player - dealer) % SEATS


def player_of(seat: int, dealer: int) -> int:
    """The player in a seat where `dealer` is the player who deals."""
    return (dealer + seat) % SEATS


def by_seat(by_player: Sequence[Value], dealer: int) -> tuple[Value, ...]:
    """Values in the order of the players as values in the order of the seats."""
    return (*by_player[dealer:], *by_player[:dealer])


def by_player(by_seat: Sequence[Value], dealer: int) -> tuple[Value, ...]:
    """Values in the order of the seats as values in the order of the players."""
    return (*by_seat[-dealer:], *by_seat[:-dealer]) if dealer else tuple(by_seat)
