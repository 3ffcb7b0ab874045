"""A world put in place is the same as the world reached by playing, and a seat's own knowledge alone decides it."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jantaku.table.riichi import events
from jantaku.table.riichi.flow.kyoku import Kyoku
from jantaku.table.riichi.game import OpenQuestions, RiichiGame, walls_from
from jantaku.table.riichi.line import line_of, read_line
from jantaku.table.riichi.line.checks import CLAIMS, Subject
from jantaku.table.riichi.pieces.seats import seat_of
from jantaku.table.riichi.pieces.wall import Wall
from jantaku.table.riichi.world import Worlds, world_of
from tests.riichi.line import CLAIM, OWN, THREE
from tests.walks.play import rules_of


def state(kyoku: Kyoku) -> str:
    """All that decides how a kyoku goes on, but for what is in the wall."""
    board, ready, wall = kyoku.board, kyoku.ready, kyoku.wall
    rest = board.kans, board.rinshan, board.first_round, board.last_seat, board.last_tile, board.open_counts
    seats = board.riichi, board.deposited, board.ippatsu, ready.waits, ready.missed
    bent = [(river.sideways, river._bend_next, river.kinds) for river in board.rivers]
    return f"{board} {rest} {seats} {bent} {wall.drawn} {wall.kans}"


def left_of(wall: Wall, indicators: int) -> list[int]:
    return [wall.tiles[place] for place in sorted(wall.unseen(indicators))]


def rest_of(kyoku: Kyoku, lots: random.Random, acted: bool) -> list[str]:
    """Play to the end by lots, and tell what happened."""
    begun = len(kyoku._stream)
    while kyoku.result is None:
        if not acted:
            turn = kyoku.turn()
            assert turn is not None
            kyoku.act(lots.choice(turn[1].options))
        acted, said = False, list[Any]([None] * kyoku.board.seats)
        for seat in kyoku.reacting():
            choice = kyoku.reaction(seat, kyoku.action)
            said[seat] = None if choice is None else lots.choice(choice.options)
        kyoku.rule(said)
    return [*map(str, kyoku._stream[begun:]), str(kyoku.result)]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 1 << 30), st.sampled_from(["tenhou", "mleague", "tenhou-3p", "showa-yojyo"]))
def test_a_world_put_in_place_is_the_one_reached_by_playing(seed: int, name: str) -> None:
    lots, rules = random.Random(seed), rules_of(name)
    game = RiichiGame(rules, walls_from(str(seed), 0, rules), tuple("abcd"[: rules.game.players]))
    asked, stop = OpenQuestions(game), lots.randrange(1, 90)
    asked.go_on()
    while asked.open and asked.turns < stop and game.rounds == 1:
        asked.answer([lots.choice(choice.options[-5:]) for _, choice in asked.open])
    if not asked.open or game.rounds > 1 or len(game.kyoku.board.indicators) > 3:
        return  # with more indicators of three players, some of the live wall are among them
    player, choice = asked.open[0]
    kyoku, seat = game.kyoku, seat_of(player, game.first_dealer, game.seats)
    told = read_line(line_of(kyoku.board, choice, seat=seat, missed=kyoku.ready.missed[seat]))
    public = [event for event in game.events if not isinstance(event, events.HanchanStart | events.KyokuStart)]
    public = [event for event in public if not isinstance(event, events.Dora | events.Riichi)]
    hands = [hand.tiles for hand in kyoku.board.hands]
    rest = left_of(kyoku.wall, len(kyoku.board.indicators))
    put = world_of(told, public, hands, rest).kyoku()
    assert state(put) == state(kyoku)
    assert left_of(put.wall, len(put.board.indicators)) == rest
    assert told.choice in [one[1] for one in asked.open]
    acted = told.asked in CLAIMS
    assert acted or told.asked is Subject.TENPAI or put.turn() == (seat, told.choice)
    ends = [rest_of(one, random.Random(seed), acted) for one in (put, kyoku)]
    assert ends[0] == ends[1]


@pytest.mark.parametrize("line", [OWN, CLAIM, THREE])
def test_the_same_seed_draws_the_same_worlds_and_what_the_seat_knows_stands_in_each(line: str) -> None:
    position = read_line(line)
    states = [[state(Worlds(position, seed).draw(n).kyoku()) for n in range(5)] for seed in ("1", "1", "2")]
    assert states[0] == states[1] != states[2] and len({*states[0]}) == 5
    for number in range(5):
        board = Worlds(position, "1").draw(number).kyoku().board
        own, river = board.hands[position.seat], [str(one) for one in board.rivers]
        assert (str(own), river) == (str(position.board.hands[position.seat]), list(map(str, position.board.rivers)))
        assert (board.scores, board.indicators) == (position.board.scores, position.board.indicators)
