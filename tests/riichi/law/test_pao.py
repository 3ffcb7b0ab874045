"""Liability: who feeds the last meld of 大三元 or 大四喜 pays for it (S-60)."""

import pytest

from jantaku.table.riichi.events import Win
from tests.kit.position import Table, table

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
