"""Counting around the table."""

from hypothesis import given
from hypothesis import strategies as st

from table.riichi.pieces import seats

PLACES = st.integers(0, seats.SEATS - 1)


@given(PLACES, PLACES)
def test_the_seat_of_the_player_in_a_seat_is_that_seat(seat: int, dealer: int) -> None:
    assert seats.seat_of(seats.player_of(seat, dealer), dealer) == seat
    assert seats.player_of(0, dealer) == dealer


@given(st.permutations(range(seats.SEATS)), PLACES)
def test_values_by_seat_and_by_player_are_each_others_inverse(values: list[int], dealer: int) -> None:
    by_seat = seats.by_seat(values, dealer)
    assert by_seat[0] == values[dealer]
    assert seats.by_player(by_seat, dealer) == tuple(values)


@given(PLACES, PLACES)
def test_so_many_steps_after_a_seat_is_the_seat_that_they_lead_to(seat: int, to: int) -> None:
    assert seats.after(seat, seats.steps_from(seat, to)) == to
    assert sorted({seat, *seats.in_turn_order(seat)}) == [0, 1, 2, 3] and seats.in_turn_order(seat)[0] == seats.after(
        seat
    )
