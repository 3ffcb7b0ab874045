"""What Allround does in positions where the right answer is plain, and that it plays every game to its end."""

import random
from typing import Any

import msgspec
import pytest

from jantaku.players.base import RiichiPlayer
from jantaku.players.bots.allround import Allround
from jantaku.players.bots.prospects import Ranking, chance_of
from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import KYUUSHU, PASS, RON, TENPAI, TSUMO, Call
from jantaku.table.riichi.law.legal import DECLARE_TENPAI
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.ruleset import PRESETS, preset
from tests.players.driving import answered, discard_of, new_game, play

FAR = "m4567 p3467 s257 z12"
"""A hand far from tenpai."""


def answer(hand: str, **more: Any) -> Action:
    return answered(Allround(), hand, **more)


def discarded(hand: str, drawn: str, **more: str) -> str:
    return discard_of(Allround(), hand, drawn, **more)


# --- winning


def test_a_win_is_taken() -> None:
    assert answer("m234 p234 s23488 z66", drawn="z6") == TSUMO
    assert answer("m234 p234 s23488 p67", seat=1, passed="p8") == RON


def test_tenpai_is_declared_at_an_empty_wall() -> None:
    assert Allround().answer(Question(1, 0, DECLARE_TENPAI)) == TENPAI


# --- discards


def test_tenpai_is_reached_with_riichi_and_the_widest_wait() -> None:
    assert discarded("m123456 s789 p1345", "p5") == "p1*"


def test_a_wait_of_which_nothing_is_left_is_no_riichi() -> None:
    assert discarded("m123456 s456 p24 z11", "s9", passed="p3 p3 p3 p3") == "s9"


def test_of_equal_shapes_the_one_with_the_dora_is_kept() -> None:
    hand = "m23467 p23467 s55 z3"
    assert discarded(hand, "z2", indicator="z1") == "z3"
    assert discarded(hand, "z2", indicator="z2") == "z2"


def test_of_the_same_kind_a_plain_five_goes_before_a_red_one() -> None:
    assert discarded("m123456 p06 s11789", "p5") == "p5*"


def test_nine_kinds_are_aborted() -> None:
    assert answer("m19 p19 s19 z12 m2345 p5", drawn="z3") == KYUUSHU


# --- against a riichi


def test_a_far_hand_folds_to_a_riichi() -> None:
    assert discarded(FAR, "s9", passed="m9 m6 z7 z7") != "m6"
    assert discarded(FAR, "s9", passed="m9 m6* z7 z7") == "m6"


def test_what_passed_a_riichi_is_safe_too() -> None:
    assert discarded(FAR, "s9", passed="m9 z6* z7 m6") == "m6"


def test_without_a_safe_tile_suji_goes() -> None:
    assert discarded(FAR, "s9", passed="m9 s4* z7 z7") == "s7"


def test_a_tenpai_hand_of_worth_goes_on_against_a_riichi() -> None:
    """It holds 3m, which is safe, and keeps it."""
    assert discarded("m123456 s456 p24 z11", "s9", passed="m9 m3* z7 z7") == "s9*"


# --- calls


@pytest.mark.parametrize(("tile", "calls"), [("z6", True), ("z2", True), ("z1", True), ("z4", False)])
def test_a_pon_needs_a_yaku(tile: str, calls: bool) -> None:
    """發, the own wind 南 and the round wind 東 are yaku, 北 is none."""
    action = answer(f"m12345 p45 s688 z{tile[1]}{tile[1]} p9", seat=1, passed=tile)
    assert isinstance(action, Call) if calls else action == PASS


def test_a_hand_is_opened_for_tanyao_and_not_without() -> None:
    assert isinstance(answer("m34523 p456 s4688 z3", seat=1, passed="s5"), Call)
    assert answer("m12399 p456 s4688 z3", seat=1, passed="s5") == PASS
    assert answer("m34523 p456 s4688 z3", seat=1, passed="m1") == PASS


def test_a_far_hand_is_not_opened_for_tanyao() -> None:
    assert answer("m2469 p2579 s3368 z3", seat=1, passed="s3") == PASS


# --- ranks


def board_at(scores: tuple[int, ...], kyoku: int, length: str = "tonpu") -> Ranking:
    """What points are worth to 南 at these scores, by seat."""
    rules = preset("tenhou")
    rules = msgspec.structs.replace(rules, game=msgspec.structs.replace(rules.game, length=length))
    board = Board(rules)
    board.start(0, kyoku, 0, 0, scores, 0, (None,) * 4)
    return Ranking(board, 1, rules)


def test_in_the_last_kyoku_a_win_is_worth_the_rank_that_it_brings() -> None:
    third = board_at((40000, 22000, 23500, 14500), 3)
    assert third.worth(2000) - third.worth(1000) > 5000
    assert third.worth(8000) - third.worth(2000) < 1500


def test_a_safe_first_place_gains_little_by_more_points_and_loses_much_by_a_large_hand() -> None:
    first = board_at((15000, 41000, 27000, 17000), 3)
    assert abs(first.worth(8000) - first.worth(1000)) < 1500
    assert first.worth(-18000) < -5000


def test_early_points_are_worth_about_as_many_whatever_they_make() -> None:
    early = board_at((25000,) * 4, 0, "hanchan")
    assert 1.6 < early.worth(8000) / early.worth(4000) < 2.1


def test_a_chance_grows_with_draws_and_with_the_width_of_the_wait() -> None:
    chances = [chance_of((width,), 80, draws, 0.4, 0.95) for width, draws in ((4.0, 4), (4.0, 10), (8.0, 10))]
    assert 0 < chances[0] < chances[1] < chances[2] < 1


# --- whole games


@pytest.mark.parametrize("rules", PRESETS)
def test_whole_games_are_played_without_a_fault_under_every_preset(rules: str) -> None:
    """`play` refuses every answer that is not an option."""
    seats = preset(rules).game.players
    bots: list[RiichiPlayer] = [Allround() if seat % 2 == 0 else Shanten() for seat in range(seats)]
    assert isinstance(play(new_game(f"all {rules}", preset(rules)), bots).events[-1], events.HanchanEnd)


def test_the_same_walls_are_played_alike_whatever_others_draw_at_random() -> None:
    def game(seed: int) -> list[events.Event]:
        random.seed(seed)
        return play(new_game("alike"), [Allround(seed=seed) for _ in range(4)]).events

    assert game(1) == game(2)
