"""Balanced tables, for every number of players that has them."""

from collections import Counter
from itertools import combinations

import pytest

from table.riichi.pieces.seats import SEATS, THREE
from table.tournament.designs import MOST, balanced

POOLS = range(SEATS, MOST + 1)


def fewest_meetings(players: int) -> int:
    """How often every two meet at the least: the tables a player sits at, and all tables, must be whole numbers."""
    whole = (
        often
        for often in range(1, 7)
        if often * (players - 1) % 3 == 0 and often * players * (players - 1) % (SEATS * 3) == 0
    )
    return next(whole)


@pytest.mark.parametrize("players", POOLS)
def test_every_two_players_meet_equally_often_and_as_rarely_as_can_be(players: int) -> None:
    tables = balanced(players)
    met = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    often = fewest_meetings(players)
    assert met == dict.fromkeys(combinations(range(players), 2), often)
    assert len(tables) * SEATS * (SEATS - 1) == often * players * (players - 1), "no more tables than that takes"


def test_every_player_sits_at_equally_many_tables_of_four_different_players() -> None:
    for players in POOLS:
        tables = balanced(players)
        assert all(len(set(table)) == SEATS for table in tables)
        assert len(set(Counter(player for table in tables for player in table).values())) == 1


def test_every_two_players_meet_equally_often_at_tables_of_three_different_ones() -> None:
    for players in range(THREE, MOST + 1):
        tables = balanced(players, THREE)
        assert all(len(set(table)) == THREE for table in tables)
        met = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
        assert met == dict.fromkeys(combinations(range(players), 2), 3 if players % 2 else 6), players


def test_twenty_players_need_95_tables_where_every_four_of_them_would_be_4845() -> None:
    assert len(balanced(20)) == 95
    assert len(list(combinations(range(20), SEATS))) == 4845
