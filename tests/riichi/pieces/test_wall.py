"""The wall, from the shuffle to the tiles that stand at the end. A place is wall x 34 + stack x 2 + level."""

import hashlib
from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku.table.ground.errors import BadInput
from jantaku.table.riichi.pieces.tiles import (
    EAST,
    FIVES,
    GREEN,
    NORTH,
    RED,
    RED_M,
    RED_P,
    TILE,
    WHITE,
    dora_of,
    full_set,
)
from jantaku.table.riichi.pieces.wall import Shuffle, Wall, leaving_order, seat_draw, shuffle
from tests.kit.cases import cases
from tests.kit.position import rules_of, stack, table

NO_REDS = full_set(0, 0, 0)
ALL_DICE = list(product(range(1, 7), repeat=2))


def numbered(dice: tuple[int, int]) -> Wall:
    """A wall in which every tile is the number of its place."""
    return Wall.of(Shuffle(tuple(range(136)), dice))


def place(wall: int, stack_from_right: int, level: int) -> int:
    return wall * 34 + stack_from_right * 2 + level


def test_the_set_has_four_of_each_kind() -> None:
    """S-01, S-02: 34 kinds, winds in the order 東南西北; red fives only where the rules ask for them."""
    assert Counter(NO_REDS) == dict.fromkeys(range(34), 4)
    assert (EAST, NORTH, WHITE, RED) == (27, 30, 31, 33)
    assert Counter(full_set(1, 2, 0))[RED_M] == 1
    assert Counter(full_set(1, 2, 0))[RED_P] == 2
    assert Counter(full_set(1, 2, 0))[FIVES[1]] == 2
    assert len(full_set(4, 4, 4)) == 136


def test_the_wall_of_a_seed_never_changes() -> None:
    """S-98: the shuffle is ours, so that records replay on any Python; a change of it shows here."""
    mixed = shuffle(full_set(1, 1, 1), "1", 0, 0, 0, 0)
    assert mixed.dice == (2, 2)
    assert mixed.tiles[:7] == tuple(TILE[name] for name in ("s1", "m7", "z7", "s2", "m3", "m0", "p8"))
    assert hashlib.sha256(bytes(mixed.tiles)).hexdigest()[:16] == "44ca7e95d545938d"
    wall = Wall.of(mixed)
    assert wall.hands[0] == tuple(
        TILE[name] for name in ("p3", "p5", "z7", "s1", "z3", "p2", "p1", "z3", "m4", "m3", "m8", "m1", "s9")
    )
    assert [wall.draw(0) for _ in range(4)] == [TILE[name] for name in ("m2", "s5", "s3", "z4")]
    assert wall.indicator(0) == TILE["s8"]


@cases("other", ("2", 0, 0, 0, 0), ("1", 1, 0, 0, 0), ("1", 0, 1, 0, 0), ("1", 0, 0, 1, 0), ("1", 0, 0, 0, 1))
def test_every_kyoku_has_a_wall_of_its_own(other: tuple[str, int, int, int, int]) -> None:
    """S-98: seed, game, round, kyoku and honba each make another wall of the same tiles."""
    first, second = shuffle(NO_REDS, "1", 0, 0, 0, 0), shuffle(NO_REDS, *other)
    assert first.tiles != second.tiles
    assert sorted(first.tiles) == sorted(second.tiles)


def test_dice_and_walls_favour_nothing() -> None:
    """S-03: over many kyoku every throw and every first tile is about equally frequent."""
    mixed = [shuffle(NO_REDS, "fair", game, 0, 0, 0) for game in range(1800)]
    throws = Counter(one.dice for one in mixed)
    assert set(throws) == set(ALL_DICE)
    assert max(throws.values()) < 2 * 1800 / 36 and min(throws.values()) > 0.4 * 1800 / 36
    assert set(Counter(one.tiles[0] for one in mixed)) == set(range(34))


def test_the_drawer_of_east_stays_and_the_others_move_to_his_right() -> None:
    """S-10, S-11, S-12: over many draws every player becomes the first dealer, and every order occurs."""
    dealers, orders = Counter[int](), set()
    for game in range(600):
        first, order = seat_draw("seats", game)
        assert sorted(order) == [0, 1, 2, 3]
        assert order[first] == first  # who drew 東 sits where he sat
        dealers[first] += 1
        orders.add((first, order))
    assert min(dealers.values()) > 100
    assert len(orders) == 24
    assert seat_draw("1", 0) == (0, (0, 3, 2, 1))
    assert seat_draw("1", 1) == (2, (3, 0, 2, 1))


@pytest.mark.parametrize("dice", ALL_DICE)
def test_the_wall_is_broken_before_the_seat_that_the_dice_name(dice: tuple[int, int]) -> None:
    """S-21, S-22, S-23: sum 5 and 9 are the own wall; the live wall begins left of the break."""
    total = sum(dice)
    owner = {1: 0, 2: 1, 3: 2, 0: 3}[total % 4]
    order = leaving_order(dice)
    assert sorted(order) == list(range(136))
    assert order[:2] == (place(owner, total, 0), place(owner, total, 1))
    last_of_wall = (17 - total) * 2
    assert order[last_of_wall] == place((owner - 1) % 4, 0, 0)  # around the corner, clockwise
    assert order[-2:] == (place(owner, total - 1, 0), place(owner, total - 1, 1))


def test_the_dead_wall_may_go_around_the_corner() -> None:
    """S-23: broken at two stacks, five of the seven stacks stand in the wall to the right (counter-clockwise)."""
    dead = leaving_order((1, 1))[-14:]
    assert [tile // 34 for tile in dead] == [2] * 10 + [1] * 4


def test_the_deal_is_three_rounds_of_four_then_one_each() -> None:
    """S-27: 東 takes the 1st and the 5th of the last round (チョンチョン), so the 5th is his first draw."""
    order = leaving_order((3, 4))
    wall = numbered((3, 4))
    for seat in range(4):
        blocks = [order[turn * 16 + seat * 4 : turn * 16 + seat * 4 + 4] for turn in range(3)]
        assert list(wall.hands[seat]) == [*blocks[0], *blocks[1], *blocks[2], order[48 + seat]]
    assert wall.draw(0) == order[52]


@pytest.mark.parametrize("dice", [(1, 1), (2, 6), (6, 6)])
def test_indicators_and_rinshan_tiles_stand_in_the_dead_wall(dice: tuple[int, int]) -> None:
    """S-25, S-26, S-55, S-80: rinshan are the two stacks at the break, indicators the upper tiles from the third on."""
    total, owner = sum(dice), (sum(dice) - 1) % 4

    def from_the_left(number: int, level: int) -> int:
        stack_from_right = total - number
        wall = owner if stack_from_right >= 0 else (owner + 1) % 4
        return place(wall, stack_from_right % 17, level)

    wall = numbered(dice)
    assert [wall.indicator(n) for n in range(5)] == [from_the_left(n, 0) for n in range(3, 8)]
    assert [wall.ura(n) for n in range(5)] == [from_the_left(n, 1) for n in range(3, 8)]
    assert [wall.draw_rinshan() for _ in range(4)] == [from_the_left(n, level) for n in (1, 2) for level in (0, 1)]


def test_dora_is_the_tile_after_the_indicator() -> None:
    """S-26: 9→1 in each suit, 東→南→西→北→東, 白→發→中→白; a red five shows the six."""
    for suit in range(3):
        assert [dora_of(suit * 9 + rank) for rank in range(9)] == [suit * 9 + (rank + 1) % 9 for rank in range(9)]
    assert [dora_of(kind) for kind in range(EAST, NORTH + 1)] == [28, 29, 30, EAST]
    assert [dora_of(kind) for kind in (WHITE, GREEN, RED)] == [GREEN, RED, WHITE]
    assert dora_of(RED_M) == 5


@given(dice=st.sampled_from(ALL_DICE), drawn=st.integers(0, 66), kans=st.integers(0, 4))
def test_drawn_tiles_are_gone_from_the_standing_wall(dice: tuple[int, int], drawn: int, kans: int) -> None:
    """S-24, S-25, S-45: None where a tile has left; all others stand in their places."""
    wall = numbered(dice)
    gone = {tile for hand in wall.hands for tile in hand}
    gone |= {wall.draw(0) for _ in range(drawn)} | {wall.draw_rinshan() for _ in range(kans)}
    assert wall.standing() == [None if tile in gone else tile for tile in range(136)]
    assert len(gone) == 52 + drawn + kans


def test_a_wall_is_made_again_from_its_tiles() -> None:
    wall = numbered((2, 5))
    again = Wall.from_tiles(wall.tiles, (2, 5))
    assert (again.hands, again.tiles, again.standing()) == (wall.hands, wall.tiles, wall.standing())


def test_east_has_fourteen_tiles_and_acts_first() -> None:
    """S-27, S-28, S-30: nobody else may do anything before 東's first discard."""
    t = table(draws="z7")
    assert [hand.size for hand in t.board.hands] == [14, 13, 13, 13]
    assert t.turn == "東"
    assert t.board.live == 69
    assert [t.offers(wind) for wind in "南西北"] == [[], [], []]


def test_the_kyoku_ends_when_all_but_the_dead_wall_is_drawn() -> None:
    """S-45: 136 - 14 tiles removed, 70 of them drawn after the deal."""
    t = table().pass_to_the_end()
    draws = [event for event in t.stream if type(event).__name__ == "Draw"]
    assert len(draws) == 70
    assert sum(tile is not None for tile in t.kyoku.wall.standing()) == 14


def test_a_deal_announces_round_kyoku_honba_and_sticks() -> None:
    """S-05, S-20: 場風, the dealer's place and the deposits are the first that every seat hears."""
    t = table(honba=3, sticks=2, number=6)
    start = t.start
    assert (start.round_wind, start.kyoku, start.honba, start.sticks) == (1, 2, 3, 2)
    assert start.dealer == (t.game.first_dealer + 2) % 4
    assert start.hands == t.kyoku.wall.hands


def test_a_stacked_wall_has_each_tile_once() -> None:
    """The kit itself: what the picture leaves open is filled from the same 136 tiles."""
    wall = stack(rules_of("tenhou"), ["m0", "p123"], draws="z11", dora="s0", hidden="m9")
    assert sorted(wall.tiles) == sorted(full_set(1, 1, 1))
    assert wall.hands[0][0] == TILE["m0"]
    assert TILE["m9"] not in wall.tiles[:120]
    with pytest.raises(BadInput, match="too many of m0"):
        stack(rules_of("tenhou"), ["m00"])
