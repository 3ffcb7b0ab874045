"""Fu and han of the source text, each pinned by a pair of hands on both sides of a rounding."""

import pytest

from jantaku.table.riichi.pieces.notation import parse_meld, parse_tiles
from jantaku.table.riichi.pieces.tehai import tehai_of
from jantaku.table.riichi.pieces.tiles import TILE
from jantaku.table.riichi.points.payments import base_points
from jantaku.table.riichi.points.scorer import Situation, hand_value
from jantaku.table.riichi.points.yaku import HandValue
from tests.kit.cases import cases
from tests.kit.position import rules_of


def won(text: str, tile: str, *, tsumo: bool = False, riichi: int = 0) -> HandValue:
    """The value of a hand, its melds after commas, won on `tile`, which comes to it; 南 in the East round."""
    concealed, *melds = text.split(",")
    held = parse_tiles(concealed) + ([TILE[tile]] if tsumo else [])
    situation = Situation(seat=1, round_wind=0, tsumo=tsumo, riichi=riichi)
    value = hand_value(tehai_of(held, [parse_meld(meld) for meld in melds]), TILE[tile], situation, rules_of("showa"))
    assert value is not None, f"{text} is no win on {tile}"
    return value


@cases("hand, tile, fu, what")
def test_fu_of_triplets_kans_and_pairs(hand: str, tile: str, fu: int, what: str) -> None:
    """S-101, S-102, S-103, S-104."""
    assert won(hand, tile).fu == fu, what


@pytest.mark.parametrize(
    ("rest", "tile", "fu"),
    [
        ("p67s66", "p8", 30),  # two-sided
        ("p68s66", "p7", 40),  # the middle
        ("p12s66", "p3", 40),  # the edge
        ("p678s6", "s6", 40),  # single
        ("s3345", "s6", 30),  # two-sided
        ("s3345", "s3", 40),  # two-sided or single: the higher counts
    ],
)
def test_fu_of_waits(rest: str, tile: str, fu: int) -> None:
    """S-104, S-100: besides 20, a closed dragon triplet 8 and an open middle triplet 2."""
    assert won(f"{rest}z555,m2-34,m666=", tile).fu == fu


def test_fu_of_a_tsumo_and_of_a_closed_ron() -> None:
    """S-102, S-104: 2 for the tsumo; 30 for the closed ron."""
    assert won("m678p67s23466z555", "p8", tsumo=True).fu == 30
    assert won("m678p68s23466z555", "p7", tsumo=True).fu == 40
    assert won("m678p67s23466z555", "p8").fu == 40


def test_pinfu_is_20_fu_by_tsumo_and_30_by_ron_and_seven_pairs_are_25() -> None:
    """S-102, S-105."""
    assert won("m234678s34588p34", "p5", tsumo=True).fu == 20
    assert won("m234678s34588p34", "p5").fu == 30
    assert won("m2233p5566s7788z3", "z3").fu == 25
    assert won("m2233p5566s7788z3", "z3", tsumo=True).fu == 25


@pytest.mark.parametrize(
    ("name", "closed", "called", "tile", "han"),
    [
        ("三色同順", "m234678p234s23z33", "m678p234s23z33,m2-34", "s4", 2),
        ("一気通貫", "m12345678p234z33", "m45678p234z33,m1-23", "m9", 2),
        ("混全帯幺九", "m123789p123s78z33", "m789p123s78z33,m1-23", "s9", 2),
        ("純全帯幺九", "m123789p12399s78", "m789p12399s78,m1-23", "s9", 3),
        ("混一色", "m12345678z33444", "m45678z33444,m1-23", "m9", 3),
        ("清一色", "m1233455677899", "m3455677899,m1-23", "m9", 6),
    ],
)
def test_an_open_hand_loses_a_han_of_six_yaku(name: str, closed: str, called: str, tile: str, han: int) -> None:
    """S-123."""
    assert won(closed, tile, riichi=1).units(name) == han
    assert won(called, tile).units(name) == han - 1


def test_honroutou_goes_with_toitoi_or_seven_pairs_and_needs_an_honour() -> None:
    """S-124."""
    names = {name for name, _ in won("m111999p111s99z33", "s9").yaku}
    assert {"混老頭", "対々和"} <= names
    names = {name for name, _ in won("m1199p1199s1199z1", "z1").yaku}
    assert {"混老頭", "七対子"} <= names
    assert won("m111999p111999s1", "s1").units("清老頭") == 1


def test_shousangen_adds_its_two_dragon_triplets() -> None:
    """S-124."""
    value = won("m23478z55566677", "m9")
    assert [value.units(name) for name in ("小三元", "翻牌 白", "翻牌 發", "翻牌 中")] == [2, 1, 1, 0]


def test_ryanpeikou_replaces_iipeikou() -> None:
    """S-124."""
    value = won("m223344p556677s8", "s8")
    assert (value.units("二盃口"), value.units("一盃口")) == (3, 0)


def test_five_han_need_no_fu_to_be_a_mangan() -> None:
    """S-101, S-108."""
    score = rules_of("showa").score
    assert {base_points(fu, 5, 0, score) for fu in (20, 25, 30, 70, 110)} == {2000}
