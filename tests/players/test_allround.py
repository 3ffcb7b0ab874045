"""What Allround makes of ranks. Plain positions: test_shanten.py; whole games: test_bots.py."""

import msgspec

from jantaku.players.bots.allround import Allround
from jantaku.players.bots.prospects import Ranking, chance_of
from jantaku.table.riichi.actions import PASS
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.ruleset import preset
from tests.players.driving import answered


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
