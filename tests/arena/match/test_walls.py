"""Wall schools: whose next tile a draw is, and that records of both can be verified (S-20 to S-27, S-45)."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jantaku.table.ground.errors import BadInput
from jantaku.table.records.journal.read import load
from jantaku.table.records.replay.verify import verify
from jantaku.table.riichi.pieces.schools import SeatWall
from jantaku.table.riichi.pieces.wall import Wall, shuffle
from tests.arena.match.matches import play_match, small_plan

MIXED = shuffle(range(136), "walls", 0, 0, 0, 0)
LIVE = 70


def test_without_calls_both_schools_draw_the_same_tiles() -> None:
    real, queues = Wall.of(MIXED), SeatWall.of(MIXED)
    assert [real.draw(turn % 4) for turn in range(LIVE)] == [queues.draw(turn % 4) for turn in range(LIVE)]


def test_a_call_does_not_shift_what_other_seats_draw() -> None:
    """北 calls 東's first discard: in the real wall everybody's tiles shift, with queues nobody's."""
    plain, called = SeatWall.of(MIXED), SeatWall.of(MIXED)
    undisturbed = [[plain.draw(seat) for seat in range(4)] for _ in range(10)]
    called.draw(0)
    after = [[called.draw(seat) for seat in range(4)] for _ in range(9)]
    assert [row[1:] for row in after] == [row[1:] for row in undisturbed[:9]]
    assert [row[0] for row in after] == [row[0] for row in undisturbed[1:]]
    real = Wall.of(MIXED)
    real.draw(0)
    assert [real.draw(seat) for seat in (0, 1)] != [undisturbed[0][0], undisturbed[0][1]]


@given(st.lists(st.integers(0, 3), min_size=LIVE, max_size=LIVE))
def test_whatever_seats_draw_every_live_tile_leaves_the_wall_once(seats: list[int]) -> None:
    """A seat whose queue is empty gets the last tile of the longest queue, so that 70 draws are always possible."""
    wall = SeatWall.of(MIXED)
    drawn = [wall.draw(seat) for seat in seats]
    assert sorted(drawn) == sorted(wall.tiles[52:122])
    assert sum(tile is not None for tile in wall.standing()) == 14


def test_an_empty_queue_borrows_the_last_tile_of_the_longest() -> None:
    wall = SeatWall.of(MIXED)
    live = wall.tiles[52:122]
    for _ in range(18):
        wall.draw(0)
    assert wall.draw(0) == live[69]  # 南 has 18 tiles left, the last of them is the last of all
    assert wall.draw(0) == live[65]  # now 南, 西 and 北 have 17 each: the lowest seat lends


def test_the_wall_shows_gaps_where_seats_have_drawn() -> None:
    wall = SeatWall.of(MIXED)
    before = {tile for tile in wall.standing() if tile is not None}
    drawn = {wall.draw(2), wall.draw(2), wall.draw_rinshan()}
    assert before - {tile for tile in wall.standing() if tile is not None} == drawn


def test_the_dead_wall_is_the_same_in_both_schools() -> None:
    real, queues = Wall.of(MIXED), SeatWall.of(MIXED)
    assert [real.draw_rinshan() for _ in range(4)] == [queues.draw_rinshan() for _ in range(4)]
    assert [real.indicator(n) for n in range(5)] == [queues.indicator(n) for n in range(5)]


@pytest.mark.long
@pytest.mark.parametrize("ending", [".jsonl", ".json"])
def test_a_record_names_its_school_and_can_be_verified(tmp_path: Path, ending: str) -> None:
    """`caller` calls all the time, so that the two schools part at once."""
    play_match(tmp_path / "match", small_plan(["caller", "dice"], "tonpu", walls="per-seat", sets=1))
    record = load(tmp_path / "match" / "records" / f"game-0001{ending}")
    assert record.school == "per-seat" and record.rules is not None
    assert verify(record, record.rules).difference is None
    other = load(record.path)
    other.school, other.walls = "shared", []
    assert verify(other, record.rules).difference is not None


def test_a_record_of_an_unknown_school_is_refused(tmp_path: Path) -> None:
    play_match(tmp_path / "match", small_plan(sets=1))
    path = tmp_path / "match" / "records" / "game-0000.json"
    paifu = msgspec.json.decode(path.read_bytes())
    paifu["jantaku"]["walls"] = "stacked"
    path.write_bytes(msgspec.json.encode(paifu))
    with pytest.raises(BadInput, match=r"jantaku\.walls is 'stacked'; allowed are shared, per-seat"):
        load(path)
