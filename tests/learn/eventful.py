"""Plays games whose seats make riichi, kans, calls and wins often, and shows every question to the seat's watch."""

import random
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from jantaku.table.ground.port import Action, Choice
from jantaku.table.riichi.actions import KYUUSHU, NOTEN, RON, TENPAI, TSUMO, Call, Discard, Kan
from jantaku.table.riichi.events import Event
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.tiles import KIND
from jantaku.table.riichi.points import shapes
from jantaku.table.riichi.rules import Rules

NAMES: Final = ("a", "b", "c", "d")
BOTS: Final = {"dice": (0.1, 0.5, False), "shanten": (0.05, 0.5, True), "caller": (0.7, 0.7, True)}
"""By bot: how likely it calls, how likely it makes a kan, whether it discards for the least shanten."""
_WINS, _RIICHI, _ABORTS = 0.8, 0.8, 0.2


class Watch(Protocol):
    """What hears the events of one player, and sees its questions."""

    def hear(self, event: Event) -> None: ...

    def asked(self, choice: Choice, given: Action) -> None: ...


class Bot:
    """Answers questions at random, some answers more often than others."""

    def __init__(self, name: str, seed: str) -> None:
        self._calls, self._kans, self._plans = BOTS[name]
        self._random = random.Random(seed)

    def answer(self, choice: Choice, board: Board, seat: int) -> Action:
        lots, options = self._random, choice.options
        likely = ((TSUMO, _WINS), (RON, _WINS), (KYUUSHU, _ABORTS), (TENPAI, 0.5), (NOTEN, 1.0))
        for wanted, chance in likely:
            if wanted in options and lots.random() < chance:
                return wanted
        kans = [each for each in options if isinstance(each, Kan | Call) and each.meld.is_kan]
        calls = [each for each in options if isinstance(each, Call) and not each.meld.is_kan]
        riichi = [each for each in options if isinstance(each, Discard) and each.riichi]
        for found, chance in ((kans, self._kans), (calls, self._calls), (riichi, _RIICHI)):
            if found and lots.random() < chance:
                return lots.choice(found)
        discards = [each for each in options if isinstance(each, Discard) and not each.riichi]
        if not discards:
            return choice.default
        if self._plans and lots.random() < 0.97:
            best = shapes.best_discards(board.hands[seat].counts)[1]
            discards = [each for each in discards if best >> KIND[each.tile] & 1] or discards
        return lots.choice(discards)


def play(rules: Rules, number: int, watches: Sequence[Watch]) -> None:
    """Play one hanchan, watched from every seat. Every fourth one begins late and with points far apart."""
    start, seats, bots = None, len(NAMES), [*BOTS]
    if number % 4 == 3:
        lots = random.Random(number)
        scores = [300, 1_000, 41_700, 57_000]
        lots.shuffle(scores)
        start = Standing(lots.randrange(3, 8), lots.randrange(9), lots.randrange(4), tuple(scores), 7)
    game = RiichiGame(rules, walls_from("encoders", number, rules), NAMES, number % seats, start)
    made = [Bot(bots[(number + player) % len(bots)], f"{number} {player}") for player in range(seats)]
    heard = 0

    def tell() -> None:
        nonlocal heard
        for index in range(heard, len(game.events)):
            for player, watch in enumerate(watches):
                watch.hear(game.masked(index, player))
        heard = len(game.events)

    def ask(player: int, choice: Choice) -> Action:
        tell()
        board = game.kyoku.board
        seat = (player - game.first_dealer - board.kyoku) % seats
        given = made[player].answer(choice, board, seat)
        watches[player].asked(choice, given)
        return given

    _turns(game, ask)
    tell()


def _turns(game: RiichiGame, ask: Callable[[int, Choice], Action]) -> None:
    while (turn := game.turn()) is not None:
        action = ask(turn.seat, turn.choice)
        game.act(action)
        responses: list[Any] = [None] * game.seats
        for player in game.reacting():
            if (choice := game.reaction(player, action)) is not None:
                responses[player] = ask(player, choice)
        game.rule(responses)
