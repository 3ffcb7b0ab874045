"""The model of a league: what it finds, how sure it is of it, and whom it seats next."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jantaku.table.arena.league.strength import MIDDLE, SCALE, array_of, fitted, next_tables
from scripts.intervals import MadeUp, conducted, covered


def made_up(*strength: float, tables: int = 40, seed: int = 1) -> MadeUp:
    """A league that has played."""
    made = MadeUp(strength, 0.5, np.random.default_rng(seed))
    conducted(made, tables)
    return made


@pytest.mark.parametrize(("seats", "widest"), [(4, 60), (3, 70)])
def test_the_intervals_hold_the_truth_as_often_as_they_say(seats: int, widest: int) -> None:
    ratings, leads, half = covered(40, 6, 32, 0.5, seed=3, seats=seats)
    assert 0.92 <= ratings <= 0.98 and 0.92 <= leads <= 0.98
    assert half < widest


def test_a_hundred_points_are_a_chance_of_64_percent() -> None:
    assert 1 / (1 + math.exp(-100 / SCALE)) == pytest.approx(0.640, abs=1e-3)
    made = MadeUp((0.0, 100 / SCALE, 0.0, 0.0), 0.5, np.random.default_rng(1))
    for _ in range(1000):
        made.play(range(4))
    places = [(list(order).index(1), list(order).index(0)) for order in made.orders]
    assert np.mean([one < other for one, other in places]) == pytest.approx(0.640, abs=0.02)
    assert made.known().lead(1, 0).mean == pytest.approx(100, abs=15)


def test_an_anchor_keeps_its_rating_and_the_others_are_told_from_it() -> None:
    made = made_up(0.0, 0.3, -0.3, 0.1)
    known = fitted(array_of(made.orders), np.array(made.sets), 4, {0: 1800.0})
    free = made.known()
    assert known.rating(0).mean == pytest.approx(1800) and known.rating(0).half == 0.0
    assert known.rating(1).mean - 1800 == pytest.approx(free.lead(1, 0).mean, abs=6)


def test_without_anchors_the_mean_of_those_who_played_is_the_middle() -> None:
    known = made_up(0.5, 0.3, -0.3, 0.1, -0.4).known()
    assert np.mean([known.rating(bot).mean for bot in range(5)]) == pytest.approx(MIDDLE)


def test_a_bot_that_has_not_played_has_no_interval() -> None:
    known = fitted(array_of([]), np.array([], dtype=np.int64), 5)
    assert known.rating(3).half is None and known.rating(3).mean == MIDDLE


@given(st.permutations(range(4)), st.integers(1, 30))
@settings(max_examples=20, deadline=None)
def test_who_always_ends_in_one_order_is_ranked_in_it_and_nothing_is_infinite(order: list[int], hanchan: int) -> None:
    known = fitted(array_of([order] * hanchan), np.arange(hanchan), 4)
    ratings = [known.rating(bot).mean for bot in order]
    assert ratings == sorted(ratings, reverse=True)
    assert all(abs(rating - MIDDLE) < 2000 for rating in ratings)


def test_a_new_bot_plays_at_once_and_its_opponents_are_near_in_strength() -> None:
    made = made_up(1.5, 1.0, 0.5, 0.0, -0.5, -1.0, tables=150)
    known = fitted(array_of(made.orders), np.array(made.sets), 7)
    for table in next_tables(known, range(7), (), 3):
        assert 6 in table
    (first,) = next_tables(known, range(7), (), 1)
    assert set(first) <= {6, 1, 2, 3, 4, 5}, "nothing is learnt from the strongest of all, who wins anyway"


def test_tables_that_are_planned_already_are_not_chosen_once_more() -> None:
    known = made_up(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, tables=16).known()
    (first,) = next_tables(known, range(8), (), 1)
    (second,) = next_tables(known, range(8), (first,), 1)
    assert first != second
    assert next_tables(known, range(8), (), 2) == [first, second]


def test_only_bots_of_the_pool_are_seated() -> None:
    known = made_up(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, tables=8).known()
    assert {bot for table in next_tables(known, (0, 2, 3, 5), (), 4) for bot in table} == {0, 2, 3, 5}
