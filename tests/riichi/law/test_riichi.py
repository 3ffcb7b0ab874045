"""Riichi: who may declare it, when it stands, what it brings and what it forbids."""

import pytest

from tests.kit.cases import cases
from tests.kit.position import Table, table, tiles

PINFU = "m234678s34588p34"
"""Waits for p2 and p5."""


def declares(t: Table, wind: str) -> list[str]:
    return [offer for offer in t.offers(wind) if offer.endswith("*")]


def test_riichi_is_offered_with_every_discard_that_leaves_tenpai() -> None:
    """S-72: each such tile, the drawn one as such."""
    assert declares(table([PINFU], draws="z7"), "東") == ["z7_*"]
    assert declares(table(["m123456789p11s35"], draws="s7"), "東") == ["s3*", "s7_*"]
    assert declares(table(["m123456789p11s39"], draws="z7"), "東") == []


def test_riichi_is_offered_with_a_red_five_as_with_any_other_tile() -> None:
    """S-52, S-72: from the hand, and as the tile just drawn."""
    assert declares(table(["m123456789p11s20"], rules="tenhou", draws="s3"), "東") == ["s2*", "s0*"]
    assert declares(table(["m123456789p11s34"], rules="tenhou", draws="p0"), "東") == ["p0_*"]


@cases(
    "points, settings, allowed",
    (1000, {}, True),
    (900, {}, False),
    (0, {}, False),
    (900, {"riichi.min_points": "0"}, True),
    (-100, {"riichi.min_points": "0", "game.tobi": "false"}, True),
)
def test_riichi_needs_its_stick(points: int, settings: dict[str, str], allowed: bool) -> None:
    """S-72: 1000 points; a rule of 0 asks for none, even below zero."""
    t = table([PINFU], draws="z7", scores=(points, 25000, 25000, 25000), settings=settings)
    assert bool(declares(t, "東")) is allowed


def test_an_open_hand_cannot_declare_but_an_ankan_leaves_it_closed() -> None:
    """S-72, S-57."""
    t = table(["z111m234678s88p34"], draws="z1", rinshan="z7").play("東z1111")
    assert declares(t, "東") == ["z7_*"]
    t = table(["z55m234678s88p345"], draws="z1 z5", rinshan="z7").play("東z1_ 南z5_ 東z555+ 東p3")
    assert t.kyoku.ready.waits[0]
    assert declares(t.play(". . ."), "東") == []


@pytest.mark.parametrize(("left", "allowed"), [(5, True), (4, True), (3, False), (0, False)])
def test_riichi_needs_four_tiles_in_the_wall(left: int, allowed: bool) -> None:
    """S-72: counted after the own draw."""
    turn = (70 - left - 1) % 4
    t = table([PINFU if seat == turn else "" for seat in range(4)], hidden="p25").pass_until(left)
    assert bool(declares(t, "東南西北"[turn])) is allowed
    t = table([PINFU if seat == turn else "" for seat in range(4)], hidden="p25", settings={"riichi.min_tiles": "0"})
    assert declares(t.pass_until(left), "東南西北"[turn])


def test_a_riichi_whose_tile_is_ronned_does_not_stand_and_costs_nothing() -> None:
    """S-73: no stick, and the discarder pays for the ron alone."""
    t = table([PINFU, PINFU], draws="p5", dora="z1").play("東p5_* 南ron")
    assert t.trace == ["Draw", "TileDiscard", "Win"]
    assert t.deltas == (-2000, 2000, 0, 0)
    assert t.board.sticks == 0


def test_a_riichi_whose_tile_is_called_stands() -> None:
    """S-73, S-74: the stick is placed before the call."""
    t = table([PINFU, "", "z77"], draws="z7").play("東z7_* 西z777=")
    assert t.trace == ["Draw", "TileDiscard", "Riichi", "MeldCall"]
    assert t.deltas == (-1000, 0, 0, 0)
    assert t.board.sticks == 1


def test_a_riichi_stands_when_nobody_claims_its_tile() -> None:
    """S-73, S-74, S-91: then the next seat draws."""
    t = table([PINFU], draws="z7").play("東z7_*")
    assert t.trace == ["Draw", "TileDiscard", "Riichi", "Draw"]


def test_after_riichi_the_hand_may_not_change() -> None:
    """S-76, S-41: nothing but the drawn tile may go, nothing may be called, and one option is no question."""
    t = table([PINFU, "", "", "z7"], draws="z7 z6 z6 m4 s8 z1 z1 m3", hidden="p25").play("東z7_* . .")
    assert t.act("北m4_").offers("東") == []  # neither chi of m34 nor a win
    assert t.play("").offers("東") == ["s8_"]  # neither a discard of s8 from the hand nor another riichi
    assert t.play("東s8_ . .").act("北m3_").offers("東") == []


ANKAN = [
    # name, hand before the draw, drawn, allowed at never / shape / waits / strict
    ("a triplet by itself", "z111m234678s88p34", "z1", (False, True, True, True)),
    ("a triplet that may be part of three runs", "m111222333p34s88", "m1", (False, False, True, False)),
    ("a triplet that makes part of the wait", "m2333p234678s888", "m3", (False, False, False, False)),
    ("a triplet that gives the pair of a wait", "m4445p234678s888", "m4", (False, False, False, False)),
]


@pytest.mark.parametrize(("name", "hand", "drawn", "allowed"), ANKAN, ids=[row[0] for row in ANKAN])
def test_an_ankan_after_riichi_must_leave_the_hand(name: str, hand: str, drawn: str, allowed: tuple[bool, ...]) -> None:
    """S-76 is `strict`; majiang-core has levels of its own: shape and waits."""
    for level, wanted in zip(("never", "shape", "waits", "strict"), allowed, strict=True):
        t = table([hand], draws=f"z7 z6 z6 z6 {drawn}", settings={"riichi.ankan": level}, hidden="m356p25")
        t.play("東z7_* . . .")
        assert (drawn + drawn[1] * 3 in t.offers("東")) is wanted, level


def test_four_tiles_held_since_before_riichi_are_no_ankan_later() -> None:
    """S-76: only the tile just drawn may complete it."""
    t = table(["z1111m234678p34s8"], draws="s8 z6 z6 z6 z7", hidden="p25")
    assert "z1111" in t.offers("東")
    t = table(["z1111m34678p345s8"], draws="s8 z6 z6 z6 z7", hidden="m25")
    assert declares(t, "東") == ["z1*"]
    assert t.play("東z1* . . .").offers("東") == ["z7_"]


@cases(
    "words, ippatsu",
    ("南p5_ 東ron", True),
    ("南z6_ 西z6_ 北z5_ 東tsumo", True),
    ("南z6_ 西z6_ 北z5_ 東p5_ 南p2_ ", False),
)
def test_ippatsu_lasts_until_the_declarers_next_turn(words: str, ippatsu: bool) -> None:
    """S-78: by ron or tsumo; the own next discard ends it."""
    first = "p5" if words.startswith("南p5") else "z6"
    t = table([PINFU], draws=f"z1 z1 z2 z3 z7 {first} z6 z5 p5 p2", dora="m9").play("東z1_ . . . 東z7_*")
    t.play(words)
    if ippatsu:
        assert "一発" in t.yaku
    else:
        assert not t.over and not t.board.ippatsu[0]


@cases(
    "name, words, hands",
    ("pon by another", "南z6_ 北z666= 北m1", ["m1", "m1", "z66m1"]),
    ("chi by another", "南m5_ 西m45-6 西m1", ["m1", "m46m1", "m1"]),
    ("daiminkan by another", "南z6_ 北z6666= 北m1", ["m1", "m1", "z666m1"]),
    ("ankan by another", "南z6666 南m1", ["z666m1", "m1", "m1"]),
)
def test_ippatsu_is_lost_to_any_call_or_kan(name: str, words: str, hands: list[str]) -> None:
    """S-31, S-78."""
    drawn = "m5" if name.startswith("chi") else "z6"
    t = table([PINFU, *hands], draws=f"z7 {drawn}", rinshan="z5", hidden="p25").play(f"東z7_* {words}")
    assert t.board.ippatsu == [False] * 4
    assert t.board.riichi[0]


def test_ippatsu_is_lost_to_the_own_ankan() -> None:
    """S-78: 嶺上開花 without 一発."""
    t = table(["z111m234678s88p34"], draws="z7 z6 z6 z6 z1", rinshan="p5").play("東z7_* . . . 東z1111 東tsumo")
    assert "一発" not in t.yaku
    assert "嶺上開花" in t.yaku


def test_a_robbed_kakan_leaves_ippatsu() -> None:
    """S-58, S-78: the kan is void. 西 robs it in the go-round after its riichi."""
    hands = ["p55m199p19s19z1234", "", PINFU]
    t = table(hands, draws="z6 p5 z3 z4 z7 p5", dora="m9").play("東z6_ 南p5_ 東p555+ 東m1 南z3_ 西z4_* 北z7_")
    t.play("東p555+5 西ron")
    assert t.yaku[:3] == ["立直", "一発", "槍槓"]


def test_without_the_rule_there_is_no_ippatsu() -> None:
    """S-78 with `riichi.ippatsu = false`."""
    t = table([PINFU], draws="z7 p5", settings={"riichi.ippatsu": "false"}).play("東z7_* 南p5_ 東ron")
    assert "一発" not in t.yaku


def test_riichi_in_the_first_own_turn_is_double_riichi() -> None:
    """S-79: it replaces 立直."""
    t = table(["", PINFU], draws="z1 z7 p5").play("東z1_ 南z7_* 西p5_ 南ron")
    assert "ダブル立直" in t.yaku and "立直" not in t.yaku
    assert t.win.value.units("ダブル立直") == 2


@cases(
    "hands, words",
    (["z111m1", PINFU], "東z1111 東m1 南z7_* 西p5_ 南ron"),
    (["m1", PINFU, "", "z11m1"], "東z1_ 北z111+ 北m1 . 南z7_* 西p5_ 南ron"),
)
def test_after_any_call_or_ankan_it_is_riichi_only(hands: list[str], words: str) -> None:
    """S-31, S-79."""
    draws = "z1 z7 p5" if "z1111" in words else "z1 z6 z7 p5"
    t = table(hands, draws=draws, rinshan="z5").play(words)
    assert "立直" in t.yaku and "ダブル立直" not in t.yaku


def test_riichi_in_the_second_turn_is_riichi_only() -> None:
    """S-79."""
    t = table([PINFU], draws="z1 z1 z2 z3 z7 p5").play("東z1_ . . . 東z7_* 南p5_ 東ron")
    assert "立直" in t.yaku


@cases("settings, ura, han", ({}, "s7 m1", 3), ({"dora.kan_ura": "false"}, "s7", 2), ({"dora.ura": "false"}, None, 0))
def test_ura_dora_lie_under_every_open_indicator(settings: dict[str, str], ura: str | None, han: int) -> None:
    """S-80, S-101: two s8 by the first, an m2 by the one that a kan opened."""
    t = table(["z111m234678s88p34"], draws="z1 p5", rinshan="z7", dora="z3 z3", ura="s7 m1", settings=settings)
    t.play("東z1111 東z7_* 南p5_ 東ron")
    assert t.win.ura == (None if ura is None else tuple(tiles(ura)))
    assert t.win.value.units("裏ドラ") == han


def test_without_riichi_there_is_no_ura_dora() -> None:
    """S-80, S-101."""
    t = table([PINFU], draws="z7 p5", dora="z3", ura="s7").play("東z7_ 南p5_ 東ron")
    assert t.win.ura is None
    assert t.win.value.units("裏ドラ") == 0


def test_the_winner_takes_every_stick_on_the_table() -> None:
    """S-75: his own, another declarer's and those of earlier kyoku; a draw leaves them for the next winner."""
    t = table([PINFU, "", "m23467857s345p88"], draws="z7 z6 z5 z6 z5 p5", sticks=2, dora="z1")
    t.play("東z7_* . 西z5_* . 東z5_ 南p5_ 東ron")
    assert t.wins[0].deltas[0] - t.wins[0].points == 4000
    assert t.standing.sticks == 0
    t = table([PINFU], draws="z7", hidden="p25", sticks=2).play("東z7_*").pass_to_the_end()
    assert t.standing.sticks == 3
