"""Intervals for who looks while a match runs, against simulations whose truth is known."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku.table.arena.match.figures.looks import Looks, squared_half
from jantaku.table.arena.match.figures.statistics import Interval, Mean, sets_to_decide
from jantaku.table.arena.match.records import read_runs
from scripts.intervals import SeenMatches
from tests.arena.match.matches import play_match, small_plan

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


@pytest.mark.parametrize(
    ("flags", "looks"), [({}, "once"), ({"stop_ci": 0.5}, "width"), ({"stop_sprt": True, "stop_ci": 0.5}, "any")]
)
def test_results_and_stats_say_what_intervals_allow_for(tmp_path: Path, flags: dict[str, Any], looks: str) -> None:
    done = play_match(tmp_path / "match", small_plan(sets=5, **flags))
    told = json.loads((tmp_path / "match" / "results.json").read_text())["figures"]
    records = sorted((tmp_path / "match" / "records").glob("*.jsonl"))
    again = read_runs({tmp_path / "match": records}).tally.figures()
    assert told["looks"] == looks and again == done.results.figures
    rank, points = told["players"][0]["rank"]["half"], told["players"][0]["points"]["half"]
    assert (rank is None and points is None) is (looks == "any")
