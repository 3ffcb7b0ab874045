"""A match that ends because the first player is faulty: as soon as that is sure, and seldom by chance."""

import random
from itertools import product

import msgspec
import pytest

from jantaku.table.arena.match.figures.faultiness import is_certain
from jantaku.table.arena.match.figures.stops import Stopping
from tests.arena.match.matches import line, small_plan
from tests.kit.cases import cases


@cases("own, own_seats, others, others_seats, certain")
def test_more_faults_than_others_have_are_certain_when_chance_hardly_does_it(
    own: int, own_seats: int, others: int, others_seats: int, certain: bool
) -> None:
    assert is_certain(own, own_seats, others, others_seats, 0.05) is certain


def test_whoever_looks_after_every_set_calls_an_equal_player_faulty_no_more_often_than_said() -> None:
    chance, wrong = random.Random(7), 0
    for rate in [0.02, 0.3] * 150:
        own = others = 0
        for sets in range(1, 101):
            own += sum(chance.random() < rate for _ in range(4))
            others += sum(chance.random() < rate for _ in range(12))
            if is_certain(own, 4 * sets, others, 12 * sets, 0.05):
                wrong += 1
                break
    assert wrong <= 300 * 0.05


@pytest.mark.parametrize("seed", range(5))
def test_a_faulty_match_stops_at_the_same_set_in_whatever_order_hanchan_end(seed: int) -> None:
    plan = small_plan(sets=9, stop_faults=True)
    games = product(range(9), range(4))
    hanchan = [line(4 * number + game, number, place_of(game), (1, 2, 3, 4)) for number, game in games]
    broken = [msgspec.structs.replace(one, faults=faults_of(one.players, bad=one.set > 1)) for one in hanchan]
    random.Random(seed).shuffle(broken)
    stopping = Stopping(plan)
    for one in broken:
        stopping.add(one)
    assert stopping.sets == 3
    assert stopping.reason == "the first player has faults in 4 of its 12 kyoku, others in 0 of 36"


def test_without_the_rule_faults_end_nothing() -> None:
    stopping = Stopping(small_plan())
    for game in range(12):
        one = line(game, game // 4, place_of(game % 4), (1, 2, 3, 4))
        stopping.add(msgspec.structs.replace(one, faults=faults_of(one.players, bad=True)))
    assert stopping.reason == ""


def place_of(game: int) -> list[str]:
    """The first player sits in every seat once."""
    return ["dice" if seat == game else "tsumogiri" for seat in range(4)]


def faults_of(players: tuple[str, ...], *, bad: bool) -> tuple[dict[str, int], ...]:
    return tuple({"gone": 3} if bad and name == "dice" else {"ok_margin": 1} for name in players)
