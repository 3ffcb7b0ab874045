"""riichienv's numbers: every option has one, what a number means comes back, and what is lost is what the page says."""

import random

import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Choice
from jantaku.table.learn.riichienv import COUNT, actions_of, number_of, second_of
from jantaku.table.play.stepped import Hanchan
from jantaku.table.riichi.actions import TENPAI, Discard
from jantaku.table.riichi.pieces.tiles import TILES
from jantaku.table.riichi.words import word_of


@pytest.mark.parametrize("rules", ["tenhou", "tenhou-3p"])
def test_every_option_has_a_number_that_means_it(rules: str) -> None:
    chance, seen = random.Random(3), set[int]()
    for seed in "12345":
        game = Hanchan(rules, seed=seed)
        while game.question:
            choice, players = game.question.choice, game.game.seats
            for option in choice.options:
                number, second = number_of(option, players), second_of(option, players)
                assert 0 <= number < COUNT[players]
                assert option in actions_of(choice, number, players=players)
                assert second is None or option in actions_of(choice, second, number, players=players)
                seen.add(number)
            game.answer(chance.choice(choice.options))
    assert len(seen) > COUNT[players] / 2


def test_of_equal_discards_the_plain_five_is_meant() -> None:
    plain, red = Discard(4, False, False), Discard(TILES - 3, False, False)
    choice = Choice((red, plain), plain)
    assert [*map(word_of, actions_of(choice, 4))] == ["m5", "m0"]


def test_an_action_without_a_number_is_refused() -> None:
    with pytest.raises(BadInput, match="has no number"):
        number_of(TENPAI)
