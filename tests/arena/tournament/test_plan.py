"""What a tournament plans when so many hanchan are asked for, and what it refuses."""

from typing import Any

import pytest

from jantaku.table.arena.tournament.plan import file_of, plan_of
from jantaku.table.ground.errors import BadInput
from tests.arena.tournament.tournaments import small_tournament


@pytest.mark.parametrize(
    ("form", "players", "hanchan", "each", "rounds", "games"),
    [
        ("round-robin", 20, None, 76, 1, 380),
        ("round-robin", 20, 40, 76, 1, 380),
        ("round-robin", 20, 150, 152, 2, 760),
        ("swiss", 20, None, 20, 5, 100),
        ("swiss", 20, 41, 40, 5, 200),
        ("swiss", 20, 8, 8, 2, 40),
        ("gauntlet", 20, None, 76, 1, 76),
        ("gauntlet", 4, 16, 16, 4, 16),
        ("knock-out", 20, None, 16, 4, 144),
        ("knock-out", 4, 9, 8, 1, 8),
    ],
)
def test_the_plan_is_the_nearest_to_what_is_asked_for(
    form: str, players: int, hanchan: int | None, each: int, rounds: int, games: int
) -> None:
    plan = small_tournament(players, format=form, hanchan=hanchan, rounds=None)
    assert (plan.each, len(plan.tables), plan.games) == (each, rounds, games)


@pytest.mark.parametrize("form", ["round-robin", "swiss", "gauntlet", "knock-out"])
@pytest.mark.parametrize("hanchan", [None, 50, 333])
def test_a_plan_is_asked_for_again_by_its_own_file(form: str, hanchan: int | None) -> None:
    plan = small_tournament(9, format=form, hanchan=hanchan)
    assert plan_of(file_of(plan)) == plan


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        ({"players": ["dice"] * 3}, "a tournament needs 4 or more, a table of them; given are 3: dice, dice, dice"),
        ({"players": ["dice"] * 65, "format": "gauntlet"}, "format gauntlet takes up to 64; given are 65; swiss and"),
        ({"format": "knock-out", "rounds": 3}, "a knock-out has as many rounds as it takes; leave rounds away"),
        ({"format": "ladder"}, "tournament.format"),
        ({"hanchan": 0}, "tournament.hanchan"),
    ],
)
def test_what_cannot_be_planned_is_refused_in_a_line(flags: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput) as refused:
        small_tournament(**flags)
    assert says in str(refused.value) and "\n" not in str(refused.value)
