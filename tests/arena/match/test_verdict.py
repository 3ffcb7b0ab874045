"""The verdict in sentences: who is better, what is undecided, and how many more sets would tell. Rank points and
stable dan, against published results."""

import math
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jantaku.table.arena.match.figures.statistics import Interval, Pair, interval, sets_to_decide
from jantaku.table.arena.match.figures.stops import Sprt
from jantaku.table.arena.match.figures.units import rank_pt, stable_dan
from jantaku.table.arena.match.ranklists import check_length, rank_points
from jantaku.table.arena.match.report.verdict import RANKS, ComparedPlayers, Scale, pace, verdict
from jantaku.table.ground.errors import BadInput
from tests.arena.match.matches import play_match, small_plan
from tests.kit.cases import cases
from tests.kit.command import Jantaku

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


@cases(
    "leads, played, told",
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
)
def test_what_cannot_be_told_is_said(leads: dict[tuple[str, str], tuple[float, float]], played: int, told: str) -> None:
    assert told in compared(leads, played)


@cases(
    "llr, told",
    (1.0, "At this pace about 78 more wall sets would decide it."),
    (-1.0, "At this pace about 78 more wall sets would decide it."),
    (3.0, "It has crossed a bound, but is not judged before its least number of wall sets."),
    (0.0, "It leans to neither side."),
    (1e-9, ""),
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


# Mortal, docs/src/perf/strength.md at 273d41be: how often each came 1st to 4th, and the “Avg rank pt” that is printed.
PUBLISHED = {
    "akochan beside mortal1": ((5582, 5521, 5894, 6435), -5.031581),
    "mortal1 beside akochan": ((17850, 17911, 17538, 16997), 1.677194),
    "akochan beside mortal3": ((3121, 3116, 3243, 3672), -5.672901),
    "mortal3 beside akochan": ((10031, 10036, 9909, 9480), 1.890967),
    "akochan of other points beside mortal1": ((6047, 5887, 5470, 6984), -5.481999),
    "mortal2 beside mortal1": ((107160, 106427, 105945, 106468), 0.141866),
    "mortal1 beside mortal2": ((100909, 101357, 101105, 100629), 0.143465),
}


@pytest.mark.parametrize(("ranks", "printed"), PUBLISHED.values(), ids=list(PUBLISHED))
def test_published_rank_points_come_out_to_every_printed_digit(ranks: Sequence[int], printed: float) -> None:
    assert round(rank_pt([ranks], rank_points("houou-7")).mean, 6) == printed


@cases(
    "text, points",
    ("houou-7", (90, 45, 0, -135)),
    ("houou-10", (90, 45, 0, -180)),
    ("tokujou-4", (75, 30, 0, -90)),
    ("90,45,0,-135", (90, 45, 0, -135)),
    ("1,0,-1", (1, 0, -1)),
)
def test_a_list_has_a_name_or_numbers(text: str, points: Sequence[float]) -> None:
    assert rank_points(text) == points


@cases("text", "", "houou", "houou-0", "houou-11", "1,2", "1,2,3,4,5", "1,2,3,nan", "1,2,3,inf", "1,2,x")
def test_anything_else_is_refused_with_what_is_allowed(text: str) -> None:
    with pytest.raises(BadInput, match="allowed are houou-DAN, tokujou-DAN"):
        rank_points(text)


def test_a_list_for_another_number_of_players_is_refused() -> None:
    with pytest.raises(BadInput, match="3 numbers; a game of 4 players needs 4"):
        check_length("1,0,-1", 4)


@given(st.lists(st.integers(1, 50), min_size=4, max_size=4), st.sampled_from(["houou", "tokujou"]))
def test_at_its_stable_dan_a_player_neither_gains_nor_loses(ranks: list[int], room: str) -> None:
    dan = stable_dan([ranks], room)
    assert dan is not None
    lost = 30 + 15 * dan.mean
    assert rank_pt([ranks], (*rank_points(f"{room}-1")[:3], -lost)).mean == pytest.approx(0, abs=1e-9)


def test_who_was_never_last_has_no_stable_dan_and_nobody_has_in_games_of_three() -> None:
    assert stable_dan([(3, 2, 1, 0), (1, 0, 0, 0)]) is None
    assert stable_dan([(3, 2, 1)]) is None


def test_the_interval_of_stable_dan_covers_the_truth_in_95_of_100_matches() -> None:
    """By the delta method over sets of four hanchan whose ranks hang together."""
    draw = random.Random(1)
    shares, truth, covered = (0.3, 0.25, 0.25, 0.2), (6 * 0.3 + 3 * 0.25) / 0.2 - 2, 0
    for _ in range(400):
        sets = []
        for _ in range(200):
            again, ranks = draw.choices(range(4), shares)[0], [0] * 4
            for _ in range(4):
                ranks[again if draw.random() < 0.3 else draw.choices(range(4), shares)[0]] += 1
            sets.append(ranks)
        found = stable_dan(sets)
        assert found is not None and found.half is not None
        covered += abs(found.mean - truth) <= found.half
    assert 0.92 * 400 <= covered <= 0.98 * 400


def test_stats_tell_them_of_a_match_and_of_one_player(jantaku: Jantaku, tmp_path: Path) -> None:
    match = ["match", "--players", "shanten,caller", "--format", "1v3", "--length", "one", "--sets", "4", "--seed", "1"]
    assert jantaku(*match, "--workers", "0", "--out", str(tmp_path / "m")).code == 0
    told = jantaku("stats", str(tmp_path / "m"), "--pt", "tokujou-5", "--json")
    figures = msgspec.json.decode(told.out)["figures"]
    assert figures["points_by_rank"] == [75, 30, 0, -105]
    for player in figures["players"]:
        expected = sum(share * points for share, points in zip(player["ranks"], (75, 30, 0, -105), strict=True))
        assert player["rank_pt"]["mean"] == pytest.approx(expected)
    shown = jantaku("stats", str(tmp_path / "m"), "--pt", "mleague").out
    assert "rank pt (50, 10, -10, -30)" in shown and "stable dan (houou)" in shown
    assert "rank pt" not in jantaku("stats", str(tmp_path / "m")).out
    own = jantaku("stats", str(tmp_path / "m"), "--player", "shanten", "--pt", "wrc").out
    assert "rank pt (15, 5, -5, -15)" in own
    refused = jantaku("stats", str(tmp_path / "m"), "--pt", "1,0,-1")
    assert (refused.code, refused.err.count("\n")) == (2, 1) and "needs 4" in refused.err


def test_match_gate_and_tournament_tell_them_by_the_list_of_their_plan(jantaku: Jantaku, tmp_path: Path) -> None:
    quick = ["--length", "one", "--seed", "1", "--workers", "0", "--pt", "wrc"]
    match = ["match", "--players", "shanten,caller", "--format", "1v3", "--sets", "5", *quick]
    tournament = ["tournament", "shanten", "caller", "dice", "tsumogiri", "--format", "round-robin", "--hanchan", "4"]
    gate = ["gate", "tsumogiri", "dice", "--sets", "5", "--summary", str(tmp_path / "gate.md"), *quick]
    for words in (match, [*tournament, *quick], gate):
        folder = tmp_path / words[0]
        assert "rank pt (15, 5, -5, -15)" in jantaku(*words, "--out", str(folder)).out
        assert "rank pt (15, 5, -5, -15)" in (folder / "report.html").read_text()
        results = msgspec.json.decode((folder / "results.json").read_bytes())
        assert results["figures"]["points_by_rank"] == [15, 5, -5, -15]
    assert "| rank pt (15, 5, -5, -15) |" in (tmp_path / "gate.md").read_text()


def test_a_plan_without_a_list_is_told_as_before_and_its_results_know_the_usual_one(tmp_path: Path) -> None:
    plan = small_plan()
    assert b'"pt"' not in plan.encoded()
    assert plan.digest != small_plan(pt="wrc").digest
    figures = play_match(tmp_path / "m", plan).results.figures
    assert figures is not None and figures.points_by_rank == rank_points("houou-7")
