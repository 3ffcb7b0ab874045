"""What a match says, against textbook formulas and against simulations whose truth is known."""

import io
import math
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.console import Console
from scipy import special, stats

from jantaku.table.arena.match.figures.looks import Looks
from jantaku.table.arena.match.figures.statistics import Figures, Interval, Mean, interval
from jantaku.table.arena.match.figures.summary import HanchanSummary, summary
from jantaku.table.arena.match.figures.tally import MatchTally
from jantaku.table.arena.match.report.tables import tables_of
from jantaku.table.arena.match.report.verdict import hanchan_compared, verdict
from jantaku.table.ground.distributions import beta_above, binomial_at_least, student
from tests.arena.match.matches import line, play_match, small_plan

Draw = Callable[[np.random.Generator], list[list[int]]]


def figures(lines: Iterable[HanchanSummary], names: Iterable[str]) -> Figures:
    tally = MatchTally(names)
    for one in lines:
        tally.add(one)
    return tally.figures()


def test_sets_of_equal_size_give_the_t_interval_of_their_means() -> None:
    means = [2.5, 2.25, 3.0, 2.0, 2.75]
    found = interval([mean * 4 for mean in means], [4] * 5)
    low, high = stats.t.interval(0.95, 4, loc=np.mean(means), scale=stats.sem(means))
    assert found.low == pytest.approx(low) and found.high == pytest.approx(high)


def test_one_set_says_nothing_about_the_spread() -> None:
    assert interval([10.0], [4]) == Interval(2.5, None)
    assert interval([10.0], [4]).text(2) == "2.50"


def test_few_sets_have_no_interval_and_alike_ones_show_none() -> None:
    """In docs/statistics.md: of 2 to 4 sets of real hanchan intervals cover less than they say."""
    sets = [2.0, 2.5, 3.0, 2.25], [2.0] * 4 + [3.0], [1.0] * 5
    few, enough, alike = (interval(ranks, [1.0] * len(ranks)) for ranks in sets)
    assert (few.half, few.cell(2), few.decided) == (None, "2.44 ± –", False)
    assert enough.half and enough.cell(2) == enough.text(2) == "2.20 ± 0.56"
    assert (alike.cell(2), alike.text(2), alike.decided) == ("1.00 ± –", "1.00", False)


def test_three_sets_that_came_out_alike_tell_nobody_to_be_the_best() -> None:
    lines = [line(game, game // 4, "ABCD", (1, 2, 3, 4)) for game in range(12)]
    found = figures(lines, "ABCD")
    (words, *_), verdicts = tables_of(found, (), 100), verdict(hanchan_compared(found))
    screen = Console(width=100, record=True, file=io.StringIO())
    screen.print(words)
    shown = screen.export_text()
    assert verdicts == "Undecided: below 5 wall sets there is no interval, and these are 3."
    assert "1.00 ± –" in shown and "0.00 " not in shown.replace("100", "")
    assert found.legend.endswith("; – stands where there is none: fewer than 5 wall sets, or all with the same result")


def test_the_legend_explains_the_dash_only_where_there_is_one() -> None:
    ranks = [(1, 2, 3, 4), (2, 1, 4, 3), (1, 2, 4, 3), (3, 4, 1, 2), (2, 1, 3, 4)]
    found = figures(
        [line(game, game, "ABCD", one, [-9.0 * rank for rank in one]) for game, one in enumerate(ranks)], "ABCD"
    )
    assert "±" in found.legend and "–" not in found.legend
    assert [looks.fewest for looks in Looks] == [5, 5, 11]


def test_of_equal_ranks_the_one_with_more_points_is_first() -> None:
    """As in the standings of a tournament."""
    lines = [
        msgspec.structs.replace(line(game, game, "ABCD", ranks), points=(-10.0, 30.0, 0.0, -20.0))
        for game, ranks in enumerate([(1, 2, 3, 4), (2, 1, 4, 3)])
    ]
    assert [player.name for player in figures(lines, "ABCD").best_first] == ["B", "A", "C", "D"]


def test_numbers_one_after_another_have_the_interval_of_all_together() -> None:
    numbers = [2.25, 3.5, 1.0, 2.5, 2.75]
    mean = Mean()
    for number in numbers:
        mean.add(number)
    found, wanted = mean.interval, interval(numbers, [1] * 5)
    assert (found.mean, found.half) == pytest.approx((wanted.mean, wanted.half))


def test_sets_of_unequal_size_count_by_their_hanchan() -> None:
    assert interval([4.0, 6.0], [1, 3]).mean == 2.5


def simulate(draw: Draw, matches: int) -> float:
    """The share of simulated matches whose interval of the first player's mean rank covers 2.5.

    `draw` gives the ranks of one match: by set, by hanchan of the set.
    """
    random = np.random.default_rng(20)
    covered = 0
    for _ in range(matches):
        sets = draw(random)
        found = interval([float(sum(ranks)) for ranks in sets], [len(ranks) for ranks in sets])
        assert found.half is not None
        covered += abs(found.mean - 2.5) <= found.half
    return covered / matches


def unpaired(random: np.random.Generator) -> list[list[int]]:
    return [[int(rank)] for rank in random.integers(1, 5, size=200)]


def alike(random: np.random.Generator) -> list[list[int]]:
    """Hanchan of one set resemble each other: three in four end as the first of their set did."""
    sets = []
    for first in random.integers(1, 5, size=60):
        again = random.random(4) < 0.75
        sets.append([int(first if same else random.integers(1, 5)) for same in again])
    return sets


def paired(random: np.random.Generator) -> list[list[int]]:
    """Walls that favour a place: over the four seatings their luck cancels out, in part."""
    return [
        [int(rank) if random.random() < 0.7 else int(random.integers(1, 5)) for rank in random.permutation(4) + 1]
        for _ in range(60)
    ]


@pytest.mark.long
@pytest.mark.parametrize("draw", [unpaired, alike, paired])
def test_ninety_five_percent_intervals_cover_the_truth_in_93_to_97_percent_of_matches(draw: Draw) -> None:
    assert 0.93 <= simulate(draw, 2000) <= 0.97


def test_hanchan_of_a_set_taken_for_independent_would_claim_too_much() -> None:
    """What the cluster is for: the same matches, each hanchan a unit, cover far less than they say."""

    def apart(random: np.random.Generator) -> list[list[int]]:
        return [[rank] for ranks in alike(random) for rank in ranks]

    assert simulate(apart, 500) < 0.85


def test_a_player_on_three_seats_counts_with_the_mean_of_them() -> None:
    lines = [line(game, 0, "ABBB", ranks) for game, ranks in enumerate([(1, 2, 3, 4), (2, 1, 3, 4)])]
    a, b = figures(lines, "AB").players
    assert a.rank.mean == 1.5 and b.rank.mean == pytest.approx(17 / 6)
    assert (a.seats, b.seats) == (2, 6)
    assert a.ranks == (0.5, 0.5, 0, 0) and b.ranks[0] == pytest.approx(1 / 6)


def test_pairs_are_compared_in_hanchan_that_both_sat_in() -> None:
    lines = [line(0, 0, "ABCD", (1, 2, 3, 4)), line(1, 1, "ABCE", (2, 1, 3, 4)), line(2, 2, "DEAC", (1, 2, 3, 4))]
    found = {(pair.a, pair.b): pair.rank.mean for pair in figures(lines, "ABCDE").pairs}
    assert found["A", "B"] == 0.0 and found["A", "D"] == (1 - 4 + 3 - 1) / 2 and ("B", "D") in found


def test_hanchan_without_a_result_are_counted_and_left_out() -> None:
    found = figures([line(0, 0, "ABBB", (1, 2, 3, 4)), line(1, 0, "ABBB", ())], "AB")
    assert (found.games, found.void, found.void_reasons) == (1, 1, ("made up",))


def test_figures_are_those_of_the_record(tmp_path: Path) -> None:
    """Counted again from the record's own items."""
    folder = tmp_path / "match"
    play_match(folder, small_plan(["caller", "shanten"], "tonpu", sets=1))
    path = folder / "records" / "game-0001.jsonl"
    text = path.read_text("utf-8")
    found, times = summary(path.read_bytes(), 1, "it")
    assert all(count.kyoku == text.count('{"qipai"') for count in found.counts)
    assert sum(count.wins for count in found.counts) == text.count('{"hule":{"l"')
    assert sum(count.riichi for count in found.counts) == text.count('{"lizhi"')
    assert sum(count.wins - count.tsumo for count in found.counts) >= sum(count.deal_ins for count in found.counts) > 0
    assert sum(count.win_points for count in found.counts) > 1000
    assert sum(sum(one.counts.values()) for one in times.times) == text.count('"verdict"')
    assert math.isclose(sum(found.points), 0, abs_tol=1e-6)


CHANCES = st.floats(1e-6, 1 - 1e-6)
SEEN = 1e-250
"""A chance below this is none: nobody looks at its digits."""


@st.composite
def tries(draw: st.DrawFn) -> tuple[int, int]:
    """Successes of so many tries, with many tries as likely as few."""
    number = round(10 ** draw(st.floats(0, 5)))
    return draw(st.integers(0, number)), number


def same(wanted: float) -> object:
    return pytest.approx(float(wanted), rel=1e-10, abs=SEEN)


@given(tries(), CHANCES)
def test_tails_of_the_binomial_distribution_are_those_of_scipy(seen: tuple[int, int], chance: float) -> None:
    count, number = seen
    least = 1.0 if count == 0 else special.betainc(count, number - count + 1, chance)
    assert binomial_at_least(count, number, chance) == same(least)


@given(st.floats(-3, 5), st.floats(-3, 5), CHANCES)
@example(-2.0, 5.0, 1e-6)
def test_the_beta_distribution_is_that_of_scipy(a: float, b: float, x: float) -> None:
    assert beta_above(10**a, 10**b, x) == same(special.betaincc(10**a, 10**b, x))


@given(st.floats(0, 6), st.floats(-12, math.log10(0.25)))
def test_scipy_finds_the_tail_beyond_a_quantile_of_student(log_degrees: float, log_tail: float) -> None:
    degrees, tail = round(10**log_degrees), 10**log_tail
    assert special.stdtr(degrees, -student(degrees, tail)) == pytest.approx(tail, rel=1e-9)


@given(st.floats(0, 6), st.floats(-15, math.log10(0.25)))
@example(math.log10(4), -15.0)
def test_scipy_finds_the_middle_within_a_quantile_of_student(log_degrees: float, log_middle: float) -> None:
    """Near the middle `stdtr` and its inverse lose half of their digits; the beta distribution keeps them."""
    degrees, middle = round(10**log_degrees), 10**log_middle
    square = student(degrees, 0.5 - middle) ** 2
    found = special.betainc(0.5, degrees / 2, square / (degrees + square)) / 2
    assert found == pytest.approx(middle, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize(("chance", "at_least"), [(0.0, 0.0), (1.0, 1.0)])
def test_what_never_or_always_happens_is_no_chance(chance: float, at_least: float) -> None:
    assert binomial_at_least(1, 5, chance) == at_least
    assert binomial_at_least(0, 5, chance) == 1.0
