"""The observation `jantaku-1` brings the board back and tells nothing that its seat may not know."""

import random
from typing import Any

import numpy as np
import pytest

from jantaku.players.bots.shanten import Shanten
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Choice, Question
from jantaku.table.learn.encoding import GameEncoder
from jantaku.table.learn.own import ACTIONS, ENCODER, OwnSeat, board_of, write
from jantaku.table.play.stepped import Hanchan
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import RON
from jantaku.table.riichi.line import line_of, read_line
from jantaku.table.riichi.option_numbers import number_of
from jantaku.table.riichi.own_numbers import FIELDS, SIZE, RowPacker
from tests.kit.cases import cases
from tests.riichi.line import CLAIM, OWN, THREE


def came_back(game: Hanchan) -> bool:
    """Whether the open question is the same line after it was numbers, without hidden tiles."""
    assert game.question is not None
    asked, (obs, mask) = game.question, ENCODER.buffers()
    GameEncoder(ENCODER, game.game).write(asked.player, asked.choice, obs, mask)
    board, missed = board_of(obs, game.game.rules), bool(obs[10])
    same = line_of(board, asked.choice, seat=asked.seat, missed=missed) == asked.line
    hidden = all(not hand.known for seat, hand in enumerate(board.hands) if seat != asked.seat)
    return same and hidden and {int(n) for n in np.flatnonzero(mask)} == set(map(number_of, asked.choice.options))


@pytest.mark.long
@pytest.mark.parametrize("rules", ["tenhou", "mleague", "tenhou-3p"])
def test_every_question_of_random_games_comes_back_from_its_numbers(rules: str) -> None:
    chance, asked = random.Random(5), 0
    for seed in "123":
        game = Hanchan(rules, seed=seed)
        while game.question and asked < 4000:
            assert came_back(game), game.question.line
            options = game.question.choice.options
            game.answer(chance.choice(options) if chance.random() < 0.3 else None)
            asked += 1
    assert asked > 1000


@pytest.mark.long
@pytest.mark.parametrize("rules", ["tenhou", "showa", "tenhou-3p"])
def test_a_seat_that_hears_its_events_sees_what_the_table_shows_it(rules: str) -> None:
    missed = 0
    for seed in range(12):
        chance, game = random.Random(seed), Hanchan(rules, seed=str(seed))
        seats, heard = [OwnSeat() for _ in range(game.game.seats)], [0] * game.game.seats
        table = GameEncoder(ENCODER, game.game)
        bots = [Shanten() for _ in seats]
        while game.question:
            asked, events = game.question, game.game.events
            for index in range(heard[asked.player], len(events)):
                seats[asked.player].hear(game.game.masked(index, asked.player))
                bots[asked.player].hear(game.game.masked(index, asked.player))
            heard[asked.player] = len(events)
            mine, shown = ENCODER.buffers(), ENCODER.buffers()
            seats[asked.player].observe(asked.choice, *mine)
            table.write(asked.player, asked.choice, *shown)
            assert all((a == b).all() for a, b in zip(mine, shown, strict=True)), asked.line
            missed += int(mine[0][10])
            wins = RON in asked.choice.options and chance.random() < 0.5
            game.answer(None if wins else bots[asked.player].answer(Question(0, asked.player, asked.choice)))
    assert missed > 0


@pytest.mark.parametrize("line", [OWN, CLAIM, THREE])
def test_a_position_from_a_line_gives_the_numbers_of_a_game_that_has_come_there(line: str) -> None:
    position = read_line(line)
    first, second = ENCODER.buffers(), ENCODER.buffers()
    row = RowPacker().seen(position.board, position.choice, position.seat, position.missed)
    write([row], first[0][np.newaxis], first[1][np.newaxis])
    game = Hanchan.at(line, seed="3")
    while game.question and game.question.line != line:
        game.answer()
    assert game.question is not None
    GameEncoder(ENCODER, game.game).write(game.question.player, game.question.choice, *second)
    assert all((a == b).all() for a, b in zip(first, second, strict=True))


def test_a_question_before_the_deal_is_refused() -> None:
    with pytest.raises(BadInput, match="did not hear the start of the game"):
        OwnSeat().hear(events.Draw(0, 3))
    with pytest.raises(BadInput, match="give it every event of its seat first"):
        OwnSeat().observe(Choice((), None), *ENCODER.buffers())


def test_the_fields_follow_each_other_and_fill_the_observation() -> None:
    assert [field.begin for field in FIELDS] == [sum(one.size for one in FIELDS[:n]) for n in range(len(FIELDS))]
    assert sum(field.size for field in FIELDS) == SIZE and ACTIONS == 354


@cases(
    "obs, mask, why",
    (np.zeros(SIZE, np.float32), np.zeros(ACTIONS, np.bool_), "obs is float32"),
    (np.zeros(SIZE + 1, np.int32), np.zeros(ACTIONS, np.bool_), "obs is int32"),
    (np.zeros(SIZE, np.int32), np.zeros(ACTIONS, np.uint8), "mask is uint8"),
    (np.zeros(2 * SIZE, np.int32)[::2], np.zeros(ACTIONS, np.bool_), "obs has to be C-contiguous"),
    ([0] * SIZE, np.zeros(ACTIONS, np.bool_), "obs is list"),
)
def test_arrays_that_do_not_fit_are_refused(obs: Any, mask: Any, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        ENCODER.check(obs, mask)
