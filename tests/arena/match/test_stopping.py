"""When a match ends early: the SPRT keeps its promises, and the order in which hanchan end does not matter."""

import random

import numpy as np
import pytest

from jantaku.table.arena.match.figures.statistics import Mean
from jantaku.table.arena.match.figures.stops import Stopping, sprt
from jantaku.table.arena.match.matchfile import Stop
from scripts.intervals import match
from tests.arena.match.matches import line, small_plan

TEST = Stop(sprt=True, rank0=2.5, rank1=2.4, alpha=0.05, beta=0.05)


def alike(rank: float, sets: int) -> Mean:
    ranks = Mean()
    for _ in range(sets):
        ranks.add(rank)
    return ranks


def accepted(mean: float, runs: int) -> tuple[float, float]:
    """The shares of simulated matches that accept H0 and H1, where sets of four have this mean rank."""
    numbers = np.random.default_rng(4)
    verdicts = {"H0": 0, "H1": 0}
    for _ in range(runs):
        ranks = Mean()
        for rank in numbers.normal(mean, 0.5, 2000).clip(1, 4):
            ranks.add(rank)
            found = sprt(ranks, TEST)
            if ranks.count % 10 == 0 and found.accepted:
                verdicts[found.accepted] += 1
                break
    return verdicts["H0"] / runs, verdicts["H1"] / runs


def test_the_sprt_is_wrong_no_more_often_than_it_says() -> None:
    wrong = accepted(2.5, 300)[1]
    assert wrong <= 0.05 + 3 * (0.05 * 0.95 / 300) ** 0.5
    wrong = accepted(2.4, 300)[0]
    assert wrong <= 0.05 + 3 * (0.05 * 0.95 / 300) ** 0.5


def test_the_sprt_finds_what_is_there() -> None:
    assert accepted(2.3, 50) == (0.0, 1.0)
    assert accepted(2.6, 50) == (1.0, 0.0)


def around(rank: float, away: float, sets: int) -> Mean:
    ranks = Mean()
    for number in range(sets):
        ranks.add(rank + (away if number % 2 else -away))
    return ranks


def test_the_further_a_player_is_from_both_hypotheses_the_clearer_the_test() -> None:
    """An ordinary generalised SPRT has about -26 after 20 sets of mean rank 3.575 ± 0.13, which are too few to know
    that they vary so little."""
    gate = Stop(sprt=True, rank0=2.6, rank1=2.5)
    assert sprt(around(3.575, 0.27, 20), gate).accepted == "H0"
    near, far = (sprt(around(rank, 0.27, 200), gate).llr for rank in (2.75, 3.575))
    assert far == pytest.approx(-0.1 * (7.15 - 5.1) * 200 * 197 / (2 * 200 * 0.27**2)) and far < 5 * near < 0


def test_a_player_far_behind_is_refused_as_soon_as_a_match_may_stop() -> None:
    assert match(np.random.default_rng(4).normal(3.5, 0.5, 100).clip(1, 4).tolist()) == ("H0", 20)


def test_the_sprt_does_not_speak_before_it_has_seen_enough_sets() -> None:
    assert sprt(around(1.75, 0.5, 19), TEST).accepted == ""
    assert sprt(around(1.75, 0.5, 20), TEST).accepted == "H1"


def test_sets_that_are_all_alike_decide_for_what_they_show_once_there_are_enough() -> None:
    """Four equal players on the same walls: every set has mean rank 2.5 exactly."""
    assert sprt(alike(2.5, 64), TEST).accepted == sprt(alike(2.4, 64), TEST).accepted == ""
    assert sprt(alike(2.5, 65), TEST).accepted == "H0"
    assert sprt(alike(2.4, 65), TEST).accepted == "H1"
    assert abs(sprt(alike(2.5, 65), TEST).llr) < 3.1


def test_a_player_that_is_worse_by_rare_blunders_alone_is_passed_hardly_more_often_than_the_test_says() -> None:
    """In one set of 15 it is last four times, else equal: what was not seen in 20 sets may come yet."""
    rare = np.random.default_rng(4).random((600, 1000)) < 1 / 15
    gate = Stop(sprt=True, rank0=2.6, rank1=2.5)
    passed = sum(match(np.where(run, 4.0, 2.5).tolist(), gate)[0] == "H1" for run in rare) / 600
    assert passed <= 0.10


@pytest.mark.parametrize("seed", range(5))
def test_a_match_stops_at_the_same_set_in_whatever_order_hanchan_end(seed: int) -> None:
    plan = small_plan(sets=60, stop_ci=0.3, stop_least=5)
    numbers = random.Random(1)
    lines = [line(game, game // 4, _seated(game % 4), numbers.sample(range(1, 5), 4)) for game in range(plan.games)]
    in_order = Stopping(plan)
    for one in lines:
        in_order.add(one)
    assert 5 <= in_order.sets < 60 and in_order.reason.startswith("the interval of the mean rank is ±")
    assert in_order.stands.endswith(" at any look"), "the table's interval is another one"
    shuffled = Stopping(plan)
    random.Random(seed).shuffle(lines)
    for one in lines:
        shuffled.add(one)
    assert (shuffled.sets, shuffled.reason, shuffled.estimate) == (in_order.sets, in_order.reason, in_order.estimate)


def _seated(place: int) -> list[str]:
    names = ["tsumogiri"] * 4
    names[place] = "dice"
    return names


def test_a_match_without_a_rule_goes_to_its_end() -> None:
    plan = small_plan(sets=6)
    stopping = Stopping(plan)
    for game in range(plan.games):
        stopping.add(line(game, game // 4, _seated(game % 4), (1, 2, 3, 4)))
    assert (stopping.sets, stopping.reason, stopping.test) == (6, "", None)
