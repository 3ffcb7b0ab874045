"""Ranks, leftover sticks and final points."""

import pytest

from jantaku.table.riichi.flow.hanchan import by_rank, final
from jantaku.table.riichi.flow.outcome import Standing
from tests.kit.position import rules_of

WHOLE = {"game.score_rounding": "half-up"}
WIDE = WHOLE | {"game.uma": "30.0,10.0,-10.0,-30.0"}


def tenths(
    scores: tuple[int, int, int, int],
    *,
    rules: str = "majiang",
    settings: dict[str, str] | None = None,
    sticks: int = 0,
    first: int = 0,
) -> tuple[int, ...]:
    return final(Standing(8, 0, sticks, scores, 7), rules_of(rules, settings), first).tenths


@pytest.mark.parametrize(
    ("scores", "settings", "sticks", "expected"),
    [
        ((36700, 25300, 19700, 18300), {}, 0, (467, 53, -203, -317)),
        ((36700, 25300, 19700, 18300), WHOLE, 0, (470, 50, -200, -320)),
        ((30500, 30500, 19500, 19500), WHOLE, 0, (390, 110, -200, -300)),
        ((29600, 29500, 20500, 20400), WIDE, 0, (490, 100, -190, -400)),
        ((29500, 28500, 21500, 18500), WHOLE, 2, (400, 90, -180, -310)),
    ],
)
def test_final_points_are_those_of_majiang_core(
    scores: tuple[int, int, int, int], settings: dict[str, str], sticks: int, expected: tuple[int, ...]
) -> None:
    """S-132, S-133: its own examples; rank 1 is what the others leave."""
    assert tenths(scores, settings=settings, sticks=sticks) == expected


def test_equal_points_rank_by_the_order_from_the_first_dealer() -> None:
    """S-131, S-132: all equal, the first dealer is player 2."""
    assert by_rank((25000,) * 4, 2) == [2, 3, 0, 1]
    assert tenths((25000,) * 4, settings=WHOLE, first=2) == (-150, -250, 350, 50)
    assert by_rank((20000, 30000, 20000, 30000), 2) == [3, 1, 2, 0]


@pytest.mark.parametrize(
    ("rule", "scores"), [("first", (33000, 27000, 22000, 20000)), ("lost", (31000, 27000, 22000, 20000))]
)
def test_sticks_left_on_the_table_go_to_the_leader_by_rule(rule: str, scores: tuple[int, ...]) -> None:
    """S-130."""
    at = Standing(8, 0, 2, (31000, 27000, 22000, 20000), 7)
    end = final(at, rules_of("showa", {"game.leftover_sticks": rule}), 0)
    assert end.scores == scores
    assert end.ranks == (1, 2, 3, 4)


def test_of_two_leaders_the_nearer_to_the_first_dealer_takes_the_sticks() -> None:
    """S-130, S-131."""
    end = final(Standing(8, 0, 1, (20000, 30000, 19000, 30000), 7), rules_of("showa"), 3)
    assert end.scores == (20000, 30000, 19000, 31000)
    assert end.ranks == (3, 2, 4, 1)


def test_the_text_adds_uma_and_oka_to_the_distance_from_the_return_points() -> None:
    """S-132: 30/10 and the oka of 20, here so that the four add up to nothing."""
    found = tenths((41300, 28700, 20100, 9900), rules="showa")
    assert found == (613, 87, -199, -501)
    assert sum(found) == 0


def test_the_scores_that_the_text_prints_add_up_to_twenty_and_can_be_had() -> None:
    """S-132 as printed: (points - 25000 + bonus) / 1000 with a bonus of 50000, 10000, -10000 and -30000."""
    law = {"game.return_points": "25000", "game.uma": "50, 10, -10, -30"}
    found = tenths((41300, 28700, 20100, 9900), rules="showa", settings=law)
    assert found == (663, 137, -149, -451)
    assert sum(found) == 200


def test_a_tonpu_of_the_text_scores_from_its_own_start() -> None:
    """S-13, S-133: 20000 to start, 25000 to return."""
    found = tenths((30000, 22000, 18000, 10000), rules="showa", settings={"game.length": "tonpu"})
    assert found == (550, 70, -170, -450)
    assert sum(found) == 0


@pytest.mark.parametrize(
    ("rounding", "scores", "expected"),
    [
        ("none", (55500, 25500, 19500, -500), (655, 55, -205, -505)),
        ("half-up", (55500, 25500, 19500, -500), (640, 60, -200, -500)),
        ("half-away", (55500, 25500, 19500, -500), (650, 60, -200, -510)),
        # 22500 counts as 23, -500 as -1: Tenhou rounds the points, not what comes out at the end.
        ("half-away", (48000, 30000, 22500, -500), (580, 100, -170, -510)),
        ("half-up", (48000, 30000, 22500, -500), (570, 100, -170, -500)),
        # Half a tenth goes to the even one.
        ("none", (47950, 30050, 22150, -150), (580, 100, -178, -502)),
        ("half-away", (45000, 31500, 21400, 2100), (550, 120, -190, -480)),
    ],
)
def test_how_an_exact_half_is_rounded_is_a_rule(
    rounding: str, scores: tuple[int, int, int, int], expected: tuple[int, ...]
) -> None:
    """S-132: half-up rounds the final score, half-away the player's points; rank 1 has what is left."""
    assert tenths(scores, settings={"game.score_rounding": rounding}) == expected
    assert sum(expected) == 0


def test_equal_points_may_share_uma_and_oka() -> None:
    """S-131, S-133 with `game.ties = "split"`, as M.League does."""
    found = tenths((35000, 35000, 20000, 10000), rules="mleague")
    uma = rules_of("mleague").game.uma
    oka = 4 * (30000 - 25000) / 1000
    assert found[0] == found[1] == round((35 - 30 + (uma[0] + uma[1] + oka) / 2) * 10)
    assert sum(found) == 0


@pytest.mark.parametrize("rules", ["showa", "tenhou", "mahjongsoul", "mleague", "majiang"])
def test_final_points_add_up_to_nothing_under_every_preset(rules: str) -> None:
    """S-132: within what a rounding of each loses."""
    for scores in ((25000,) * 4, (40100, 30300, 20200, 9400), (61000, 25000, 20000, -6000)):
        assert abs(sum(tenths((scores[0], scores[1], scores[2], scores[3]), rules=rules))) <= 10
