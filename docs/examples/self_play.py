"""Self-play on the pure engine: random policies play hanchan, and the decisions come back for a learner."""

import random
import sys
import time
from typing import NamedTuple

from jantaku.table.ground.port import Action, Choice
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.option_numbers import number_of
from jantaku.table.riichi.ruleset import preset

RULES = preset("tenhou")


class Step(NamedTuple):
    """One decision, for the learner."""

    player: int
    options: list[int]
    answer: int


def hanchan(number: int) -> tuple[list[Step], list[float]]:
    """All decisions of one hanchan, and the final score of each player."""
    game = RiichiGame(RULES, walls_from("self-play", number, RULES), ("a", "b", "c", "d"))
    steps: list[Step] = []

    def choose(player: int, choice: Choice) -> Action:
        if len(choice.options) == 1:
            return choice.default
        taken = random.choice(choice.options)  # ask a network here
        steps.append(Step(player, [number_of(option) for option in choice.options], number_of(taken)))
        return taken

    while (turn := game.turn()) is not None:
        action = choose(turn.seat, turn.choice)
        game.act(action)
        answers: list[Action | None] = [None] * 4
        for player in game.reacting():
            if (choice := game.reaction(player, action)) is not None:
                answers[player] = choose(player, choice)
        game.rule(answers)
    return steps, [tenths / 10 for tenths in game.events[-1].tenths]


if __name__ == "__main__":
    games = int(sys.argv[1])
    began = time.perf_counter()
    decisions = sum(len(hanchan(number)[0]) for number in range(games))
    taken = time.perf_counter() - began
    print(f"{games} hanchan, {decisions / taken:.0f} decisions/s, {games / taken:.1f} hanchan/s")
