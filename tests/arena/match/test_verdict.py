"""The verdict in sentences: who is better, what is undecided, and how many more sets would tell."""

import math
from collections.abc import Mapping

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jantaku.table.arena.match.figures.statistics import Interval, Pair, interval, sets_to_decide
from jantaku.table.arena.match.figures.stops import Sprt
from jantaku.table.arena.match.report.verdict import RANKS, ComparedPlayers, Scale, pace, verdict

SCALES = (RANKS, Scale("points a hanchan", 1, lambda pair: pair.points))


def compared(leads: Mapping[tuple[str, str], tuple[float, float | None]], played: int = 40, names: str = "abcd") -> str:
    """The verdict on players of whom this is known: by how many ranks the one is ahead of the other."""
    pairs = [Pair(*pair, Interval(-mean, half), Interval(0.0, 1.0)) for pair, (mean, half) in leads.items()]
    return verdict(
        ComparedPlayers(names[: len({name for pair in leads for name in pair})], pairs, played, "wall sets", SCALES)
    )


def test_a_difference_whose_interval_leaves_zero_out_is_decided() -> None:
    assert compared({("a", "b"): (0.2, 0.1)}) == "a is better than b: 0.200 ± 0.100 ranks ahead of b."
    assert compared({("b", "a"): (-0.2, 0.1)}) == "a is better than b: 0.200 ± 0.100 ranks ahead of b."


def test_the_best_of_many_is_better_than_each() -> None:
    told = compared({("a", "b"): (0.2, 0.1), ("a", "c"): (0.5, 0.1), ("b", "c"): (0.3, 0.1)})
    assert (
        told == "a is the best of 3, and better than each of the others: 0.200 ± 0.100 ranks ahead of b, the next best."
    )


def test_sets_that_came_out_alike_are_enough_where_what_they_have_not_shown_would_change_nothing() -> None:
    assert compared({("a", "b"): (2.0, 0.0)}, 25) == "a is better than b: 2.000 ranks ahead of b."
    assert compared({("a", "b"): (2.0, 0.0)}, 7).startswith("Undecided: a is 2.000 ranks ahead of b, but all 7 wall")


def test_what_is_undecided_tells_how_many_more_sets_would_decide_it() -> None:
    told = compared({("a", "b"): (0.1, 0.2), ("a", "c"): (0.5, 0.1)})
    assert told == (
        "Undecided whether a is better than b: it is 0.100 ± 0.200 ranks ahead of b. If this difference stays as it "
        "is, about 120 more wall sets would decide it. a is better than c."
    )


@pytest.mark.parametrize(
    ("leads", "played", "told"),
    [
        ({("a", "b"): (0.0, 0.2)}, 40, "The lead is too small to tell how many more wall sets would decide it."),
        ({("a", "b"): (1.0, None)}, 5, "The lead is too small to tell how many more wall sets would decide it."),
        ({("a", "b"): (0.7, 0.0)}, 5, "ranks ahead of b, but all 5 wall sets had the same result; play more."),
        ({("a", "b"): (2.0, 0.0)}, 4, "Undecided: below 5 wall sets there is no interval, and these are 4."),
        ({("a", "b"): (0.1, None)}, 1, "Undecided: below 5 wall sets there is no interval, and these are 1."),
        ({("b", "c"): (0.1, 0.01)}, 40, "Undecided: a leads, but never sat with b."),
        (
            {("a", "b"): (-0.3, 0.1)},
            40,
            "it is 0.300 ± 0.100 ranks behind b. Over all wall sets it leads, but not where",
        ),
    ],
)
def test_what_cannot_be_told_is_said(leads: dict[tuple[str, str], tuple[float, float]], played: int, told: str) -> None:
    assert told in compared(leads, played)


@pytest.mark.parametrize(
    ("llr", "told"),
    [
        (1.0, "At this pace about 78 more wall sets would decide it."),
        (-1.0, "At this pace about 78 more wall sets would decide it."),
        (3.0, "It has crossed a bound, but is not judged before its least number of wall sets."),
        (0.0, "It leans to neither side."),
        (1e-9, ""),
    ],
)
def test_an_undecided_sequential_test_tells_its_pace(llr: float, told: str) -> None:
    assert pace(Sprt(2.5, 2.4, llr, -2.94, 2.94, ""), 40) == told


def test_a_sequential_test_that_has_decided_has_no_pace() -> None:
    assert pace(Sprt(2.5, 2.4, 3.0, -2.94, 2.94, "H1"), 40) == ""


def test_a_player_alone_is_compared_with_nobody() -> None:
    assert verdict(ComparedPlayers("a", (), 5, "wall sets", SCALES)) == "a played alone: there is nothing to compare."


def test_a_sentence_names_a_few_players_and_counts_the_others() -> None:
    told = compared({("a", other): (0.1, 0.2) for other in "bcdefg"}, names="abcdefg")
    assert told.startswith("Undecided whether a is better than b, c, d and 3 more: ")


@given(st.lists(st.integers(8, 32).map(lambda eighths: eighths / 8), min_size=3, max_size=8))
@example([1.0] * 5)
def test_as_many_sets_of_the_same_kind_as_are_told_decide_it(ranks: list[float]) -> None:
    found = interval([rank - 2.5 for rank in ranks], [1] * len(ranks))
    needed = sets_to_decide(found, len(ranks))
    if needed is None or needed > 10_000:
        assert not found.mean or not found.half or abs(found.mean) < found.half / 5
        return
    again = [rank - 2.5 for rank in ranks] * math.ceil(needed / len(ranks))
    assert interval(again, [1] * len(again)).decided
    assert found.decided == (needed <= len(ranks))


@pytest.mark.parametrize("games", [1, 3, 7])
def test_sets_that_came_out_alike_have_no_interval_whatever_their_mean(games: int) -> None:
    """A third and a seventh are rounded: what that leaves is no spread."""
    found = interval([1.0] * 30, [games] * 30)
    assert found.half == 0.0 and not found.decided and sets_to_decide(found, 30) is None
