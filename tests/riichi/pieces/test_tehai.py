"""A hand and a river: what they hold, what masks and marks say, and that what goes in can come out."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku.table.riichi.pieces.board import River
from jantaku.table.riichi.pieces.melds import MeldKind, ankan, chi, daiminkan, kakan, pon
from jantaku.table.riichi.pieces.tehai import Tehai, tehai_of
from jantaku.table.riichi.pieces.tiles import FIVES, KIND, KINDS, ORDER, RED_M, TILE, full_set, kinds_in, mask_of
from tests.kit.position import table, tiles

DECK = st.permutations(full_set(1, 1, 1))
HAND = DECK.map(lambda deck: deck[:14])


@given(st.tuples(*[st.integers(0, 4)] * 3).flatmap(lambda reds: st.permutations(full_set(*reds))))
def test_what_may_be_discarded_are_the_tiles_beside_the_one_just_drawn(deck: list[int]) -> None:
    hand = Tehai(deck[:13])
    assert hand.choices() == mask_of(deck[:13])
    hand.draw(deck[13])
    assert hand.choices() == mask_of(hand.tiles_before_draw)


def state(hand: Tehai) -> tuple[object, ...]:
    return hand.counts[:], hand.reds[:], hand.one, hand.two, hand.three, hand.four, hand.size, hand.drawn, hand.melds[:]


def check_masks(hand: Tehai) -> None:
    """The masks say what the counts say (S-07)."""
    for least, mask in enumerate((hand.one, hand.two, hand.three, hand.four), 1):
        assert mask == sum(1 << kind for kind in range(KINDS) if hand.counts[kind] >= least)
    assert hand.size == sum(hand.counts)
    assert all(hand.reds[suit] <= hand.counts[five] for suit, five in enumerate(FIVES))


@pytest.mark.long
@given(HAND, st.permutations(range(14)))
def test_removing_is_the_inverse_of_adding(held: list[int], order: list[int]) -> None:
    """S-07: after every step the masks agree with the counts, and at the end nothing is left."""
    hand = Tehai(())
    for tile in held:
        hand.add(tile)
        check_masks(hand)
    assert Counter(hand.tiles) == Counter(held)
    for index in order:
        before = state(hand)
        hand.remove(held[index])
        check_masks(hand)
        hand.add(held[index])
        assert state(hand) == before
        hand.remove(held[index])
    assert state(hand) == state(Tehai(()))


@given(HAND)
def test_tiles_are_sorted_by_suit_winds_and_dragons(held: list[int]) -> None:
    """S-08: a red five stands before the plain one."""
    assert Tehai(held).tiles == sorted(held, key=ORDER.__getitem__)


@given(HAND, st.sampled_from(full_set(1, 1, 1)))
def test_a_tile_that_is_not_held_cannot_leave(held: list[int], tile: int) -> None:
    """S-59: neither a tile of another hand nor a plain five for a red one; the hand stays as it was."""
    hand = Tehai(held)
    before = state(hand)
    assert hand.holds(tile) == (tile in held)
    assert hand.count_of(tile) == held.count(tile)
    if tile not in held:
        with pytest.raises(ValueError, match="not in the hand"):
            hand.remove(tile)
        assert state(hand) == before


@given(DECK)
def test_a_draw_and_its_tsumogiri_leave_the_hand_as_it_was(deck: list[int]) -> None:
    hand = Tehai(deck[:13])
    before = state(hand)
    hand.draw(deck[13])
    assert hand.drawn == deck[13]
    assert Counter(hand.tiles_before_draw) == Counter(deck[:13])
    hand.discard(deck[13])
    assert state(hand) == before


@given(HAND)
def test_a_copy_goes_its_own_way(held: list[int]) -> None:
    hand = Tehai(held)
    before = state(hand)
    hand.copy().discard(held[0])
    assert state(hand) == before


def test_a_meld_takes_its_tiles_out_of_the_concealed_part() -> None:
    """S-06, S-59: melds stand apart in the order in which they were made, and nothing brings their tiles back."""
    hand = Tehai(tiles("m340 p55 s111 z1111 z7"))
    made = [chi(TILE["m2"], TILE["m3"], TILE["m4"]), pon(TILE["p5"], 2, *tiles("p55")), ankan(*tiles("z1111"))]
    for meld in made:
        hand.meld(meld)
        check_masks(hand)
    assert hand.melds == made
    assert hand.tiles == tiles("m0 s111 z7")
    for name in ("m3", "p5", "z1"):
        with pytest.raises(ValueError, match="not in the hand"):
            hand.discard(TILE[name])


def test_a_pon_becomes_a_kakan_in_its_place() -> None:
    """S-06, S-56."""
    hand = Tehai(tiles("p55 m123 p5 z1"))
    first = pon(TILE["p5"], 1, *tiles("p55"))
    hand.meld(first)
    hand.meld(chi(TILE["m4"], *tiles("m23")))
    added = kakan(first, TILE["p5"])
    hand.meld(added)
    assert [meld.kind for meld in hand.melds] == [MeldKind.KAKAN, MeldKind.CHI]
    assert (added.source, added.called, added.tile_kind) == (1, TILE["p5"], TILE["p5"])
    with pytest.raises(ValueError, match="no pon"):
        hand.meld(kakan(pon(TILE["m1"], 1, *tiles("m11")), TILE["m1"]))


def test_a_meld_tells_its_kind_and_whom_it_came_from() -> None:
    """S-06: 下家 1, 対面 2, 上家 3; an ankan opens nothing."""
    melds = [
        (chi(TILE["m0"], *tiles("m46")), MeldKind.CHI, 3, TILE["m4"], False, True),
        (pon(TILE["z5"], 1, *tiles("z55")), MeldKind.PON, 1, TILE["z5"], False, True),
        (daiminkan(RED_M, 2, *tiles("m555")), MeldKind.DAIMINKAN, 2, TILE["m5"], True, True),
        (ankan(*tiles("m0555")), MeldKind.ANKAN, 0, TILE["m5"], True, False),
    ]
    for meld, kind, source, lowest, is_kan, is_open in melds:
        told = meld.kind, meld.source, meld.tile_kind, meld.is_kan, meld.is_open
        assert told == (kind, source, lowest, is_kan, is_open)
    assert tehai_of([], [melds[3][0]]).is_closed
    assert not tehai_of([], [melds[2][0], melds[3][0]]).is_closed


def test_a_hidden_hand_counts_its_tiles_only() -> None:
    hand = Tehai(None)
    hand.draw(None)
    assert (hand.size, hand.known, hand.tiles) == (14, False, [])
    hand.discard(TILE["m1"])
    hand.meld(pon(TILE["z5"], 1, *tiles("z55")))
    hand.discard(TILE["m1"])
    assert hand.size == 10
    assert [KIND[tile] for meld in hand.melds for tile in meld.tiles] == [TILE["z5"]] * 3


PINFU = "m234678s34588p34"


def test_called_tiles_stay_in_the_river_for_furiten_and_nagashi() -> None:
    """S-77, S-90."""
    river = River()
    for tile in tiles("m1 z1"):
        river.add(tile, tsumogiri=False, riichi=False)
    assert river.is_nagashi
    river.call_last(2)
    assert river.tiles == tiles("m1 z1")
    assert river.called_by == {1: 2}
    assert river.kinds == mask_of(tiles("m1 z1"))
    assert not river.is_nagashi


def test_a_river_of_terminals_with_one_other_tile_is_no_nagashi() -> None:
    """S-90."""
    river = River()
    river.add(TILE["m9"], tsumogiri=True, riichi=False)
    assert river.is_nagashi
    river.add(TILE["m8"], tsumogiri=True, riichi=False)
    assert not river.is_nagashi


def test_the_riichi_tile_lies_sideways_and_only_it() -> None:
    """S-41, S-72."""
    t = table([PINFU], draws="z7", hidden="p25").play("東z7_* . . . . .")
    assert t.board.rivers[0].sideways == [0]


def test_if_the_riichi_tile_is_called_the_next_discard_lies_sideways() -> None:
    """S-41, S-73: also when that one is called again, the one after it."""
    t = table([PINFU, "m1", "z77m1", "z66m1"], draws="z7 p9 z6 p9", hidden="p25")
    t.play("東z7_* 西z777= 西m1 . 東z6_")
    assert t.board.rivers[0].sideways == [0, 1]
    t = table([PINFU, "m1", "z77m1", "z66m1"], draws="z7 p9 z6 p9", hidden="p25")
    t.play("東z7_* 西z777= 西m1 . 東z6_ 北z666+ 北m1 東p9_")
    assert t.board.rivers[0].sideways == [0, 1, 2]
    assert t.board.rivers[0].called_by == {0: 2, 1: 3}


def test_the_kinds_of_a_mask_come_lowest_first() -> None:
    assert kinds_in(mask_of((33, 0, 7))) == [0, 7, 33]
    assert kinds_in(0) == []
