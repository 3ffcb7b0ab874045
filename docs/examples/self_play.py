"""Self-play on the pure engine: no judge, no threads, no records, every option as a number.

`python self_play.py 20` plays 20 hanchan by dice and prints how fast, without and with a look at the table.
"""

import random
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from jantaku.table.ground.port import Action, Choice
from jantaku.table.records.replay.decisions import seen_columns
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.option_numbers import COUNT, number_of
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.ruleset import preset

RULES = preset("tenhou")
DICE = np.random.default_rng(1)
Policy = Callable[[Board, int, list[int]], int]
"""Board, seat and the numbers of the options; the place of the one it takes."""


class Step(NamedTuple):
    """One decision, for the learner."""

    player: int
    kyoku: int
    options: list[int]
    answer: int


def hanchan(number: int, policy: Policy) -> tuple[list[Step], list[float]]:
    """All decisions of one hanchan, and the final score of each player."""
    game = RiichiGame(RULES, walls_from("self-play", number, RULES), ("a", "b", "c", "d"))
    steps: list[Step] = []

    def choose(player: int, choice: Choice) -> Action:
        if len(choice.options) == 1:
            return choice.default
        seat = (player - game.first_dealer - game.standing.kyoku) % 4
        options = [number_of(option) for option in choice.options]
        taken = policy(game.kyoku.board, seat, options)
        steps.append(Step(player, game.rounds, options, options[taken]))
        return choice.options[taken]

    while (turn := game.turn()) is not None:
        action = choose(turn.seat, turn.choice)
        game.act(action)
        answers: list[Action | None] = [None] * 4
        for player in game.reacting():
            if (choice := game.reaction(player, action)) is not None:
                answers[player] = choose(player, choice)
        game.rule(answers)
    return steps, [tenths / 10 for tenths in game.events[-1].tenths]


def dice(board: Board, seat: int, options: list[int]) -> int:
    """Any option: shows the speed of the engine."""
    return random.randrange(len(options))


def network(seen: dict[str, Any]) -> NDArray[np.float64]:
    """A value for each of the 353 actions. Yours looks at what is `seen`."""
    return DICE.random(COUNT)


def looking(board: Board, seat: int, options: list[int]) -> int:
    """As a network would be asked: what the seat may see, a mask of 353 actions, and the best of its values."""
    seen = seen_columns(board, seat)  # the board knows every tile, this function tells only what the seat may know
    mask = np.full(COUNT, -np.inf)
    mask[options] = 0.0
    return options.index(int(np.argmax(network(seen) + mask)))


def main(games: int) -> None:
    """Play by both policies and print the speed of each."""
    for policy in (dice, looking):
        began = time.perf_counter()
        decisions = sum(len(hanchan(number, policy)[0]) for number in range(games))
        taken = time.perf_counter() - began
        print(f"{policy.__name__}: {games} hanchan, {decisions / taken:.0f} decisions/s, {games / taken:.1f} hanchan/s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
