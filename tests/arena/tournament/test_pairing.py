"""Who meets whom in one round."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jantaku.table.arena.tournament.pairings import (
    Pair,
    Round,
    knock_out,
    legs_of,
    next_size,
    pairs_of,
    sizes,
    swiss,
    through,
)
from jantaku.table.riichi.pieces.seats import SEATS, THREE

PLAYERS = st.integers(SEATS, 40)
TABLES = st.sampled_from([SEATS, THREE])


def seated(played: Round) -> list[int]:
    return [player for table in played.tables for player in table]


def swiss_rounds(players: int, rounds: int, chance: Random) -> list[Round]:
    """Rounds of players that do as chance has it."""
    met, byes, score = Counter[Pair](), Counter[int](), Counter[int]()
    found = []
    for _ in range(rounds):
        played = swiss(sorted(range(players), key=lambda player: (score[player], player)), met, byes)
        found.append(played)
        met.update(pair for table in played.tables for pair in pairs_of(table))
        byes.update(played.byes)
        for player in seated(played):
            score[player] += chance.randrange(1, 5)
    return found


@settings(max_examples=30, deadline=None)
@given(PLAYERS, st.randoms(use_true_random=False))
def test_in_every_round_of_swiss_everybody_sits_once_or_sits_out_and_nobody_twice_before_all_have(
    players: int, chance: Random
) -> None:
    out = Counter[int]()
    for played in swiss_rounds(players, 3, chance):
        assert sorted([*seated(played), *played.byes]) == list(range(players))
        assert len(played.byes) == players % SEATS
        out.update(played.byes)
        counts = [out[player] for player in range(players)]
        assert max(counts) - min(counts) <= 1


def test_the_first_round_of_swiss_is_of_neighbours_and_equal_standings_give_equal_tables() -> None:
    order = [5, 2, 7, 0, 1, 6, 3, 4]
    assert swiss(order, {}, {}).tables == [(5, 2, 7, 0), (1, 6, 3, 4)]
    assert swiss(order, {}, {}) == swiss(order, {}, {})


def test_where_three_play_a_round_of_swiss_is_of_threes() -> None:
    played = swiss([5, 2, 7, 0, 1, 6, 3, 4], {}, {}, THREE)
    assert played == Round([(5, 2, 7), (0, 1, 6)], [3, 4])


@pytest.mark.parametrize("seed", range(5))
def test_of_twenty_players_none_meets_another_twice_in_three_rounds_of_swiss(seed: int) -> None:
    tables = [table for played in swiss_rounds(20, 3, Random(seed)) for table in played.tables]
    met = Counter(pair for table in tables for pair in pairs_of(table))
    assert set(met.values()) == {1}


def test_who_has_met_is_kept_apart_although_nearer_in_the_standings() -> None:
    met = dict.fromkeys(pairs_of([0, 1, 2, 3]), 1)
    tables = swiss(range(16), met, {}).tables
    assert [len({0, 1, 2, 3}.intersection(table)) for table in tables] == [1, 1, 1, 1]


@settings(max_examples=30, deadline=None)
@given(st.integers(3, 63), st.integers(1, 4), TABLES)
def test_in_every_leg_of_a_gauntlet_each_opponent_sits_equally_often(opponents: int, legs: int, seats: int) -> None:
    size = seats - 1
    for leg in legs_of(opponents, legs, seats):
        assert len(leg) == (1 if opponents == size else opponents)
        sat = Counter(player for group in leg for player in group)
        assert sat == dict.fromkeys(range(opponents), 1 if opponents == size else size)
        assert all(len(set(group)) == size for group in leg)


def test_opponents_of_a_gauntlet_meet_each_other_about_equally_often() -> None:
    for opponents in range(4, 30):
        legs = legs_of(opponents, 12)
        met = Counter(pair for leg in legs for group in leg for pair in combinations(sorted(group), 2))
        counts = [met[pair] for pair in combinations(range(opponents), 2)]
        assert max(counts) - min(counts) <= 4, opponents


def test_a_gauntlet_takes_its_first_legs_again() -> None:
    assert legs_of(19, 5)[:3] == legs_of(19, 3)


@settings(max_examples=30, deadline=None)
@given(PLAYERS, TABLES, st.randoms(use_true_random=False))
def test_a_knock_out_lessens_what_is_left_until_a_final_of_one_table(players: int, seats: int, chance: Random) -> None:
    entered: Sequence[int] = range(players)
    met = Counter[Pair]()
    for size in sizes(players, seats):
        assert len(entered) == size
        played = knock_out(entered, met, seats)
        met.update(pair for table in played.tables for pair in pairs_of(table))
        assert sorted([*seated(played), *played.byes]) == sorted(entered)
        placed = [chance.sample(table, seats) for table in played.tables]
        if not next_size(size, seats):
            break
        entered = through(played, placed, {player: (chance.random(),) for player in range(players)})
        assert {table[0] for table in placed} | set(played.byes) <= set(entered), "who wins a table goes on"
        if not played.byes and seats == SEATS:
            assert set(entered) == {player for table in placed for player in table[:2]}
    assert size == seats and not played.byes


def test_only_the_first_round_of_a_knock_out_has_byes() -> None:
    wanted = [[4], [5, 4], [7, 4], [8, 4], [20, 16, 8, 4], [64, 32, 16, 8, 4]]
    assert [sizes(players) for players in (4, 5, 7, 8, 20, 64)] == wanted


def test_two_of_one_table_do_not_meet_again_in_the_second_round_of_sixteen() -> None:
    played = knock_out(range(16), {})
    placed = played.tables
    again = knock_out(through(played, placed, dict.fromkeys(range(16), (0.0,))), {})
    before = {pair for table in placed for pair in pairs_of(table)}
    assert before.isdisjoint(pair for table in again.tables for pair in pairs_of(table))
