"""Balanced tables of four, for every number of players that has them."""

from collections import Counter
from itertools import combinations

import pytest

from jantaku.table.arena.match.matchfile import SEATS
from jantaku.table.arena.tournament.pairings import MOST, balanced
from jantaku.table.riichi.pieces.seats import THREE

POOLS = [(players, seats) for seats in (SEATS, THREE) for players in range(seats, MOST + 1)]


def fewest_meetings(players: int, seats: int) -> int:
    """How often every two meet at the least: the tables a player sits at, and all tables, must be whole numbers."""
    whole = (
        often
        for often in range(1, 7)
        if often * (players - 1) % (seats - 1) == 0 and often * players * (players - 1) % (seats * (seats - 1)) == 0
    )
    return next(whole)


@pytest.mark.parametrize(("players", "seats"), POOLS)
def test_every_two_players_meet_equally_often_and_as_rarely_as_can_be(players: int, seats: int) -> None:
    tables = balanced(players, seats)
    met = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    often = fewest_meetings(players, seats)
    assert met == dict.fromkeys(combinations(range(players), 2), often)
    assert len(tables) * seats * (seats - 1) == often * players * (players - 1), "no more tables than that takes"


def test_every_player_sits_at_equally_many_tables_of_different_players() -> None:
    for players, seats in POOLS:
        tables = balanced(players, seats)
        assert all(len(set(table)) == seats for table in tables)
        assert len(set(Counter(player for table in tables for player in table).values())) == 1
