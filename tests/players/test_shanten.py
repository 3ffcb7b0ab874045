"""What Shanten does in positions where the right answer is plain, and what Allround makes of ranks. Whole games:
test_bots.py."""

from typing import Any

import msgspec
import pytest

from jantaku.players.base import RiichiPlayer
from jantaku.players.bots.allround import Allround
from jantaku.players.bots.danger import danger
from jantaku.players.bots.prospects import Ranking, chance_of
from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi.actions import KYUUSHU, PASS, RON, TENPAI, TSUMO, Call, Kan
from jantaku.table.riichi.law.legal import DECLARE_TENPAI
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.tiles import TILE, mask_of
from jantaku.table.riichi.ruleset import preset
from tests.kit.cases import cases
from tests.players.driving import answered, discard_of, tiles

FAR = "m4567 p3467 s257 z12"
"""A hand so far from tenpai that it folds to a riichi."""
Bot = type[RiichiPlayer]
BOTH = pytest.mark.parametrize("bot", [Shanten, Allround])


def answer(hand: str, bot: Bot = Shanten, **more: Any) -> Action:
    return answered(bot(), hand, **more)


def discarded(hand: str, drawn: str, bot: Bot = Shanten, **more: str) -> str:
    return discard_of(bot(), hand, drawn, **more)


@BOTH
def test_a_win_is_taken(bot: Bot) -> None:
    assert answer("m234 p234 s23488 z66", drawn="z6", bot=bot) == TSUMO
    assert answer("m234 p234 s23488 p67", seat=1, passed="p8", bot=bot) == RON


@BOTH
def test_tenpai_is_declared_at_an_empty_wall(bot: Bot) -> None:
    """S-38."""
    assert bot().answer(Question(1, 0, DECLARE_TENPAI)) == TENPAI


@BOTH
def test_tenpai_is_reached_with_riichi_and_the_widest_wait(bot: Bot) -> None:
    """1p leaves a pair of 5p and the open end 34p; a 5p would leave a closed wait or none."""
    assert discarded("m123456 s789 p1345", "p5", bot=bot) == "p1*"


@BOTH
def test_a_wait_of_which_nothing_is_left_is_no_riichi(bot: Bot) -> None:
    hand = "m123456 s456 p24 z11"
    assert discarded(hand, "s9", passed="m9 p3 p3 p3", bot=bot) == "s9*"
    assert discarded(hand, "s9", passed="p3 p3 p3 p3", bot=bot) == "s9"


def test_what_leaves_the_widest_ukeire_goes() -> None:
    assert discarded("m13456 p234 s5678 z3", "m4") == "z3"


def test_where_the_shape_does_not_care_an_honour_goes_before_a_terminal() -> None:
    assert discarded("m1567 p234678 s55 z3", "s9") == "z3"


@BOTH
def test_where_the_shape_does_not_care_the_dora_is_kept(bot: Bot) -> None:
    hand = "m23467 p23467 s55 z3"
    assert discarded(hand, "z2", indicator="z1", bot=bot) == "z3"
    assert discarded(hand, "z2", indicator="z2", bot=bot) == "z2"


@BOTH
def test_of_the_same_kind_a_plain_five_goes_before_a_red_one(bot: Bot) -> None:
    assert discarded("m123456 p06 s11789", "p5", bot=bot) == "p5*"


@BOTH
def test_nine_kinds_are_aborted_and_ten_are_played_for_kokushi(bot: Bot) -> None:
    """S-87."""
    assert answer("m19 p19 s19 z12 m2345 p5", drawn="z3", bot=bot) == KYUUSHU
    assert discarded("m19 p19 s19 z123 m234 p5", "z4", bot=bot) in {"m2", "m3", "m4", "p5"}


@BOTH
def test_a_far_hand_discards_what_is_safe_against_a_riichi(bot: Bot) -> None:
    assert discarded(FAR, "s9", passed="m9 m6 z7 z7", bot=bot) != "m6"
    assert discarded(FAR, "s9", passed="m9 m6* z7 z7", bot=bot) == "m6"


@BOTH
def test_what_passed_a_riichi_is_safe_too(bot: Bot) -> None:
    assert discarded(FAR, "s9", passed="m9 z6* z7 m6", bot=bot) == "m6"
    assert discarded(FAR, "s9", passed="m9 m6 z7 z6*", bot=bot) != "m6"


@BOTH
def test_without_a_safe_tile_suji_goes(bot: Bot) -> None:
    """4s makes 7s suji."""
    assert discarded(FAR, "s9", passed="m9 s4 z7 z7", bot=bot) == "z2"
    assert discarded(FAR, "s9", passed="m9 s4* z7 z7", bot=bot) == "s7"


def test_without_suji_an_honour_goes_of_which_few_are_left() -> None:
    pair = FAR.replace("z12", "z11")
    assert discarded(pair, "s9", passed="m9 z7 z7 z6") == "s2"
    assert discarded(pair, "s9", passed="m9 z7* z7 z6") == "z1"


@BOTH
def test_a_tenpai_hand_goes_on_against_a_riichi(bot: Bot) -> None:
    """It holds 3m, which is safe, and keeps it."""
    assert discarded("m123456 s456 p24 z11", "s9", passed="m9 m3* z7 z7", bot=bot) == "s9*"


def test_one_step_away_a_dangerous_tile_is_kept_back() -> None:
    """Without the riichi the lone 5s goes; with it the hand gives a safe 1m instead."""
    hand = "m123456 p24688 z11"
    assert discarded(hand, "s5", passed="m9 m1 z7 z7") == "s5"
    assert discarded(hand, "s5", passed="m9 m1* z7 z7") == "m1"


@cases(
    "safer, riskier",
    ("m1", "m4"),
    ("m1", "m9"),
    ("m2", "m3"),
    ("m4", "p4"),
    ("p1", "p2"),
    ("p2", "p3"),
    ("p3", "p5"),
    ("z1", "z2"),
)
def test_dangers_are_ordered_as_everybody_learns_them(safer: str, riskier: str) -> None:
    """5m and 7m are safe, so 2m and 4m are suji; all 2m are seen, a wall before 1m; three 1z are seen, one 2z."""
    safe, gone = mask_of(tiles("m57")), mask_of(tiles("m2"))
    seen = {TILE["z1"]: 3, TILE["z2"]: 1, TILE["m2"]: 4}
    low, high = (danger(TILE[name], safe, seen.get(TILE[name], 0), gone) for name in (safer, riskier))
    assert low < high


@BOTH
@cases("tile, seat, calls", ("z6", 1, True), ("z2", 1, True), ("z1", 1, True), ("z4", 1, False))
def test_a_pon_needs_a_yaku(bot: Bot, tile: str, seat: int, calls: bool) -> None:
    """發, the own wind 南 and the round wind 東 are yaku, 北 is none."""
    rank = tile[1]
    action = answer(f"m12357 p1458 s88 z{rank}{rank}", seat=seat, passed=tile, bot=bot)
    assert isinstance(action, Call) if calls else action == PASS


@BOTH
def test_a_hand_is_opened_for_tanyao_and_not_without(bot: Bot) -> None:
    assert isinstance(answer("m34523 p456 s4688 z3", seat=1, passed="s5", bot=bot), Call)
    assert answer("m12399 p456 s4688 z3", seat=1, passed="s5", bot=bot) == PASS
    assert answer("m34523 p456 s4688 z3", seat=1, passed="m1", bot=bot) == PASS


def test_nothing_far_is_called_against_a_riichi() -> None:
    hand = "m12357 p1458 s88 z66"
    assert isinstance(answer(hand, seat=1, passed="m9 m9 m9 m9 z6"), Call)
    assert answer(hand, seat=1, passed="m9 m9 m9 m9* z6") == PASS


def test_an_ankan_is_made_where_it_costs_nothing() -> None:
    assert isinstance(answer("m11199 p456 s4688 z3", drawn="m1"), Kan)
    assert not isinstance(answer("m11123 p456 s46688", drawn="m1"), Kan)


def test_a_useful_kan_is_not_made_against_a_riichi_by_a_hand_that_is_not_tenpai() -> None:
    assert not isinstance(answer("m11199 p456 s4688 z3", drawn="m1", passed="m9 z7* z7 z7"), Kan)


def test_a_far_hand_is_not_opened_for_tanyao() -> None:
    assert answered(Allround(), "m2469 p2579 s3368 z3", seat=1, passed="s3") == PASS


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
