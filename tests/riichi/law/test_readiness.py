"""What is kept of each hand so that most tiles interest nobody at once: it must never say less than the full test."""

import random

import pytest

from jantaku.table.ground.port import Action
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.ruleset import preset

PRESETS = ("tenhou", "showa", "mahjongsoul")


def picked(chance: random.Random, options: tuple[Action, ...]) -> Action:
    """Any option; mostly a discard of the drawn tile or a pass, or games of chance alone would never get to tenpai."""
    return options[-1] if chance.random() < 0.5 else chance.choice(options)


def check_hands(game: RiichiGame) -> int:
    """Waits are exact and the bound of the shanten holds, for every hand without a drawn tile."""
    kyoku = game.kyoku
    tenpai = 0
    for seat, hand in enumerate(kyoku.board.hands):
        if hand.drawn is None and hand.size % 3 == 1:
            assert kyoku.ready.waits[seat] == shapes.waits(hand.counts)
            assert 0 <= kyoku.ready.far[seat] <= shapes.shanten(hand.counts)
            tenpai += bool(kyoku.ready.waits[seat])
    return tenpai


@pytest.mark.parametrize("name", PRESETS)
def test_nothing_is_overlooked_in_random_games(name: str) -> None:
    """S-44: who is not named by the quick test has no reaction; who is tenpai is known to be, and for what."""
    rules = preset(name)
    turns = reactions = tenpai = 0
    for seed in range(4):
        chance = random.Random(seed)
        game = RiichiGame(rules, walls_from(f"ready {seed}", 0, rules), ("a", "b", "c", "d"))
        while (turn := game.turn()) is not None:
            turns += 1
            action = picked(chance, turn.choice.options)
            game.act(action)
            named = game.reacting()
            responses: list[Action | None] = [None] * 4
            for seat in range(4):
                choice = game.reaction(seat, action) if seat != turn.seat else None
                assert choice is None or seat in named
                if choice is not None:
                    reactions += 1
                    responses[seat] = picked(chance, choice.options)
            tenpai += check_hands(game)
            game.rule(responses)
    assert turns > 1500 and reactions > 300 and tenpai > 10
