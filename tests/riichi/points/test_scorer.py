"""Hand values: names, order, fu, han and units, those of the source text on both sides of a rounding, and what the
rules change in them."""

from typing import Any

import pytest
from mahjong.hand_calculating.hand import HandCalculator

from jantaku.table.riichi.pieces.notation import parse_meld, parse_tiles
from jantaku.table.riichi.pieces.tehai import Tehai, tehai_of
from jantaku.table.riichi.pieces.tiles import TILE
from jantaku.table.riichi.points.names import BY_TENHOU_ID
from jantaku.table.riichi.points.payments import base_points
from jantaku.table.riichi.points.scorer import Situation, hand_value, has_yaku
from jantaku.table.riichi.points.yaku import NORTH_DORA, RANK, HandValue
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import preset
from scripts.hands.cases import ALL_DOUBLE, with_score
from scripts.hands.formats import meld_of, tiles_of
from tests.kit.cases import cases, kept_cases
from tests.kit.position import rules_of

MAJIANG = preset("majiang")


def tehai(text: str) -> Tehai:
    """A hand in Majiang's notation: concealed tiles, then a comma before every meld."""
    concealed, *melds = text.split(",")
    return tehai_of(tiles_of(concealed), [meld_of(meld) for meld in melds])


def won(text: str, tile: str, rules: Rules = MAJIANG, **how: Any) -> HandValue | None:
    """The value of a ron, or with `tsumo` of a hand that holds the tile already; South in the East round."""
    situation = Situation(**{"seat": 1, "round_wind": 0, "tsumo": False, **how})
    value = hand_value(tehai(text), TILE[tile], situation, rules)
    assert has_yaku(tehai(text), TILE[tile], situation, rules) == (value is not None)
    return value


def yaku(text: str, tile: str, rules: Rules = MAJIANG, **how: Any) -> list[str]:
    """Names only; empty without a yaku."""
    value = won(text, tile, rules, **how)
    return [name for name, _ in value.yaku] if value else []


def test_a_value_lists_yaku_in_majiangs_order_with_dora_last() -> None:
    dora, ura = (TILE["s7"],), (TILE["m1"], TILE["p2"])
    value = won("m234067p345s34588", "m7", tsumo=True, riichi=2, ippatsu=True, haitei=True, dora=dora, ura=ura)
    assert value == HandValue(
        (
            *(("ダブル立直", 2), ("一発", 1), ("海底摸月", 1), ("門前清自摸和", 1), ("平和", 1), ("断幺九", 1)),
            *(("ドラ", 2), ("赤ドラ", 1), ("裏ドラ", 2)),
        ),
        fu=20,
        han=12,
    )


@kept_cases("hand, tile, how, units")
def test_yakuman_are_counted_in_units(hand: str, tile: str, how: dict[str, Any], units: list[tuple[str, int]]) -> None:
    """S-110: a yakuman ignores other yaku and dora; different yakuman add up."""
    value = won(hand, tile, dora=(TILE["m9"],), **how)
    assert value == HandValue(tuple((name, count) for name, count in units), yakuman=sum(each for _, each in units))


@cases(
    "key, hand, tile",
    ("daisuushi", "p2,z111-,z222=,z333+,z4444", "p2"),
    ("suuankou_tanki", "m111p222s333z5557", "z7"),
    ("kokushi_13", "m19p19s19z1234567", "m1"),
    ("chuuren_9", "m1112345678999", "m5"),
)
def test_a_yakuman_counts_twice_only_where_the_rules_name_it(key: str, hand: str, tile: str) -> None:
    """S-110: in showa rules all of these are ordinary yakuman."""
    only_this = won(hand, tile, with_score(MAJIANG, double_yakuman=(key,)))
    others = won(hand, tile, with_score(MAJIANG, double_yakuman=tuple(set(ALL_DOUBLE) - {key})))
    assert only_this is not None
    assert only_this.yakuman == 2
    assert others is not None
    assert others.yakuman == 1
    assert [name for name, _ in others.yaku] == [name for name, _ in only_this.yaku]


def test_a_pair_that_is_seat_and_round_wind_is_worth_four_or_two_fu() -> None:
    """S-104: 30 for a closed ron, 8 for the triplet, and 4 or 2 for the pair."""
    hand, tile = "m567999p34s678z11", "p5"
    how: dict[str, Any] = {"seat": 0, "riichi": 1}
    two_fu = with_score(MAJIANG, double_wind_fu=2)
    assert won(hand, tile, **how) == HandValue((("立直", 1),), fu=50, han=1)
    assert won(hand, tile, two_fu, **how) == HandValue((("立直", 1),), fu=40, han=1)
    assert won(hand, tile, two_fu, seat=1, riichi=1) == won(hand, tile, seat=1, riichi=1)


def test_the_reading_that_pays_most_is_taken() -> None:
    """S-100: two double runs before seven pairs, three triplets before a double run."""
    assert yaku("m223344p55667z44", "p7") == ["平和", "二盃口"]
    assert yaku("m111222333p9s678", "p9") == ["三暗刻"]


def test_a_hand_without_yaku_or_shape_is_worth_nothing() -> None:
    """S-70; dora are no yaku (S-101)."""
    assert won("m123p456s99z44,s234-", "z4") is None
    assert won("m123p456s99z44,s234-", "z4", dora=(TILE["z3"],)) is None
    assert won("m123p456s99z44,s234-", "z5", houtei=True) is None
    assert won("m123p456p234s557z1", "z2", riichi=1) is None


@cases(
    "flag, tsumo, name",
    ("rinshan", True, "嶺上開花"),
    ("chankan", False, "槍槓"),
    ("haitei", True, "海底摸月"),
    ("houtei", False, "河底撈魚"),
)
def test_the_situation_can_be_the_only_yaku(flag: str, tsumo: bool, name: str) -> None:
    """S-121, S-122."""
    hand = "m123p456s99z444,s234-" if tsumo else "m123p456s99z44,s234-"
    how: dict[str, Any] = {"tsumo": tsumo, flag: True}
    assert yaku(hand, "z4", tsumo=tsumo) == []
    assert yaku(hand, "z4", **how) == [name]


def test_a_ron_in_the_first_go_round_is_no_chiihou() -> None:
    """S-125; 人和 is no yaku of ours (S-126)."""
    assert yaku("m123p456s99z44,s234-", "z4", first_turn=True) == []
    assert yaku("m123456p234s5577", "s7", first_turn=True) == []


def test_kokushi_that_robs_an_ankan_has_no_chankan() -> None:
    """S-58: the engine leaves the flag out; with it a kokushi would still be one yakuman."""
    assert won("m11p19s19z1234567", "m9") == HandValue((("国士無双", 1),), yakuman=1)
    assert won("m11p19s19z1234567", "m9", chankan=True) == HandValue((("国士無双", 1),), yakuman=1)


def test_open_tanyao_needs_the_rule() -> None:
    without = with_score(MAJIANG, open_tanyao=False)
    assert yaku("m234p23s45688,m678-", "p4") == ["断幺九"]
    assert yaku("m234p23s45688,m678-", "p4", without) == []
    assert yaku("m234678p23s45688", "p4", without) == ["平和", "断幺九"]


def test_red_fives_are_counted_wherever_they_are() -> None:
    """Any number of them: concealed, called, added to a kakan, and the tile that wins."""
    value = won("m406s34z66,p055=0,z555=", "s0")
    assert value is not None
    assert value.yaku == (("翻牌 白", 1), ("赤ドラ", 4))
    plain = won("m456s34z66,p555=5,z555=", "s5")
    assert plain is not None
    assert plain.yaku == (("翻牌 白", 1),)
    assert plain.fu == value.fu


def test_several_indicators_of_a_kind_count_each_time() -> None:
    value = won("m234678p23s45688", "p4", dora=(TILE["s7"], TILE["s7"], TILE["m5"]))
    assert value is not None
    assert value.units("ドラ") == 5


def test_indicators_wrap_round() -> None:
    """S-26: 9→1, 北→東, 中→白."""
    value = won("m111s678z1155,p234-", "z1", dora=(TILE["m9"], TILE["z4"], TILE["z7"]))
    assert value is not None
    assert value.yaku == (("場風 東", 1), ("ドラ", 3 + 3 + 2))


def test_an_open_riichi_hand_is_refused_as_the_callers_defect() -> None:
    with pytest.raises(ValueError, match="seat 1 cannot win like this: open_hand_riichi"):
        hand_value(
            tehai("m234p23s45688,m678-"), TILE["p4"], Situation(seat=1, round_wind=0, tsumo=False, riichi=1), MAJIANG
        )


def test_scoring_twice_gives_the_same() -> None:
    """The library writes into the settings that it is given: each call must make its own."""
    once = won("p2,z111-,z222=,z333+,z4444", "p2", with_score(MAJIANG, double_yakuman=()))
    twice = won("p2,z111-,z222=,z333+,z4444", "p2")
    again = won("p2,z111-,z222=,z333+,z4444", "p2", with_score(MAJIANG, double_yakuman=()))
    assert once == again
    assert once is not None
    assert twice is not None
    assert (once.yakuman, twice.yakuman) == (1, 2)


@kept_cases("hand, tile, how, expected")
def test_the_usual_yaku_are_seen_without_scoring(
    monkeypatch: pytest.MonkeyPatch, hand: str, tile: str, how: dict[str, Any], expected: bool
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the library was asked")

    monkeypatch.setattr(HandCalculator, "estimate_hand_value", refuse)
    situation = Situation(**{"seat": 1, "round_wind": 0, "tsumo": False, **how})
    assert has_yaku(tehai(hand), TILE[tile], situation, MAJIANG) == expected


def test_every_yaku_has_a_place_in_the_order() -> None:
    """Tenhou has no number for norths that were set aside: it counts them among the dora (T-40)."""
    assert set(RANK) == (set(BY_TENHOU_ID) - {"人和"}) | {NORTH_DORA}


def worth_of(text: str, tile: str, *, tsumo: bool = False, riichi: int = 0) -> HandValue:
    """The value of a hand, its melds after commas, worth_of on `tile`, which comes to it; 南 in the East round."""
    concealed, *melds = text.split(",")
    held = parse_tiles(concealed) + ([TILE[tile]] if tsumo else [])
    situation = Situation(seat=1, round_wind=0, tsumo=tsumo, riichi=riichi)
    value = hand_value(tehai_of(held, [parse_meld(meld) for meld in melds]), TILE[tile], situation, rules_of("showa"))
    assert value is not None, f"{text} is no win on {tile}"
    return value


@kept_cases("hand, tile, fu, what")
def test_fu_of_triplets_kans_and_pairs(hand: str, tile: str, fu: int, what: str) -> None:
    """S-101, S-102, S-103, S-104."""
    assert worth_of(hand, tile).fu == fu, what


@kept_cases("rest, tile, fu")
def test_fu_of_waits(rest: str, tile: str, fu: int) -> None:
    """S-104, S-100: besides 20, a closed dragon triplet 8 and an open middle triplet 2."""
    assert worth_of(f"{rest}z555,m2-34,m666=", tile).fu == fu


def test_fu_of_a_tsumo_and_of_a_closed_ron() -> None:
    """S-102, S-104: 2 for the tsumo; 30 for the closed ron."""
    assert worth_of("m678p67s23466z555", "p8", tsumo=True).fu == 30
    assert worth_of("m678p68s23466z555", "p7", tsumo=True).fu == 40
    assert worth_of("m678p67s23466z555", "p8").fu == 40


def test_pinfu_is_20_fu_by_tsumo_and_30_by_ron_and_seven_pairs_are_25() -> None:
    """S-102, S-105."""
    assert worth_of("m234678s34588p34", "p5", tsumo=True).fu == 20
    assert worth_of("m234678s34588p34", "p5").fu == 30
    assert worth_of("m2233p5566s7788z3", "z3").fu == 25
    assert worth_of("m2233p5566s7788z3", "z3", tsumo=True).fu == 25


@kept_cases("name, closed, called, tile, han")
def test_an_open_hand_loses_a_han_of_six_yaku(name: str, closed: str, called: str, tile: str, han: int) -> None:
    """S-123."""
    assert worth_of(closed, tile, riichi=1).units(name) == han
    assert worth_of(called, tile).units(name) == han - 1


def test_honroutou_goes_with_toitoi_or_seven_pairs_and_needs_an_honour() -> None:
    """S-124."""
    names = {name for name, _ in worth_of("m111999p111s99z33", "s9").yaku}
    assert {"混老頭", "対々和"} <= names
    names = {name for name, _ in worth_of("m1199p1199s1199z1", "z1").yaku}
    assert {"混老頭", "七対子"} <= names
    assert worth_of("m111999p111999s1", "s1").units("清老頭") == 1


def test_shousangen_adds_its_two_dragon_triplets() -> None:
    """S-124."""
    value = worth_of("m23478z55566677", "m9")
    assert [value.units(name) for name in ("小三元", "翻牌 白", "翻牌 發", "翻牌 中")] == [2, 1, 1, 0]


def test_ryanpeikou_replaces_iipeikou() -> None:
    """S-124."""
    value = worth_of("m223344p556677s8", "s8")
    assert (value.units("二盃口"), value.units("一盃口")) == (3, 0)


def test_five_han_need_no_fu_to_be_a_mangan() -> None:
    """S-101, S-108."""
    score = rules_of("showa").score
    assert {base_points(fu, 5, 0, score) for fu in (20, 25, 30, 70, 110)} == {2000}
