"""Formats and seatings: everybody meets the same walls from the same places."""

from collections import Counter

import pytest

from jantaku.table.arena.match.formats import Format, Seatings, check_pool, seatings_of, set_size
from jantaku.table.ground.errors import BadInput
from tests.kit.cases import cases


@cases("form, players, choice, games")
def test_a_set_has_as_many_games_as_its_format_asks(form: Format, players: int, choice: Seatings, games: int) -> None:
    assert set_size(form, players, choice) == games
    assert len(set(seatings_of(form, players, choice, 1, 0))) == games


@pytest.mark.parametrize(
    ("form", "players"), [("seats", 4), ("1v3", 2), ("2v2", 2), ("round-robin", 6), ("gauntlet", 5)]
)
def test_in_a_set_every_player_sits_equally_often_on_every_place(form: Format, players: int) -> None:
    seatings = seatings_of(form, players, "rotated", 1, 0)
    for player in range(players):
        places = Counter(place for seating in seatings for place, sits in enumerate(seating) if sits == player)
        assert len(places) == 4 and len(set(places.values())) == 1


def test_in_a_round_robin_every_two_players_meet_equally_often() -> None:
    meetings = Counter(
        (a, b) for seating in seatings_of("round-robin", 6, "rotated", 1, 0) for a in seating for b in seating if a < b
    )
    assert len(meetings) == 15 and len(set(meetings.values())) == 1


def test_the_gauntlet_is_run_by_the_first_player() -> None:
    assert all(0 in seating for seating in seatings_of("gauntlet", 6, "all", 1, 0))


def test_single_seatings_differ_from_set_to_set_and_not_from_run_to_run() -> None:
    drawn = [seatings_of("1v3", 2, "one", 7, number)[0] for number in range(200)]
    assert drawn == [seatings_of("1v3", 2, "one", 7, number)[0] for number in range(200)]
    challenger = Counter(seating.index(0) for seating in drawn)
    assert all(30 <= challenger[place] <= 70 for place in range(4))


@pytest.mark.parametrize(
    ("form", "players", "words"),
    [
        ("seats", ["a", "b", "c"], "needs 4; given are 3: a, b, c"),
        ("round-robin", ["a", "b", "c"], "needs a pool of 4 or more; given are 3"),
        ("gauntlet", [], "needs a pool of 4 or more; given are 0: none"),
        ("1v3", ["a", "b", "c"], "needs 2, challenger and champion; given are 3"),
        ("2v2", ["a"], "needs 2, challenger and champion; given are 1"),
    ],
)
def test_a_pool_of_the_wrong_size_is_refused(form: Format, players: list[str], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        check_pool(form, players)
