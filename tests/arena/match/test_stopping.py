"""When a match ends early: the SPRT keeps its promises, intervals bear to be looked at after every set, and a player
that is faulty ends it, as soon as that is sure. Against simulations whose truth is known."""

import json
import random
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku.table.arena.match.figures.faultiness import is_certain
from jantaku.table.arena.match.figures.looks import Looks, squared_half
from jantaku.table.arena.match.figures.statistics import Interval, Mean, sets_to_decide
from jantaku.table.arena.match.figures.stops import Stopping, sprt
from jantaku.table.arena.match.matchfile import Stop
from jantaku.table.arena.match.records import read_runs
from scripts.intervals import SeenMatches, match
from tests.arena.match.matches import line, play_match, small_plan
from tests.kit.cases import cases, kept_cases

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


NORMAL = np.random.default_rng(2).normal(2.5, 0.45, (500, 300)).clip(1, 4)
RARE = np.where(np.random.default_rng(3).random((500, 300)) < 0.05, 4.0, 2.5)


def mean_of(numbers: list[float]) -> Mean:
    mean = Mean()
    for number in numbers:
        mean.add(number)
    return mean


@pytest.mark.parametrize(("ranks", "truth"), [(NORMAL, 2.5), (RARE, 2.575)])
def test_who_looks_after_every_set_misses_the_truth_with_one_look_in_one_match_of_twenty_at_most(
    ranks: "np.ndarray[tuple[int, int], np.dtype[np.float64]]", truth: float
) -> None:
    seen = SeenMatches(ranks, truth)
    assert seen.missed(seen.halves(Looks.ANY), 1) <= 0.05
    assert seen.missed(seen.halves(Looks.ONCE), 20) > 0.25


@pytest.mark.parametrize(("ranks", "truth"), [(NORMAL, 2.5), (RARE, 2.575)])
def test_a_match_that_ends_when_it_is_narrow_enough_misses_the_truth_in_one_of_twenty_at_most(
    ranks: "np.ndarray[tuple[int, int], np.dtype[np.float64]]", truth: float
) -> None:
    seen = SeenMatches(ranks, truth)
    assert seen.ended(seen.halves(Looks.WIDTH), 0.1)[0] <= 0.05 + 3 * (0.05 * 0.95 / 500) ** 0.5


def test_few_sets_have_no_interval_for_all_looks_and_alike_ones_are_no_certainty() -> None:
    alike = [mean_of([2.5] * sets) for sets in (10, 11, 100)]
    assert alike[0].seen(Looks.ANY, 1.5) == Interval(2.5, None)
    few, many = (mean.seen(Looks.ANY, 1.5).half for mean in alike[1:])
    assert few is not None and many is not None and few > 1 > 0.15 > many > 0.05
    assert mean_of([2.5] * 20).interval.half == 0 and mean_of([2.5] * 20).seen(Looks.WIDTH, 1.5).half == pytest.approx(
        0.278, abs=0.001
    )


@given(st.integers(11, 10_000), st.floats(0.001, 1e4), st.integers(1, 20))
def test_more_looks_and_more_arms_make_an_interval_wider(sets: int, spread: float, arms: int) -> None:
    once, width, every = (squared_half(looks, sets, spread, 1.5) or 0 for looks in Looks)
    assert once < width < every
    shared = squared_half(Looks.ANY, sets, spread, 1.5, arms + 1)
    assert shared is None or shared > every


def test_how_many_sets_decide_allows_for_all_looks() -> None:
    once, every = (sets_to_decide(Interval(0.1, 0.3), 30, looks) for looks in (Looks.ONCE, Looks.ANY))
    assert once is not None and every is not None and 30 < every < once  # the same width says that sets differ less


@cases("flags, looks", ({}, "once"), ({"stop_ci": 0.5}, "width"), ({"stop_sprt": True, "stop_ci": 0.5}, "any"))
def test_results_and_stats_say_what_intervals_allow_for(tmp_path: Path, flags: dict[str, Any], looks: str) -> None:
    done = play_match(tmp_path / "match", small_plan(sets=5, **flags))
    told = json.loads((tmp_path / "match" / "results.json").read_text())["figures"]
    records = sorted((tmp_path / "match" / "records").glob("*.jsonl"))
    again = read_runs({tmp_path / "match": records}).tally.figures()
    assert told["looks"] == looks and again == done.results.figures
    rank, points = told["players"][0]["rank"]["half"], told["players"][0]["points"]["half"]
    assert (rank is None and points is None) is (looks == "any")


@kept_cases("own, own_seats, others, others_seats, certain")
def test_more_faults_than_others_have_are_certain_when_chance_hardly_does_it(
    own: int, own_seats: int, others: int, others_seats: int, certain: bool
) -> None:
    assert is_certain(own, own_seats, others, others_seats, 0.05) is certain


def test_whoever_looks_after_every_set_calls_an_equal_player_faulty_no_more_often_than_said() -> None:
    chance, wrong = random.Random(7), 0
    for rate in [0.02, 0.3] * 150:
        own = others = 0
        for sets in range(1, 101):
            own += sum(chance.random() < rate for _ in range(4))
            others += sum(chance.random() < rate for _ in range(12))
            if is_certain(own, 4 * sets, others, 12 * sets, 0.05):
                wrong += 1
                break
    assert wrong <= 300 * 0.05


@pytest.mark.parametrize("seed", range(5))
def test_a_faulty_match_stops_at_the_same_set_in_whatever_order_hanchan_end(seed: int) -> None:
    plan = small_plan(sets=9, stop_faults=True)
    games = product(range(9), range(4))
    hanchan = [line(4 * number + game, number, place_of(game), (1, 2, 3, 4)) for number, game in games]
    broken = [msgspec.structs.replace(one, faults=faults_of(one.players, bad=one.set > 1)) for one in hanchan]
    random.Random(seed).shuffle(broken)
    stopping = Stopping(plan)
    for one in broken:
        stopping.add(one)
    assert stopping.sets == 3
    assert stopping.reason == "the first player has faults in 4 of its 12 kyoku, others in 0 of 36"


def test_without_the_rule_faults_end_nothing() -> None:
    stopping = Stopping(small_plan())
    for game in range(12):
        one = line(game, game // 4, place_of(game % 4), (1, 2, 3, 4))
        stopping.add(msgspec.structs.replace(one, faults=faults_of(one.players, bad=True)))
    assert stopping.reason == ""


def place_of(game: int) -> list[str]:
    """The first player sits in every seat once."""
    return ["dice" if seat == game else "tsumogiri" for seat in range(4)]


def faults_of(players: tuple[str, ...], *, bad: bool) -> tuple[dict[str, int], ...]:
    return tuple({"gone": 3} if bad and name == "dice" else {"ok_margin": 1} for name in players)
