"""The value of a standing: ranks and points that add up, and the rules' own where the game is over."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jantaku.table.riichi.flow import hanchan, worth
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.flow.worth import SPREAD, StandingWorth, spread_of
from jantaku.table.riichi.ruleset import preset

RULES = preset("tenhou")
SCORES = st.lists(st.integers(-200, 600), min_size=3, max_size=3).map(
    lambda three: (*(100 * score for score in three), 100_000 - 100 * sum(three))
)


def standing(scores: tuple[int, ...], number: int = 4) -> Standing:
    a, b, c, d = scores
    return Standing(number, 0, 0, (a, b, c, d), 7)


@settings(max_examples=40, deadline=None)
@given(SCORES, st.integers(0, 9))
def test_expected_ranks_and_points_add_up(scores: tuple[int, ...], number: int) -> None:
    worth = StandingWorth(RULES)
    outlooks = [worth.outlook(standing(scores, number), False, player, 0) for player in range(4)]
    assert sum(one.rank for one in outlooks) == pytest.approx(10)
    assert sum(one.points for one in outlooks) == pytest.approx(0, abs=0.05)
    by_score = sorted(range(4), key=lambda player: scores[player])
    assert all(outlooks[a].rank >= outlooks[b].rank - 1e-9 for a, b in itertools.pairwise(by_score))


@given(SCORES)
def test_at_the_end_rank_and_points_are_those_of_the_rules(scores: tuple[int, ...]) -> None:
    at = standing(scores, 8)
    end = hanchan.final(at, RULES, 2)
    for player in range(4):
        outlook = StandingWorth(RULES).outlook(at, True, player, 2)
        assert (outlook.rank, outlook.points) == (end.ranks[player], end.tenths[player] / 10)


def test_a_lead_is_worth_more_the_less_is_left() -> None:
    scores = (33_000, 23_000, 22_000, 22_000)
    ranks = [StandingWorth(RULES).outlook(standing(scores, number), False, 0, 0).rank for number in range(8)]
    assert ranks == sorted(ranks, reverse=True) and 1 < ranks[-1] < ranks[0] < 2.5


def test_of_three_ranks_and_points_add_up_too() -> None:
    worth = StandingWorth(preset("tenhou-3p"))
    at = Standing(4, 0, 0, (52_000, 33_000, 20_000), 5)
    outlooks = [worth.outlook(at, False, player, 0) for player in range(3)]
    assert sum(one.rank for one in outlooks) == pytest.approx(6)
    assert sum(one.points for one in outlooks) == pytest.approx(0, abs=0.05)


def test_the_spread_is_what_differences_have_moved_by_a_kyoku_of_the_plan() -> None:
    up, down = (26_000, 25_000, 25_000, 24_000), (25_000,) * 4
    games = [[standing(up if place % 2 else down, place) for place in range(9)]] * 3
    of_a_kyoku = (2000**2 + 4 * 1000**2) / 6
    assert spread_of(games) == pytest.approx(math.sqrt(of_a_kyoku))
    assert spread_of([]) == SPREAD


def test_the_nodes_are_those_that_numpy_works_out() -> None:
    nodes, weights = np.polynomial.hermite_e.hermegauss(15)
    assert np.allclose([*zip(nodes, weights, strict=True)], worth._NODES, rtol=1e-12, atol=1e-14)
