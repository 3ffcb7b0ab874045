"""The observation `jantaku-1` brings the board back and tells nothing that its seat may not know."""

import random
from typing import Any

import numpy as np
import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Choice
from jantaku.table.learn.own import ACTIONS, FIELDS, SIZE, board_of, observe
from jantaku.table.play.stepped import Hanchan
from jantaku.table.riichi.line import line_of, read_line
from jantaku.table.riichi.option_numbers import number_of
from tests.riichi.line import CLAIM, OWN, THREE


def buffers() -> tuple[Any, Any]:
    return np.full(SIZE, -9, np.int32), np.ones(ACTIONS, np.bool_)


def came_back(game: Hanchan) -> bool:
    """Whether the open question is the same line after it was numbers; hidden tiles are not among these, nor whether a
    winning tile was passed up."""
    assert game.question is not None
    obs, mask = buffers()
    asked = game.question
    observe(game.board, asked.choice, asked.seat, obs, mask)
    board = board_of(obs, game.game.rules)
    missed = asked.line.endswith(" missed")
    same = line_of(board, asked.choice, seat=asked.seat, missed=missed) == asked.line
    hidden = all(not hand.known for seat, hand in enumerate(board.hands) if seat != asked.seat)
    return same and hidden and {int(n) for n in np.flatnonzero(mask)} == set(map(number_of, asked.choice.options))


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


@pytest.mark.parametrize("line", [OWN, CLAIM, THREE])
def test_a_seat_that_knows_only_its_own_tiles_sees_the_same(line: str) -> None:
    position = read_line(line)
    first, second = buffers(), buffers()
    observe(position.board, position.choice, position.seat, *first)
    game = Hanchan.at(line, seed="3")
    while game.question and game.question.line != line:
        game.answer()
    assert game.question is not None
    observe(game.board, game.question.choice, game.question.seat, *second)
    assert all((a == b).all() for a, b in zip(first, second, strict=True))


def test_the_fields_follow_each_other_and_fill_the_observation() -> None:
    assert [field.begin for field in FIELDS] == [sum(one.size for one in FIELDS[:n]) for n in range(len(FIELDS))]
    assert sum(field.size for field in FIELDS) == SIZE and ACTIONS == 354


@pytest.mark.parametrize(
    ("obs", "mask", "why"),
    [
        (np.zeros(SIZE, np.float32), np.zeros(ACTIONS, np.bool_), "obs is float32"),
        (np.zeros(SIZE + 1, np.int32), np.zeros(ACTIONS, np.bool_), "obs is int32"),
        (np.zeros(SIZE, np.int32), np.zeros(ACTIONS, np.uint8), "mask is uint8"),
        (np.zeros(2 * SIZE, np.int32)[::2], np.zeros(ACTIONS, np.bool_), "obs has to be C-contiguous"),
        ([0] * SIZE, np.zeros(ACTIONS, np.bool_), "obs is list"),
    ],
)
def test_buffers_that_do_not_fit_are_refused_before_anything_is_written(obs: Any, mask: Any, why: str) -> None:
    position = read_line(OWN)
    before = mask.copy()
    with pytest.raises(BadInput, match=why):
        observe(position.board, Choice((), None), position.seat, obs, mask)
    assert (mask == before).all()
