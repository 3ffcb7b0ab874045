"""Who is tenpai, who may win on it, the three kinds of furiten; and what is kept of each hand so that most tiles
interest nobody at once."""

import random

import pytest

from jantaku.table.ground.port import Action
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.ruleset import preset
from tests.kit.position import table

PINFU = "m234678s34588p34"
"""Waits for p2 and p5 with 平和 and 断么九."""
HALF = "m234789s234p34z55"
"""Waits for p2 (三色同順) and for p5 (no yaku)."""


def test_a_wait_in_the_own_river_forbids_every_ron() -> None:
    """S-70, S-77: p2 lies in the river, so p5 is no ron either; a tsumo is."""
    t = table([PINFU], draws="p2 p5 z1 z2 p5").play("東p2_")
    assert t.act("南p5_").offers("東") == []
    assert "tsumo" in t.play("西z1_ 北z2_").offers("東")


def test_a_called_tile_still_counts_as_the_own_river() -> None:
    """S-77."""
    t = table([PINFU, "", "p22"], draws="p2 p5").play("東p2_ 西p222=")
    t.play("西" + t.offers("西")[0])
    assert "ron" not in t.act("北p5_").offers("東")


def test_who_lets_a_winning_tile_go_cannot_win_until_his_next_discard() -> None:
    """S-70, S-77, S-34: the second tile too, and the next go-round is free again."""
    t = table([PINFU], draws="z7 p5 p2 z1 z6 p2")
    assert t.act("東z7_ 南p5_").offers("東") == ["ron", "pass"]
    assert t.act("西p2_").offers("東") == []
    assert t.play("北z1_ 東z6_").act("南p2_").offers("東") == ["ron", "pass"]


def test_letting_a_tile_go_without_having_a_yaku_is_furiten_too() -> None:
    """S-70, S-77: p5 completes the shape only; the p2 after it would have been worth something."""
    t = table([HALF], draws="z7 p5 p2 z1 z6 p2")
    assert t.act("東z7_ 南p5_").offers("東") == []
    assert t.act("西p2_").offers("東") == []
    assert t.play("北z1_ 東z6_").act("南p2_").offers("東") == ["ron", "pass"]


def test_who_lets_a_tile_go_in_riichi_can_only_win_by_tsumo() -> None:
    """S-77."""
    t = table([PINFU], draws="z7 p5 z1 z2 z6 p5 z1 z2 p2")
    assert t.act("東z7_* 南p5_").offers("東") == ["ron", "pass"]
    assert t.play("西z1_ 北z2_ 東z6_").act("南p5_").offers("東") == []
    assert "tsumo" in t.play("西z1_ 北z2_").offers("東")


def test_riichi_while_furiten_is_allowed() -> None:
    """S-77: with p2 in the river."""
    t = table([PINFU], draws="p2 z1 z2 z3 z7 p5").play("東p2_ . . .")
    assert "z7_*" in t.offers("東")
    assert t.act("東z7_* 南p5_").offers("東") == []


def test_letting_a_robbable_kakan_go_is_furiten() -> None:
    """S-56, S-77: 西 passes the kakan of p5 and cannot win on the rinshan tile's discard."""
    hands = ["p55m199p19s19z1234", "", PINFU]
    t = table(hands, draws="z6 p5 z3 z4 z7 p5", rinshan="p2").play("東z6_ 南p5_ 東p555+ 東m1 南z3_ 西z4_ 北z7_")
    assert t.act("東p555+5").offers("西") == ["ron", "pass"]
    assert t.act("東p2_").offers("西") == []


def test_letting_an_ankan_go_that_kokushi_could_rob_is_furiten() -> None:
    """S-57, S-77: where the rules allow to rob it, and only for kokushi."""
    hands = ["z111m2468p2468s24", "m119p19s19z234567"]
    for allowed, furiten in (("true", True), ("false", False)):
        t = table(hands, draws="z1", rinshan="s6", settings={"call.kokushi_ankan": allowed}).play("東z1111")
        assert t.kyoku.ready.missed[1] is furiten
    t = table(["p222m2468p68s2467", PINFU], draws="p2", rinshan="s6").play("東p2222")
    assert not t.kyoku.ready.missed[1]


def test_a_wait_of_which_all_four_are_concealed_is_no_tenpai() -> None:
    """S-71: the hand could only wait for its own m1."""
    t = table(["m1111p123s789z111"], draws="z7")
    assert [offer for offer in t.offers("東") if offer.endswith("*")] == ["m1*"]  # which waits for z7, not m1
    assert t.kyoku.ready.waits[0] == 0


@pytest.mark.parametrize("counts", [True, False])
def test_a_wait_that_lies_in_the_own_melds_is_tenpai_by_rule(counts: bool) -> None:
    """S-71: 東 waits for m3, of which it called two and holds two in its melds."""
    settings = {"draw.own_four_is_tenpai": str(counts).lower()}
    t = table(["m334512p789z1167"], draws="z5 z5 z5 m3 z3 z3 m3", settings=settings)
    t.play("東z5_ . . 北m3_ 東m333- 東z6 . . 北m3_ 東m3-45 東z7").pass_to_the_end()
    assert t.draw.reason == "exhaustive"
    assert (t.draw.hands[0] is not None) is counts
    assert (t.deltas[0] > 0) is counts


PRESETS = ("tenhou", "showa", "mahjongsoul")


def picked(chance: random.Random, options: tuple[Action, ...]) -> Action:
    """Any option; mostly a discard of the drawn tile or a pass, or games of chance alone would never get to tenpai."""
    return options[-1] if chance.random() < 0.5 else chance.choice(options)


def check_hands(game: RiichiGame) -> int:
    """Waits are exact and the bound of the shanten holds, for every hand without a drawn tile."""
    kyoku = game.kyoku
    tenpai = 0
    for seat, hand in enumerate(kyoku.board.hands):
        if hand.drawn is None and hand.size % 3 == 1:
            assert kyoku.ready.waits[seat] == shapes.waits(hand.counts)
            assert 0 <= kyoku.ready.far[seat] <= shapes.shanten(hand.counts)
            tenpai += bool(kyoku.ready.waits[seat])
    return tenpai


@pytest.mark.parametrize("name", PRESETS)
def test_nothing_is_overlooked_in_random_games(name: str) -> None:
    """S-44: who is not named by the quick test has no reaction; who is tenpai is known to be, and for what."""
    rules = preset(name)
    turns = reactions = tenpai = 0
    for seed in range(4):
        chance = random.Random(seed)
        game = RiichiGame(rules, walls_from(f"ready {seed}", 0, rules), ("a", "b", "c", "d"))
        while (turn := game.turn()) is not None:
            turns += 1
            action = picked(chance, turn.choice.options)
            game.act(action)
            named = game.reacting()
            responses: list[Action | None] = [None] * 4
            for seat in range(4):
                choice = game.reaction(seat, action) if seat != turn.seat else None
                assert choice is None or seat in named
                if choice is not None:
                    reactions += 1
                    responses[seat] = picked(chance, choice.options)
            tenpai += check_hands(game)
            game.rule(responses)
    assert turns > 1500 and reactions > 300 and tenpai > 10
