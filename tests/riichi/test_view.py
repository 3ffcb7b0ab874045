"""A seat that has nothing but its own events comes to the same options as the table."""

import random
from typing import Any

import pytest

from jantaku.table.ground.port import Choice
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.actions import PASS, Noten, Tenpai
from jantaku.table.riichi.flow.view import View
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.rules import Rules

PRESETS = ("tenhou", "mahjongsoul", "mleague", "majiang", "showa")


class Watcher:
    """Feeds one seat's events to its view and remembers what the last one led to."""

    def __init__(self, game: RiichiGame, player: int) -> None:
        self.game, self.player = game, player
        self.view = View(game.rules)
        self.heard = 0
        self.choice: Choice | None = None

    def catch_up(self) -> None:
        while self.heard < len(self.game.events):
            self.choice = self.view.hear(self.game.masked(self.heard, self.player))
            self.heard += 1


def play(rules: Rules, seed: int) -> int:
    """One game of random legal actions, eager for melds; every choice of the table against that of the views."""
    chance = random.Random(seed)
    game = RiichiGame(rules, walls_from(str(seed), 0, rules), ("a", "b", "c", "d"), seed % 4)
    watchers = [Watcher(game, player) for player in range(4)]
    compared = 0

    def pick(choice: Choice) -> Any:
        return chance.choice(choice.options) if chance.random() < 0.6 else choice.options[0]

    while (turn := game.turn()) is not None:
        for watcher in watchers:
            watcher.catch_up()
        declares = turn.choice.options[0] in (Tenpai(), Noten())
        mover = watchers[turn.seat]
        if not declares:
            assert mover.choice == turn.choice
        elif turn.choice.asks:
            assert mover.view.declaration() == turn.choice
        action = pick(turn.choice)
        game.act(action)
        responses: list[Any] = [None] * 4
        for player in {0, 1, 2, 3} - {turn.seat}:
            choice = game.reaction(player, action)
            if not declares:
                watchers[player].catch_up()
                assert watchers[player].choice == choice, (watchers[player].view.seat, game.events[-3:])
            elif choice is not None:
                assert watchers[player].view.declaration() == choice
            if choice is not None:
                compared += choice.asks
                responses[player] = pick(choice) if chance.random() < 0.7 else PASS
                if responses[player] not in choice.options:
                    responses[player] = choice.default
        compared += turn.choice.asks
        game.rule(responses)
    return compared


@pytest.mark.parametrize("preset", PRESETS)
def test_a_view_offers_what_the_table_offers(preset: str) -> None:
    """Options and their order, for the turn seat (S-28, S-30) and for the others (S-44, S-77)."""
    rules = ruleset.resolve(preset).rules
    assert sum(play(rules, seed) for seed in range(4)) > 500


def test_a_view_offers_what_the_table_offers_where_tenpai_must_be_declared() -> None:
    rules = ruleset.with_settings(ruleset.resolve("majiang").rules, {"draw.declare_tenpai": "true"})
    assert sum(play(rules, seed) for seed in range(6)) > 500
