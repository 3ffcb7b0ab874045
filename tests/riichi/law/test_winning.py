"""What makes a win: the situation it happens in, the yaku that come from it, and who is liable for it: who feeds the
last meld of 大三元 or 大四喜 (S-60)."""

import pytest

from jantaku.table.riichi.events import Win
from tests.kit.cases import cases
from tests.kit.position import Table, table

PINFU = "m234678s34588p34"
NOTHING = "m234789s23455p46"
"""Waits for p5 with no yaku at all; s55 and m234 s234 keep it out of every suit yaku."""


def test_a_ron_needs_a_yaku_and_a_closed_tsumo_has_one() -> None:
    """S-70: the shape alone is no win; 門前清自摸和 is a yaku."""
    t = table([NOTHING], draws="z7 p5").play("東z7_")
    assert t.act("南p5_").offers("東") == []
    t = table([NOTHING], draws="z7 z6 z6 z6 p5").play("東z7_ . . .")
    assert "tsumo" in t.offers("東")
    assert t.play("東tsumo").yaku == ["門前清自摸和"]


def test_an_open_hand_without_a_yaku_cannot_win_by_tsumo_either() -> None:
    """S-70: but the last tile makes one."""
    hands = ["m23789s23455p46z3"]
    t = table(hands, draws="z7 z6 z6 m4 z5 z5 z6 p5").play("東z7_ . . 北m4_ 東m234- 東z3 . . .")
    assert "tsumo" not in t.offers("東")


def test_a_win_on_the_last_tile_is_haitei_and_on_its_discard_houtei() -> None:
    """S-82, S-122."""
    t = table(["", NOTHING], last="p5", hidden="p5").pass_until(0).play("南tsumo")
    assert "海底摸月" in t.yaku
    t = table(["m1", "", NOTHING], last="p5", hidden="p5").pass_until(0).play("南p5_ 西ron")
    assert t.yaku == ["河底撈魚"]


def test_the_last_tile_from_the_dead_wall_is_rinshan_not_haitei() -> None:
    """S-121."""
    t = table(["z111m234789p46s55"], last="z1 m1", rinshan="p5", hidden="z1p5").pass_until(1).play("東z1111 東tsumo")
    assert "嶺上開花" in t.yaku and "海底摸月" not in t.yaku


@pytest.mark.parametrize("kind", ["ankan", "kakan", "daiminkan"])
def test_rinshan_is_a_yaku_after_every_kind_of_kan(kind: str) -> None:
    """S-121: z3 is no yaku of 東, so that 嶺上開花 is all that an open hand has."""
    if kind == "ankan":
        t = table(["z333m234789p46s55"], draws="z3", rinshan="p5").play("東z3333 東tsumo")
    elif kind == "daiminkan":
        t = table(["z333m234789p46s55"], draws="z7 z3", rinshan="p5").play("東z7_ 南z3_ 東z3333+ 東tsumo")
    else:
        t = table(["z33m234789p46s55z4"], draws="z7 z3 z7 z7 z6 z3", rinshan="p5")
        t.play("東z7_ 南z3_ 東z333+ 東z4 . . . 東z333+3 東tsumo")
    assert "嶺上開花" in t.yaku
    assert t.win.source is None


def test_a_robbed_kakan_is_a_yaku_and_its_maker_pays() -> None:
    """S-56, S-58, S-91."""
    hands = ["p55m199p19s19z1234", "", NOTHING]
    t = table(hands, draws="z6 p5 z3 z4 z7 p5").play("東z6_ 南p5_ 東p555+ 東m1 南z3_ 西z4_ 北z7_ 東p555+5 西ron")
    assert t.yaku == ["槍槓"]
    assert t.win.source == 0 and t.deltas[0] < 0


@cases(
    "hands, draws, words, yaku",
    ([PINFU], "p5", "東tsumo", "天和"),
    (["", PINFU], "z7 p5", "東z7_ 南tsumo", "地和"),
    (["", "", "", PINFU], "z7 z6 z5 p5", ". . . 北tsumo", "地和"),
)
def test_a_win_by_the_first_draw_is_a_yakuman(hands: list[str], draws: str, words: str, yaku: str) -> None:
    """S-125."""
    t = table(hands, draws=draws).play(words)
    assert t.yaku == [yaku]
    assert t.win.points == (48000 if yaku == "天和" else 32000)


@cases(
    "hands, draws, words",
    (["z111m234789p46s55"], "z1", "東z1111 東tsumo"),  # 東's own ankan
    (["z111m1", PINFU], "z1 p5", "東z1111 東m1 南tsumo"),  # an ankan before
    (["m1", PINFU, "", "z77m1"], "z7 z6 p5", "東z7_ 北z777+ 北m1 . 南tsumo"),  # a call before
    ([PINFU], "z7 z6 z6 z6 p5", ". . . . 東tsumo"),  # the second draw
)
def test_after_a_call_or_kan_and_in_the_second_draw_it_is_none(hands: list[str], draws: str, words: str) -> None:
    """S-31, S-125."""
    t = table(hands, draws=draws, rinshan="p5").play(words)
    assert not {"天和", "地和"} & set(t.yaku)


def test_a_double_wind_triplet_counts_twice() -> None:
    """S-120: 東 in the East round; 南 there only as his own wind."""
    t = table(["z11m234789s22p345"], draws="z7 z1", dora="z3").play("東z7_ 南z1_ 東ron")
    assert t.yaku == ["場風 東", "自風 東"]
    t = table(["m1", "z22m234789s33p345"], draws="z2", dora="z3").play("東z2_ 南ron")
    assert t.yaku == ["自風 南"]
    t = table(["m1", "z22m234789s33p345"], draws="z2", dora="z3", number=4).play("東z2_ 南ron")
    assert t.yaku == ["場風 南", "自風 南"]


def test_the_win_shows_the_hand_with_the_winning_tile_apart() -> None:
    """S-81."""
    t = table([PINFU], draws="p2").play("東tsumo")
    assert len(t.win.hand) == 13
    assert t.win.tile == 10
    t = table([PINFU], draws="z7 p2").play("東z7_ 南p2_ 東ron")
    assert len(t.win.hand) == 13 and t.win.source == 1


def test_different_yakuman_add_up_unless_the_rules_cap_them() -> None:
    """S-110: 大三元 and 字一色 of 東; 四暗刻 by the tsumo."""
    for settings, units in (({}, 3), ({"score.several_yakuman": "false"}, 1)):
        t = table(["z1122555666777"], draws="m9 z3 z4 z4 z1", settings=settings).play(". . . . 東tsumo")
        assert set(t.yaku) == {"四暗刻", "大三元", "字一色"}
        assert t.win.value.yakuman == units
        assert t.deltas[0] == 48000 * units


def test_a_yakuman_ignores_yaku_and_dora() -> None:
    """S-110: riichi, ippatsu and six dora do not matter."""
    t = table(["z1122555666777"], draws="m9 z1", dora="z7").play("東m9_* 南z1_ 東ron")
    assert set(t.yaku) == {"大三元", "字一色"}
    assert t.win.value.yakuman == 2


@pytest.mark.parametrize(("rules", "units"), [("showa", 1), ("majiang", 2)])
def test_special_waits_are_single_or_double_yakuman_by_rule(rules: str, units: int) -> None:
    """S-110: 国士無双十三面."""
    t = table(["m19p19s19z1234567"], draws="m5 z6", rules=rules).play("東m5_ 南z6_ 東ron")
    assert t.yaku == ["国士無双十三面"]
    assert t.win.points == 48000 * units


DRAGONS = "z556677m2399z123"
"""南 calls three dragons with it and then waits for m1 and m4."""
FED = "東z5_ 南z555- 南z1 西z6_ 南z666+ 南z2 . 北z7_ 南z777= 南z3"
"""The third dragon comes from 北."""


def fed(last: str, settings: dict[str, str] | None = None) -> Table:
    """南 has called three dragons, the last from 北; then 西 and who follows draw the tiles `last`."""
    t = table(["m9", DRAGONS], draws=f"z5 z6 s1 z7 {last}", settings=settings, dora="p1")
    return t.play(FED)


def liable(win: Win) -> list[tuple[str, int]]:
    return [(one.yakuman, one.seat) for one in win.liable]


def test_the_feeder_pays_a_tsumo_alone() -> None:
    """S-60."""
    t = fed("s2 s2 s3 m1").play(". . . 南tsumo")
    assert liable(t.win) == [("daisangen", 3)]
    assert t.deltas == (0, 32000, 0, -32000)


def test_feeder_and_discarder_pay_a_ron_by_halves() -> None:
    """S-60: 西 discards the winning tile."""
    assert fed("m1").play("西m1_ 南ron").deltas == (0, 32000, -16000, -16000)


def test_a_feeder_who_also_discards_the_winning_tile_pays_all() -> None:
    """S-60."""
    assert fed("s2 m1").play(". 北m1_ 南ron").deltas == (0, 32000, 0, -32000)


def test_without_the_rule_nobody_is_liable() -> None:
    """S-60 with an empty `call.pao`."""
    t = fed("s2 s2 s3 m1", settings={"call.pao": "[]"}).play(". . . 南tsumo")
    assert t.win.liable == ()
    assert t.deltas == (-16000, 32000, -8000, -8000)


def test_a_third_dragon_that_is_closed_makes_nobody_liable() -> None:
    """S-60: the ankan completes it, not a feeder."""
    t = table(["m9", "z5566777m2399z12"], draws="z5 z6 s1 s2 s3 z7", rinshan="m1", dora="p1")
    t.play("東z5_ 南z555- 南z1 西z6_ 南z666+ 南z2 . . . 南z7777 南tsumo")
    assert t.win.liable == ()
    assert t.deltas == (-16000, 32000, -8000, -8000)


def test_the_two_dragons_before_the_last_make_nobody_liable() -> None:
    """S-60: with the third only in the hand; 東 and 西 fed the two."""
    t = table(["m9", "z5566777m2399z12"], draws="z5 z6 s1 s2 s3 m1", dora="p1")
    t.play("東z5_ 南z555- 南z1 西z6_ 南z666+ 南z2 . . . 南tsumo")
    assert "大三元" in t.yaku
    assert t.win.liable == ()


def test_who_feeds_the_fourth_wind_is_liable_also_for_a_daiminkan() -> None:
    """S-60: 大四喜 counts once here; 東 feeds 北's wind as a kan."""
    t = table(["m9", "z11223344m3z4m156"], draws="z1 z2 s1 z3 s4 s4 z4", rinshan="m3", dora="p1", ura="p1")
    t.play("東z1_ 南z111- 南m1 西z2_ 南z222+ 南m5 . 北z3_ 南z333= 南m6 . . 東z4_ 南z4444- 南tsumo")
    assert "大四喜" in t.yaku
    assert liable(t.win) == [("daisuushi", 0)]
    assert t.deltas == (-32000, 32000, 0, 0)


@pytest.mark.parametrize(("settings", "paid"), [({}, False), ({"call.pao": '["suukantsu"]'}, True)])
def test_a_fourth_kan_makes_its_feeder_liable_where_the_rules_say_so(settings: dict[str, str], paid: bool) -> None:
    """The source text has only 大三元 and 大四喜 (S-60)."""
    t = table(["z1", "m111222333p555s9"], draws="z7 m1 z6 p5", rinshan="m2 m3 s1 s9", settings=settings)
    t.play("東z7_ 南m1111 南m2222 南m3333 南s1_ 西z6_ 北p5_ 南p5555= 南tsumo")
    assert "四槓子" in t.yaku
    assert liable(t.win) == ([("suukantsu", 3)] if paid else [])
