"""Majiang notation: what is written is read back as the same, and what is no tile or meld is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.pieces import seats
from jantaku.table.riichi.pieces.melds import Meld, ankan, chi, daiminkan, kakan, meld_text, pon
from jantaku.table.riichi.pieces.notation import hand_text, parse_meld, parse_tile, parse_tiles
from jantaku.table.riichi.pieces.tiles import EAST, FIVES, NAMES, RED_M, TILE, TILES, full_set, sort_tiles, tiles_text
from tests.kit.cases import cases, kept_cases


@st.composite
def melds(draw: st.DrawFn) -> Meld:
    """Any meld of any of the five kinds, red fives included."""
    shape = draw(st.sampled_from(("chi", "pon", "daiminkan", "ankan", "kakan")))
    if shape == "chi":
        low = draw(st.integers(0, 2)) * 9 + draw(st.integers(0, 6))
        run = [_maybe_red(draw, low + step) for step in draw(st.permutations((0, 1, 2)))]
        return chi(*run)
    kind = draw(st.integers(0, 33))
    tiles = [kind, kind, kind, kind]
    if kind in FIVES:
        tiles[: draw(st.integers(0, 4))] = [RED_M + kind // 9] * draw(st.integers(0, 4))
        tiles = [*tiles, kind, kind, kind, kind][:4]
    first, second, third, fourth = draw(st.permutations(tiles))
    source = draw(st.integers(1, 3))
    if shape == "pon":
        return pon(first, source, second, third)
    if shape == "daiminkan":
        return daiminkan(first, source, second, third, fourth)
    return ankan(first, second, third, fourth) if shape == "ankan" else kakan(pon(first, source, second, third), fourth)


def _maybe_red(draw: st.DrawFn, kind: int) -> int:
    return RED_M + kind // 9 if kind in FIVES and draw(st.booleans()) else kind


@given(melds())
def test_a_meld_reads_back_as_it_was_written(meld: Meld) -> None:
    """S-06: kind, own tiles, called tile, source and added tile."""
    assert parse_meld(meld_text(meld)) == meld


@given(st.permutations(full_set(1, 1, 1)), st.integers(0, 14))
def test_a_hand_reads_back_as_it_was_written(deck: list[int], size: int) -> None:
    held = deck[:size]
    assert parse_tiles(hand_text(held)) == sort_tiles(held)
    assert parse_tiles(tiles_text(held)) == held


def test_every_tile_reads_back() -> None:
    """S-01: Majiang's names stand for the Unicode tiles; 白發中 are z5, z6, z7."""
    assert [parse_tile(name) for name in NAMES] == list(range(TILES))
    assert NAMES[EAST] == "z1" and NAMES[EAST + 6] == "z7"


@cases(
    "written, normal",
    ("p055=", "p505="),
    ("s0555", "s5550"),
    ("p0555=", "p5505="),
    ("m460-", "m40-6"),
    ("m0550-", "m5500-"),
)
def test_a_meld_has_one_normal_form(written: str, normal: str) -> None:
    assert meld_text(parse_meld(written)) == normal


@kept_cases("text")
def test_what_is_no_meld_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"not a (meld|tile)"):
        parse_meld(text)


@pytest.mark.parametrize("text", ["m", "z8", "z0", "m10", "M1", "m1_", ""])
def test_what_is_no_tile_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="not a tile"):
        parse_tile(text)


def test_what_is_no_hand_is_refused() -> None:
    for text in ("m12x3", "1m2m", "m12 p3", "m12,"):
        with pytest.raises(BadInput, match="not a hand"):
            parse_tiles(text)


def test_a_hand_shows_the_winning_tile_last_and_its_melds_after_commas() -> None:
    """S-81: as a winner's hand is opened."""
    called = [parse_meld("z555="), parse_meld("m1111")]
    text = hand_text(parse_tiles("s0p12m5"), called, last=TILE["m5"], riichi=True)
    assert text == "m5p12s0m5*,z555=,m1111"


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
