"""Kans: when they may be made, what follows in which order, and where they end."""

from tests.kit.cases import cases
from tests.kit.position import Table, table

PINFU = "m234678s34588p34"
LATE = {"dora.minkan_opens": "after-discard"}
ALL_LATE = LATE | {"dora.ankan_opens": "after-discard"}


def kinds(t: Table) -> str:
    """The course of a kyoku in letters: d draw, R rinshan draw, D discard, F call, G kan, K indicator, W win."""
    letters = {"Draw": "d", "TileDiscard": "D", "MeldCall": "F", "OwnKan": "G", "Dora": "K", "Win": "W", "Riichi": "r"}
    return "".join("R" if getattr(event, "rinshan", False) else letters[type(event).__name__] for event in t.stream[1:])


def test_an_ankan_opens_an_indicator_shortens_the_wall_and_draws_rinshan() -> None:
    """S-55, S-57, S-25: indicator first, then the replacement; one live tile less for everybody."""
    t = table(["z111"], draws="z1", rinshan="m5", dora="m1 p1").play("東z1111")
    assert kinds(t) == "dGKR"
    assert t.indicators == ["m1", "p1"]
    assert t.board.live == 68
    assert t.turn == "東" and "m5_" in t.offers("東")
    assert t.board.rinshan
    assert not t.act("東m5_").board.rinshan


def test_a_kakan_is_made_from_a_pon_and_the_tile_drawn_or_held() -> None:
    """S-06, S-56: not in the turn of the pon itself, but after the next draw."""
    t = table(["z55m1"], draws="m9 z5 m8 m7 m6 z5", rinshan="m3").play("東m9_ 南z5_ 東z555+")
    assert not [offer for offer in t.offers("東") if len(offer) > 3]
    t.play("東m1 . . .")
    assert "z555+5" in t.offers("東")
    assert kinds(t.play("東z555+5"))[-3:] == "GKR"


def test_a_daiminkan_draws_rinshan_and_then_discards() -> None:
    """S-44, S-54, S-55."""
    t = table(["z1", "", "z555"], draws="z5", rinshan="m5").play("東z5_ 西z5555=")
    assert kinds(t) == "dDFKR"
    assert t.turn == "西"


@cases(
    "words, rules, course",
    # At once, as the source text has it.
    ("東z1111 .", {}, "dGKRDd"),
    ("東m9_ 西m9999= .", {}, "dDFKRDd"),
    # Open kans after the discard (majiang-core's カンドラ後乗せ), ankan at once.
    ("東z1111 .", LATE, "dGKRDd"),
    ("東m9_ 西m9999= .", LATE, "dDFRKDd"),
    ("東m9_ 西m9999= 西z2222 .", LATE, "dDFRKGKRDd"),
    # All after the discard.
    ("東z1111 .", ALL_LATE, "dGRKDd"),
    ("東z1111 東z3333 .", ALL_LATE, "dGRKGRKDd"),
)
def test_when_indicators_are_opened(words: str, rules: dict[str, str], course: str) -> None:
    """S-55: at the latest with the next discard or kan."""
    hands = ["z111333", "m1", "m999z222"]
    draws, rinshan = ("z1", "z3 m5") if words.startswith("東z1") else ("m9", "z2 m5")
    t = table(hands, draws=draws, rinshan=rinshan, settings=rules)
    assert kinds(t.play(words)) == course


def test_a_kakan_after_a_kakan_opens_the_first_indicator_before_it_can_be_robbed() -> None:
    """S-55, S-56: as majiang-core 1.x does."""
    hands = ["z5566m12", "m9", "m9", "m9"]
    t = table(hands, draws="m9 z5 z6 m8 m8 m7 z5", rinshan="z6 p5", dora="s1 s2 s3", settings=LATE)
    t.play("東m9_ 南z5_ 東z555+ 東m1 南z6_ 東z666+ 東m2 . . . 東z555+5")
    assert t.indicators == ["s1"]
    t.act("東z666+6")
    assert t.indicators == ["s1", "s2"]
    t.play(".")
    assert t.indicators == ["s1", "s2", "s3"]


def test_a_rinshan_win_counts_no_indicator_that_is_still_closed() -> None:
    """S-55, S-121: with open kans after the discard the new dora does not count, at once it does."""
    hands = ["m1", "", "z555m234567999p1"]
    for rules, han in ((LATE, 0), ({}, 2)):
        t = table(hands, draws="z5", rinshan="p1", dora="s1 p9", settings=rules).play("東z5_ 西z5555= 西tsumo")
        assert "嶺上開花" in t.yaku
        assert t.win.value.units("ドラ") == han


def test_without_kan_dora_no_indicator_is_opened() -> None:
    """S-55 with `dora.kan = false`."""
    t = table(["z111"], draws="z1", rinshan="m5", settings={"dora.kan": "false"}).play("東z1111 .")
    assert len(t.indicators) == 1


def test_a_robbed_kakan_is_void_and_opens_nothing() -> None:
    """S-56, S-58: the ron is awaited before the indicator and the rinshan draw."""
    hands = ["p55m199p19s19z1234", "", PINFU]
    t = table(hands, draws="z6 p5 z3 z4 z7 p5", dora="m9 s7").play("東z6_ 南p5_ 東p555+ 東m1 南z3_ 西z4_ 北z7_")
    assert kinds(t.play("東p555+5 西ron"))[-2:] == "GW"
    assert "槍槓" in t.yaku
    assert t.indicators == ["m9"]
    assert t.win.source == 0


def test_four_kans_of_one_seat_go_on_and_every_further_kan_is_refused() -> None:
    """S-61: no ankan, no daiminkan, a pon is possible."""
    hands = ["z111222333444m5", "p111", "", "s999m1"]
    t = table(hands, draws="z1 p1 s9", rinshan="z2 z3 z4 m2", dora="s1 s2 s3 s4 s5")
    t.play("東z1111 東z2222 東z3333 東z4444 東m2_")
    assert len(t.indicators) == 5
    assert t.turn == "南" and "p1111" not in t.offers("南")
    assert t.act("南p1_ 西s9_").offers("北") == ["s999-", "pass"]


def test_where_four_kans_never_abort_a_fifth_is_refused_all_the_same() -> None:
    """S-61, S-85."""
    hands = ["z111222333", "p111s222"]
    t = table(hands, draws="z1 p1", rinshan="z2 z3 m2 s2", settings={"abort.suukan": "never"})
    t.play("東z1111 東z2222 東z3333 東m2_ 南p1111")
    assert not t.over and t.board.kans == 4
    assert "s2222" not in t.offers("南")


def test_with_the_last_tile_of_the_wall_no_kan_is_made() -> None:
    """S-82."""
    t = table(["m1", "z111"], last="m9 z1", hidden="z1").pass_until(1)
    t.play(".")
    assert t.board.live == 0 and t.turn == "南"
    assert "z1111" not in t.offers("南")


def test_after_a_kan_of_the_tile_before_the_rinshan_tile_is_the_last() -> None:
    """S-82, S-121: no further kan, no call of its discard, houtei for a ron."""
    hands = ["z111222", "z77", "", PINFU]
    t = table(hands, last="z1 m1", rinshan="z2 p5", hidden="z127p25").pass_until(1)
    t.play("東z1111")
    assert t.board.live == 0
    assert "z2222" not in t.offers("東")
    t = table(hands, last="z1 m1", rinshan="p5", hidden="z127p25").pass_until(1).play("東z1111 東p5_ 北ron")
    assert "河底撈魚" in t.yaku


def test_the_owner_of_a_pon_may_wait_with_its_kakan() -> None:
    """S-56: right after any own draw, also from the rinshan."""
    hands = ["z55111", "m9", "m9", "m9"]
    t = table(hands, draws="m8 z5 m7 m7 m7 z1", rinshan="z5 m6")
    t.play("東m8_ 南z5_ 東z555+").play("東" + next(o for o in t.offers("東") if o != "z1"))
    t.play(". . . 東z1111")
    assert "z555+5" in t.offers("東")
