"""A river: its order, what was called, which tiles lie sideways."""

from jantaku.table.riichi.pieces.board import River
from jantaku.table.riichi.pieces.tiles import TILE, kinds_in, mask_of
from tests.kit.position import table, tiles

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
