"""The rounds of a tournament: as many as are asked for, and how everybody stands as its hanchan come."""

from collections import Counter
from random import Random
from typing import Any

import pytest

from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.arena.match.matchfile import SEATS
from jantaku.table.arena.tournament.pairings import pairs_of
from jantaku.table.arena.tournament.plan import file_of, plan_of
from jantaku.table.arena.tournament.rounds import Rounds
from jantaku.table.ground.errors import BadInput
from tests.arena.match.matches import line
from tests.arena.tournament.tournaments import followed, made_up, small_tournament
from tests.kit.cases import cases, kept_cases

FORMATS = ("round-robin", "swiss", "gauntlet", "knock-out")
RULES = ("majiang", "tenhou-3p")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("players", [4, 5, 7, 8, 11, 16])
def test_a_plan_says_beforehand_how_many_hanchan_there_are_in_order(form: str, rules: str, players: int) -> None:
    plan = small_tournament(players, rules=rules, format=form)
    _, jobs = followed(plan)
    assert [job.game for job in jobs] == list(range(plan.games))
    assert all(job.set == job.game // plan.seats and len(job.seating) == plan.seats for job in jobs)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("rules", RULES)
def test_everybody_is_first_dealer_and_on_every_seat_equally_often(form: str, rules: str) -> None:
    plan = small_tournament(11, rules=rules, format=form)
    _, jobs = followed(plan)
    seats = [Counter(job.seating[place] for job in jobs) for place in range(plan.seats)]
    assert all(counts == seats[0] for counts in seats)


@pytest.mark.parametrize("form", FORMATS)
def test_the_rounds_do_not_depend_on_the_order_in_which_hanchan_of_a_round_end(form: str) -> None:
    plan = small_tournament(11, format=form)
    whole, _ = followed(plan)
    shuffled, chance = Rounds(plan), Random(1)
    under_way = list[HanchanSummary]()
    for job in shuffled.jobs():
        if job is not None:
            under_way.append(made_up(plan, job))
        if job is None or chance.random() < 0.5:
            shuffled.add(under_way.pop(chance.randrange(len(under_way))))
    for rest in under_way:
        shuffled.add(rest)
    assert shuffled.known() == whole.known()
    assert shuffled.standings() == whole.standings()


@pytest.mark.parametrize("form", FORMATS)
def test_who_resumes_has_the_rounds_of_the_lines_that_are_there(form: str) -> None:
    plan = small_tournament(8, format=form)
    whole, jobs = followed(plan)
    resumed = Rounds(plan)
    for job in reversed(jobs):  # also those of later rounds before those of the first
        resumed.add(made_up(plan, job))
    assert [job for job in resumed.jobs() if job is not None] == jobs
    assert resumed.standings() == whole.standings() and resumed.over == len(plan.tables)


def test_a_round_of_swiss_waits_for_the_one_before_and_those_of_a_round_robin_do_not() -> None:
    assert next(job for job in enumerate(Rounds(small_tournament()).jobs()) if job[1] is None)[0] == 2 * SEATS
    assert None not in list(Rounds(small_tournament(format="round-robin", rounds=2)).jobs())


def test_a_hanchan_without_a_result_counts_as_played_and_tells_nothing() -> None:
    plan = small_tournament(4, rounds=1)
    rounds = Rounds(plan)
    for job in rounds.jobs():
        assert job is not None
        rounds.add(line(job.game, job.set, [plan.names[player] for player in job.seating], ()))
    assert rounds.over == 1
    assert {(one.hanchan, one.rank) for one in rounds.standings()} == {(0, 2.5)}


def test_the_standings_go_by_mean_rank_then_by_points() -> None:
    plan = small_tournament(4, rounds=1)
    rounds = Rounds(plan)
    list(zip(range(4), rounds.jobs(), strict=False))
    rounds.add(line(0, 0, plan.names, (1, 2, 3, 4), (50.0, 10.0, -20.0, -40.0)))
    rounds.add(line(1, 0, plan.names, (2, 1, 4, 3), (12.0, 30.0, -22.0, -20.0)))
    assert [one.name for one in rounds.standings()] == [plan.names[player] for player in (0, 1, 2, 3)]
    assert [(one.place, one.rank, one.points) for one in rounds.standings()][:2] == [(1, 1.5, 31.0), (2, 1.5, 20.0)]


def test_whoever_comes_further_in_a_knock_out_stands_before_who_did_better_earlier() -> None:
    rounds, _ = followed(small_tournament(11, format="knock-out"))
    *_, before, final = rounds.rounds
    names = rounds.plan.names
    order = [one.name for one in rounds.standings()]
    last = rounds.placed(rounds.first_table(len(rounds.rounds) - 1), final.tables[0])
    assert order[:SEATS] == [names[player] for player in last]
    assert set(order[:8]) == {names[player] for table in before.tables for player in table}


def test_meetings_add_up_to_what_both_were_ahead() -> None:
    rounds, jobs = followed(small_tournament(8))
    played = [made_up(rounds.plan, job) for job in jobs]
    assert sum(met.hanchan for met in rounds.meetings.values()) == 6 * len(jobs)
    for (a, b), met in rounds.meetings.items():
        first, second = rounds.plan.names[a], rounds.plan.names[b]
        ranks = [dict(zip(one.players, one.ranks, strict=True)) for one in played]
        both = [found for found in ranks if first in found and second in found]
        assert (met.hanchan, met.ahead) == (len(both), sum(found[first] < found[second] for found in both))


def test_a_gauntlet_has_the_first_player_at_every_table() -> None:
    plan = small_tournament(7, format="gauntlet")
    _, jobs = followed(plan)
    assert all(0 in job.seating for job in jobs) and plan.each == len(jobs)
    met = Counter(pair for job in jobs for pair in pairs_of(job.seating) if pair[0] == 0)
    assert set(met.values()) == {3 * SEATS}


@kept_cases("form, players, hanchan, each, rounds, games")
def test_the_plan_is_the_nearest_to_what_is_asked_for(
    form: str, players: int, hanchan: int, each: int, rounds: int, games: int
) -> None:
    plan = small_tournament(players, format=form, hanchan=hanchan or None, rounds=None)
    assert (plan.each, len(plan.tables), plan.games) == (each, rounds, games)


@pytest.mark.parametrize("form", ["round-robin", "swiss", "gauntlet", "knock-out"])
@pytest.mark.parametrize("hanchan", [None, 50, 333])
def test_a_plan_is_asked_for_again_by_its_own_file(form: str, hanchan: int | None) -> None:
    plan = small_tournament(9, format=form, hanchan=hanchan)
    assert plan_of(file_of(plan)) == plan


@cases(
    "flags, says",
    ({"players": ["dice"] * 3}, "a tournament needs 4 or more, a table of them; given are 3: dice, dice, dice"),
    ({"players": ["dice"] * 65, "format": "gauntlet"}, "format gauntlet takes up to 64; given are 65; swiss and"),
    ({"format": "knock-out", "rounds": 3}, "a knock-out has as many rounds as it takes; leave rounds away"),
    ({"format": "ladder"}, "tournament.format"),
    ({"hanchan": 0}, "tournament.hanchan"),
)
def test_what_cannot_be_planned_is_refused_in_a_line(flags: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput) as refused:
        small_tournament(**flags)
    assert says in str(refused.value) and "\n" not in str(refused.value)
