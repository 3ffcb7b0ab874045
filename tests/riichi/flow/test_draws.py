"""A kyoku without a winner: exhaustion, 流し満貫, the abortive draws, and whether the dealer stays."""

import pytest

from jantaku.table.riichi.flow.view import View
from jantaku.table.riichi.pieces.seats import WINDS
from jantaku.table.riichi.pieces.tiles import NAMES, TERMINALS_AND_HONOURS, full_set
from tests.kit.cases import cases
from tests.kit.position import Table, table

READY = ("m123456789p45z11", "s123456789p45z22", "m11789p45789s789", "m456p45789s123z33")
"""Four hands that wait for p3 and p6."""
FAR = "m258p258s258z4567"
NINE, EIGHT = "m12489p159s19z123", "m12469p149s69s1z12"
"""Nine and eight kinds of terminals and honours."""


def dealt(tenpai: str) -> list[str]:
    return [READY[seat] if wind in tenpai else FAR for seat, wind in enumerate(WINDS)]


def after(t: Table) -> tuple[int, int]:
    """Number of the next kyoku, and its honba."""
    return t.standing.number, t.standing.honba


@cases(
    "tenpai, deltas",
    ("", (0, 0, 0, 0)),
    ("東", (3000, -1000, -1000, -1000)),
    ("西", (-1000, -1000, 3000, -1000)),
    ("東西", (1500, -1500, 1500, -1500)),
    ("南北", (-1500, 1500, -1500, 1500)),
    ("東南西", (1000, 1000, 1000, -3000)),
    ("東南西北", (0, 0, 0, 0)),
)
def test_noten_seats_pay_3000_to_tenpai_seats(tenpai: str, deltas: tuple[int, ...]) -> None:
    """S-32, S-83, S-93, S-94: tenpai hands are opened; the dealer stays if tenpai; a honba more in any case."""
    t = table(dealt(tenpai), hidden="p36", dora="s1", honba=2).pass_to_the_end()
    assert t.draw.reason == "exhaustive"
    assert t.deltas == deltas
    assert [hand is not None for hand in t.draw.hands] == [wind in tenpai for wind in WINDS]
    assert after(t) == (0 if "東" in tenpai else 1, 3)


@cases(
    "renchan, tenpai, stays",
    ("none", "東", False),
    ("win", "東", False),
    ("tenpai", "東", True),
    ("tenpai", "", False),
    ("always", "", True),
)
def test_which_exhaustive_draws_keep_the_dealer_is_a_rule(renchan: str, tenpai: str, stays: bool) -> None:
    """S-94: テンパイ連荘."""
    t = table(dealt(tenpai), hidden="p36", dora="s1", settings={"draw.renchan": renchan}).pass_to_the_end()
    assert after(t) == (0 if stays else 1, 1)


def test_by_rule_tenpai_counts_only_if_declared_and_silence_declares_nothing() -> None:
    """S-38, S-83 with `draw.declare_tenpai`: 東 declares, 西 does not, 南 cannot, 北 in riichi need not."""
    settings = {"draw.declare_tenpai": "true"}
    t = table(dealt("東西北"), draws="z5 z5 z6 z6", hidden="p36", dora="s1", settings=settings)
    t.play(". . . 北z6_*").pass_until(0).play(".")
    assert not t.over
    assert t.turn == "南" and t.offers("南") == ["noten"]
    t.act("南noten")
    assert [t.offers(wind) for wind in "東西北"] == [["tenpai", "noten"], ["tenpai", "noten"], []]
    t.play("東tenpai")
    assert t.deltas == (1500, -1500, -1500, 1500 - 1000)
    assert [hand is not None for hand in t.draw.hands] == [True, False, False, True]


def test_a_seat_in_tenpai_whose_turn_it_was_may_declare_it_too() -> None:
    """S-83: the drawer of the last tile is asked as the others are."""
    t = table(dealt("南"), hidden="p36", dora="s1", settings={"draw.declare_tenpai": "true"}).pass_until(0).play(".")
    assert t.offers("南") == ["tenpai", "noten"]
    assert t.play("南tenpai").deltas == (-1000, 3000, -1000, -1000)


def test_a_riichi_with_the_last_discard_leaves_the_others_their_declaration() -> None:
    """S-72, S-83 with `riichi.min_tiles = 0`: also for a seat that knows only what it has heard."""
    settings = {"draw.declare_tenpai": "true", "riichi.min_tiles": "0"}
    t = table(dealt("東南"), last="z3", hidden="p36z3", dora="s1", settings=settings).pass_until(0).play("南z3_*")
    assert t.turn == "南" and t.offers("南") == ["noten"]
    view = View(t.game.rules)
    for index in range(len(t.game.events)):
        view.hear(t.game.masked(index, 0))
    assert view.declaration() == t.act("南noten").kyoku.reaction(0, t.kyoku.action)
    assert t.play("東tenpai").deltas == (1500, 1500 - 1000, -1500, -1500)


def test_without_a_penalty_nobody_pays() -> None:
    """S-83 with `draw.noten_penalty = 0`."""
    t = table(dealt("南北"), hidden="p36", dora="s1", settings={"draw.noten_penalty": "0"}).pass_to_the_end()
    assert t.deltas == (0, 0, 0, 0)


def test_a_win_on_the_last_discard_comes_before_the_draw() -> None:
    """S-83, S-82."""
    t = table(dealt("東"), last="p3", hidden="p36", dora="s1").pass_until(0).play("南p3_ 東ron")
    assert "河底撈魚" in t.yaku
    assert "Ryukyoku" not in t.trace


def nagashi(winds: str, settings: dict[str, str] | None = None) -> Table:
    """Everybody discards what he draws: the winds named nothing but terminals and honours, the others none."""
    pool = full_set(0, 0, 0)
    outside = [tile for tile in pool if tile in TERMINALS_AND_HONOURS]
    inside = [tile for tile in pool if tile not in TERMINALS_AND_HONOURS]
    mixed = sorted(outside, key=lambda tile: (tile * 7) % 11)
    draws = "".join(NAMES[(mixed if WINDS[turn % 4] in winds else inside).pop()] for turn in range(70))
    return table(draws=draws, settings=settings).pass_to_the_end()


@cases(
    "winds, several, deltas",
    ("東", "nearest", (12000, -4000, -4000, -4000)),
    ("西", "nearest", (-4000, -2000, 8000, -2000)),
    ("南北", "nearest", (-4000, 8000, -2000, -2000)),
    ("南北", "sum", (-8000, 6000, -4000, 6000)),
    ("東西", "sum", (8000, -6000, 4000, -6000)),
)
def test_a_river_of_terminals_is_paid_as_a_mangan(winds: str, several: str, deltas: tuple[int, ...]) -> None:
    """S-90: instead of noten payments; of two the nearer one alone, or both."""
    t = nagashi(winds, {"draw.nagashi_several": several})
    assert t.draw.reason == "nagashi"
    assert t.deltas == deltas
    assert t.standing.honba == 1


def test_three_such_rivers_abort_the_kyoku() -> None:
    """S-90: as 三家和, and the dealer passes as after it (S-89); by the other rule all three are paid."""
    t = nagashi("南西北")
    assert t.draw.reason == "sanchahou"
    assert t.deltas == (0, 0, 0, 0)
    assert after(t) == (1, 1)
    assert nagashi("南西北", {"draw.nagashi_several": "sum"}).deltas == (-12000, 4000, 4000, 4000)


def test_without_the_rule_such_a_river_is_nothing() -> None:
    """S-90 with `draw.nagashi_mangan = false`."""
    assert nagashi("西", {"draw.nagashi_mangan": "false"}).draw.reason == "exhaustive"


def test_a_river_of_which_a_tile_was_called_is_no_nagashi() -> None:
    """S-90: 西 calls the first z7 of 東."""
    t = table(["", "", "z77m2"], draws="z7")
    t.play("東z7_ 西z777= 西m2").pass_to_the_end()
    assert not t.board.rivers[0].is_nagashi


def winds_discarded(rules: str = "showa") -> Table:
    return table(draws="z3 z3 z3 z3", rules=rules).play("東z3_ 南z3_ 西z3_ 北z3_")


def test_four_equal_winds_in_the_first_go_round_abort_the_kyoku() -> None:
    """S-84, S-89: nobody pays, nothing is shown, the dealer passes with a honba more."""
    t = winds_discarded()
    assert t.draw.reason == "suufon"
    assert t.draw.hands == (None,) * 4
    assert t.deltas == (0, 0, 0, 0)
    assert after(t) == (1, 1)
    assert after(winds_discarded(rules="tenhou")) == (0, 1)


def test_without_the_rule_four_winds_go_on() -> None:
    """S-84 with `abort.suufon = false`."""
    t = table(draws="z3 z3 z3 z3", settings={"abort.suufon": "false"}).play(". . . .")
    assert not t.over


@pytest.mark.parametrize("draws", ["z5 z5 z5 z5", "z3 z3 z3 z4", "m1 m1 m1 m1", "m9 z3 z3 z3"])
def test_other_discards_than_four_equal_winds_go_on(draws: str) -> None:
    """S-84."""
    assert not table(draws=draws).play(". . . .").over


def test_four_winds_with_an_ankan_or_in_the_second_go_round_go_on() -> None:
    """S-31, S-84."""
    t = table(["z111"], draws="z1 z3 z3 z3", rinshan="z3").play("東z1111 東z3_ . . .")
    assert not t.over
    t = table(draws="m1 m2 m3 m4 z3 z3 z3 z3").play(". . . . . . . .")
    assert not t.over


KANS = ["z111222333m5", "p111"]
"""東 makes three ankan with z1 and the rinshan tiles z2 and z3, 南 one with p1."""


def test_four_kans_of_two_seats_abort_the_kyoku_at_the_kan() -> None:
    """S-61, S-85, S-89: before its rinshan tile is drawn."""
    t = table(KANS, draws="z1 p1", rinshan="z2 z3 m2 m3").play("東z1111 東z2222 東z3333 東m2_ 南p1111")
    assert t.draw.reason == "suukan"
    assert t.trace[-2:] == ["OwnKan", "Ryukyoku"]
    assert after(t) == (1, 1)


def test_by_another_rule_they_abort_it_with_the_next_discard() -> None:
    """S-85 as Tenhou and majiang-core have it: a rinshan win or a ron on that discard comes first."""
    hands = ["z111222333m5", "p111m23478s55p45", "m234678s34588p34"]
    words = "東z1111 東z2222 東z3333 東m2_ 南p1111"
    late = {"abort.suukan": "discard"}
    t = table(hands, draws="z1 p1", rinshan="z2 z3 m2 m9", settings=late).play(words + " 南m9_")
    assert (t.draw.reason, t.trace[-2:]) == ("suukan", ["TileDiscard", "Ryukyoku"])
    t = table(hands, draws="z1 p1", rinshan="z2 z3 m2 p5", settings=late).play(words + " 南p5_ 西ron")
    assert t.win.seat == 2


def test_a_fourth_kan_that_is_robbed_aborts_nothing() -> None:
    """S-85: 西 robs it with 国士無双."""
    hands = ["m222333444", "z111", "m119p19s19z234567"]
    t = table(hands, draws="m2 z1", rinshan="m3 m4 s5").play("東m2222 東m3333 東m4444 東s5_ 南z1111 西ron")
    assert t.yaku == ["国士無双"]


def test_a_fourth_riichi_aborts_the_kyoku_once_it_stands() -> None:
    """S-74, S-86, S-89: its stick is paid, all hands are shown, the dealer stays."""
    words = "東z5_* 南z6_* 西z7_* 北z4_*"
    t = table(list(READY), draws="z5 z6 z7 z4", hidden="p36", dora="s1").play(words)
    assert t.draw.reason == "suucha"
    assert t.deltas == (-1000,) * 4
    assert None not in t.draw.hands
    assert (after(t), t.standing.sticks) == ((0, 1), 4)
    off = {"abort.suucha": "false"}
    assert not table(list(READY), draws="z5 z6 z7 z4", hidden="p36", dora="s1", settings=off).play(words).over


def test_a_fourth_riichi_whose_tile_is_ronned_aborts_nothing() -> None:
    """S-73, S-86."""
    t = table(list(READY), draws="z5 z6 z7 p3", dora="s1").play("東z5_* 南z6_* 西z7_* 北p3_* 東ron")
    assert t.wins[0].seat == 0
    assert t.board.deposited == [True, True, True, False]


def test_nine_kinds_of_terminals_and_honours_may_abort_the_kyoku() -> None:
    """S-87, S-89: in the first own draw; the hand is shown and the dealer stays."""
    t = table(["", NINE], draws="m3 m3").play(".")
    assert "kyuushu" in t.offers("南")
    t.play("南kyuushu")
    assert t.draw.reason == "kyuushu"
    assert [hand is not None and len(hand) for hand in t.draw.hands] == [False, 14, False, False]
    assert after(t) == (0, 1)


def test_nine_kinds_need_not_be_declared_and_cannot_be_declared_later() -> None:
    """S-87."""
    t = table(["", NINE], draws="m3 m3 m4 m4 m5 m6").play(". 南m3_ . . .")
    assert "kyuushu" not in t.offers("南")


@pytest.mark.parametrize(("drawn", "offered"), [("z3", True), ("z2", False), ("m5", False)])
def test_the_drawn_tile_counts_among_the_nine_kinds(drawn: str, offered: bool) -> None:
    """S-87."""
    t = table([EIGHT], draws=drawn)
    assert ("kyuushu" in t.offers("東")) is offered


@cases("hands, words", (["z777m3", NINE], "東z7777 東m3"), (["m3", NINE, "", "z77m3"], "東z7_ 北z777+ 北m3 ."))
def test_after_a_call_or_kan_nine_kinds_cannot_be_declared(hands: list[str], words: str) -> None:
    """S-31, S-87."""
    t = table(hands, draws="z7").play(words)
    assert t.turn == "南" and "kyuushu" not in t.offers("南")


def test_without_the_rule_nine_kinds_are_nothing() -> None:
    """S-87 with `abort.kyuushu = false`."""
    t = table([NINE], draws="m3", settings={"abort.kyuushu": "false"})
    assert "kyuushu" not in t.offers("東")


def test_sticks_stay_on_the_table_after_every_draw() -> None:
    """S-75."""
    assert table(["", NINE], draws="m3 m3", sticks=3).play(". 南kyuushu").standing.sticks == 3
    assert winds_discarded().standing.sticks == 0
