"""Luck has mean zero at every step of a kyoku, and taking it out leaves the truth where it is."""

import copy
import json
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jantaku.table.arena.match.figures.adjusted import FEWEST, adjusted
from jantaku.table.arena.match.figures.luck import _KyokuLuck, rough_luck
from jantaku.table.arena.match.figures.statistics import interval
from jantaku.table.records.journal.read import load
from jantaku.table.riichi.events import Dora, Draw, KyokuStart, TileDiscard
from jantaku.table.riichi.pieces.tiles import full_set
from tests.arena.match.matches import play_match, small_plan
from tests.kit.command import Jantaku


def dealt(seed: int) -> tuple[_KyokuLuck, list[int]]:
    """A kyoku after the deal and some draws that were all discarded again or kept, and the tiles that nobody saw."""
    numbers = random.Random(seed)
    wall = full_set(1, 1, 1)
    numbers.shuffle(wall)
    hands = tuple(tuple(wall.pop() for _ in range(13)) for _ in range(4))
    luck = _KyokuLuck(KyokuStart(0, 0, 0, 0, 0, (25000,) * 4, wall.pop(), hands))
    for turn in range(numbers.randrange(50)):
        seat = turn % 4
        luck.take(Draw(seat, wall.pop()))
        luck.take(TileDiscard(seat, numbers.choice(luck._board.hands[seat].tiles)))
    return luck, wall


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**9), st.integers(0, 3), st.booleans())
def test_over_all_tiles_that_nobody_has_seen_luck_is_nothing(seed: int, seat: int, opens: bool) -> None:
    luck, unseen = dealt(seed)
    before = np.array(luck.by_seat)
    after = []
    by_tile = {tile: unseen.count(tile) for tile in unseen}
    for tile, count in by_tile.items():
        other = copy.deepcopy(luck)
        other.take(Dora(tile) if opens else Draw(seat, tile))
        after.append(count * (np.array(other.by_seat) - before))
    assert np.abs(after).max() > 0
    assert np.abs(np.sum(after, axis=0)).max() < 1e-6 * np.abs(after).sum()


def test_all_seats_are_dealt_the_same_in_the_mean() -> None:
    """Over all indicators there can be, what counts for a haipai is the same in every seat."""
    wall = full_set(1, 1, 1)
    random.Random(3).shuffle(wall)
    hands, unseen = [tuple(wall[13 * seat : 13 * seat + 13]) for seat in range(4)], wall[52:]
    found = []
    for turned in range(4):
        seated = (*hands[turned:], *hands[:turned])
        deals = [_KyokuLuck(KyokuStart(0, 0, 0, 0, 0, (25000,) * 4, tile, seated)).by_seat for tile in unseen]
        found.append(np.roll(np.mean(deals, axis=0)[:, 0], turned))
    assert np.ptp(found[0]) > 0 and all(one == pytest.approx(found[0]) for one in found)


def test_the_four_players_share_no_rough_luck(tmp_path: Path) -> None:
    play_match(tmp_path / "match", small_plan(["shanten", "caller"], "tonpu", sets=1))
    for path in sorted((tmp_path / "match" / "records").glob("*.jsonl")):
        luck = np.array(rough_luck(load(path)))
        assert np.abs(luck).min() > 0 and np.abs(luck.sum(axis=0)).max() < 1e-9


def simulated(sets: int, matches: int) -> list[tuple[bool, bool, float]]:
    """Of each match, whether the plain and the adjusted interval hold the truth 2.4, and how much narrower it is."""
    numbers, found = np.random.default_rng(6), []
    weights = [1.0] * sets
    for _ in range(matches):
        luck = numbers.normal(size=(sets, 3)) * (numbers.random((sets, 1)) < 0.7)
        values: list[float] = (
            2.4 - 0.3 * luck[:, 0] + 0.1 * luck[:, 1] ** 2 - 0.07 + numbers.normal(0, 0.4, sets)
        ).tolist()
        both = [interval(used, weights) for used in (values, adjusted(values, weights, luck.T.tolist()))]
        assert both[0].half and both[1].half
        held = [abs(one.mean - 2.4) <= one.half for one in both if one.half]
        found.append((held[0], held[1], both[0].half / both[1].half))
    return found


@pytest.mark.long
@pytest.mark.parametrize("sets", [FEWEST, 100])
def test_without_luck_an_interval_is_narrower_and_holds_the_truth_as_often(sets: int) -> None:
    plain, without, narrower = np.mean(simulated(sets, 500), axis=0)
    assert plain >= 0.92 and without >= 0.92 and narrower > 1.1


def test_of_few_sets_nothing_is_taken_out() -> None:
    values = [float(number) for number in range(FEWEST - 1)]
    assert adjusted(values, [1.0] * (FEWEST - 1), [[1.0] * (FEWEST - 1)] * 3) is values


@pytest.mark.parametrize("same", [False, True])
def test_what_luck_explains_is_what_least_squares_say(same: bool) -> None:
    """Also where one kind of luck is another once more, or never there."""
    numbers, sets = np.random.default_rng(7), 100
    luck, weights = numbers.normal(size=(sets, 3)), numbers.integers(1, 5, sets).astype(float)
    if same:
        luck[:, 1], luck[:, 2] = 3 * luck[:, 0], 0.0
    values = 2.5 * weights + luck @ [1.0, -2.0, 0.5] + numbers.normal(size=sets)
    wanted = values.copy()
    for group in range(10):
        own = np.arange(sets) % 10 == group
        away = values[~own] - weights[~own] * (values[~own].sum() / weights[~own].sum())
        wanted[own] -= luck[own] @ np.linalg.lstsq(luck[~own], away, rcond=None)[0]
    found = adjusted(values.tolist(), weights.tolist(), luck.T.tolist())
    assert found == pytest.approx(wanted.tolist(), rel=1e-9)


@pytest.mark.long
def test_stats_takes_luck_out_and_says_what_that_is_worth(jantaku: Jantaku, tmp_path: Path) -> None:
    folder = tmp_path / "match"
    play_match(folder, small_plan(["shanten", "tsumogiri"], "one", sets=FEWEST))
    ran = jantaku("stats", str(folder), "--luck")
    assert ran.code == 0 and "without luck" in ran.out
    assert "Without luck: shanten is better than" in ran.out.replace("\n", " ")
    plain, told = (json.loads(jantaku("stats", str(folder), "--json", *words).out) for words in ((), ("--luck",)))
    assert told["figures"] == plain["figures"] and "luck" not in plain
    best = told["luck"]["players"][0]
    assert best["rank"] == plain["figures"]["players"][0]["rank"] and best["rank"] != best["rank_adjusted"]
    assert told["luck"]["pairs"][0]["rank"]["half"] > 0


def test_of_a_short_match_stats_says_how_many_sets_luck_takes(jantaku: Jantaku, tmp_path: Path) -> None:
    play_match(tmp_path / "match", small_plan())
    ran = jantaku("stats", str(tmp_path / "match"), "--luck")
    assert ran.code == 0 and "Luck is taken out of 30 wall sets or more; these are 3." in " ".join(ran.out.split())
