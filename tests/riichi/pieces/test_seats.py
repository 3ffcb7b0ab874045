"""Counting around the table."""

from hypothesis import given
from hypothesis import strategies as st

from jantaku.table.riichi.pieces import seats

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


@given(st.sampled_from([seats.THREE, seats.SEATS]), PLACES, PLACES)
def test_at_the_side_where_another_seat_is_there_is_that_seat(size: int, seat: int, to: int) -> None:
    seat, to = seat % size, to % size
    assert seats.at_side(seat, seats.side_of(seat, to, size), size) == to
    order = seats.in_turn_order(seat, size)
    assert sorted({seat, *order}) == list(range(size)) and order[0] == seats.after(seat, 1, size)


def test_where_three_play_nobody_sits_opposite() -> None:
    assert [seats.side_of(0, other, seats.THREE) for other in (1, 2)] == [seats.NEXT, seats.BEFORE]
