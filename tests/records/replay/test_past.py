"""A past that is made up for a position: the engine comes from it to the same question, whatever the hidden tiles."""

import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.records.replay.past import begun, past_of
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import Discard
from jantaku.table.riichi.line import read_line
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.tiles import KIND
from jantaku.table.riichi.points import shapes
from tests.riichi.line import CLAIM, OWN, THREE

# That every question of many games has a past which leads to it is a law of tests/riichi/line, and of scripts/lines.


def board_of(line: str, seed: str) -> Board:
    return begun(past_of(read_line(line), seed)).kyoku.board


@pytest.mark.parametrize("line", [OWN, CLAIM, THREE])
def test_the_same_seed_makes_up_the_same_past_and_another_one_deals_other_hidden_tiles(line: str) -> None:
    first, again, other = (past_of(read_line(line), seed) for seed in ("1", "1", "2"))
    assert first.record.log == again.record.log != other.record.log
    assert first.record.walls[0].tiles == again.record.walls[0].tiles != other.record.walls[0].tiles


def test_the_seat_that_is_asked_has_the_hand_of_the_line_and_the_others_have_no_tile_of_it() -> None:
    for seed in "1234":
        board = board_of(OWN, seed)
        south = read_line(OWN).board.hands[1]
        assert (board.hands[1].tiles, board.hands[1].drawn) == (south.tiles, south.drawn)
        assert [hand.size for hand in board.hands] == [13, 8, 10, 13]
        everything = [tile for hand in board.hands for tile in hand.tiles]
        assert all(everything.count(tile) <= 4 for tile in everything)


def test_a_seat_in_riichi_waits_for_a_tile_that_it_has_not_let_go_by() -> None:
    for seed in map(str, range(20)):
        board = board_of(OWN, seed)
        assert (waits := shapes.waits(board.hands[0].counts)) and not waits & board.safe_against(0)


def test_a_late_riichi_with_too_few_sets_left_has_seven_pairs() -> None:
    line = (
        "jtk1 majiang;game.length=tonpu;game.start_points=20000;game.extension=four-kyoku;ron.max_winners=3;"
        "ron.sanchahou=false E2 honba=0 sticks=3 left=1 indicators=s9 "
        "E24900/z3s2m2z5p5.m7z1p4p3m9.p6.p4.z6.s8.p9.m6.z2.p6./s678-,s4-56 "
        "S19000/z2p6.m9s4z7z3z1p1p1p8p4.Rs3.m9.p8.s1.m5.m0.p5. "
        "W18000/s2.p2s0.p3z3z5m7m1Rz7.m2.s3.z2.s7.p2.m1.z2.p9.s3. "
        "N15100/p8.p0m9p8s8Ez5z3.s4Em7p2.z5Rz1.s1.z6.s3.p3.p2. hand=s1266z444 ask=E/discard/W/s3"
    )
    hands = board_of(line, "1").hands
    assert sum(sorted(hand.counts)[-6:] == [2] * 6 for hand in hands) > 0


def test_a_tile_that_may_be_claimed_is_given_and_not_in_the_past() -> None:
    past = past_of(read_line(CLAIM), "1")
    assert past.given == Discard(8, tsumogiri=True) and past.player == 1  # East of the second kyoku
    (kyoku,) = past.record.log
    assert isinstance(kyoku[-1], events.Draw) and kyoku[-1].tile is not None and KIND[kyoku[-1].tile] == 8


def test_points_and_sticks_are_given_back_to_the_time_of_the_deal() -> None:
    deal = past_of(read_line(OWN), "1").record.log[0][0]
    assert isinstance(deal, events.KyokuStart)
    assert (deal.scores, deal.sticks) == ((25000, 25000, 25000, 25000), 0)


def test_a_position_of_the_first_kyoku_may_have_any_points() -> None:
    line = (
        "jtk1 mahjongsoul E1 honba=0 sticks=0 left=68 indicators=p3 E900/p2 S40000 W30000 N29100 "
        "hand=m23459p24567s5z36+m3 ask=S/draw"
    )
    assert board_of(line, "1").scores == [900, 40000, 30000, 29100]


@pytest.mark.long
def test_a_position_that_no_kyoku_leads_to_is_refused() -> None:
    line = (
        "jtk1 tenhou E1 honba=0 sticks=0 left=65 indicators=z7 E25000/z1 S25000/z1 W25000/z1 N25000/z1 "
        "hand=m123p456s789z2255+z5 ask=E/draw"
    )
    with pytest.raises(BadInput, match="found no kyoku that leads to this position, in 400 tries"):
        past_of(read_line(line), "1")  # four equal winds: 四風連打
