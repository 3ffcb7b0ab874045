"""The three policies with which every engine is measured.

T always discards the drawn tile: it never calls, wins or declares. W wins and declares riichi when it legally can,
never calls or kans, and discards by least shanten. R picks any legal option, each with the same chance.

Each exists twice and plays the same: bare, with only what it needs, and as users write bots: on the base class, with
`answer` alone, and a look at the board in every answer.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

from jantaku.players.base import RiichiPlayer
from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi import events
from jantaku.table.riichi.actions import Discard, Ron, Tsumo
from jantaku.table.riichi.pieces.tiles import KIND, KINDS
from jantaku.table.riichi.points import shapes

WINS = {Tsumo, Ron}


class DiscardsTheDraw(RiichiPlayer):
    """T: the default of every question is to discard the drawn tile, or to pass."""

    listens = False

    def answer(self, question: Question) -> Action:
        return question.default


class Winner(RiichiPlayer):
    """W. It listens, because options do not tell how often a tile is held, but counts only its own tiles: the base
    class's board would follow all four seats. It computes shanten once per draw, and not at all for a win, a riichi or
    a pass."""

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self._counts: list[int] = []
        self._place = -1

    def hear(self, event: Any) -> None:
        """Count the own deal, draws and discards, which are all that changes a hand that never calls."""
        kind = type(event)
        if kind is events.Draw:
            if event.seat == self._place:
                self._counts[KIND[event.tile]] += 1
        elif kind is events.TileDiscard:
            if event.seat == self._place:
                self._counts[KIND[event.tile]] -= 1
        elif kind is events.KyokuStart:
            self._place, hand = next((seat, hand) for seat, hand in enumerate(event.hands) if hand is not None)
            self._counts = counts = [0] * KINDS
            for tile in hand:
                counts[KIND[tile]] += 1

    def answer(self, question: Question) -> Action:
        """Return a win, a riichi, or a discard with the least shanten."""
        return win_or_least_shanten(question.options, question.default, self._counts)


class Random(RiichiPlayer):
    """R: equal seeds pick alike."""

    listens = False

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self._random = random.Random(seed).random

    def answer(self, question: Question) -> Action:
        options = question.options
        return options[int(self._random() * len(options))]


def win_or_least_shanten(options: Sequence[Action], default: Action, counts: list[int]) -> Action:
    """Return what W does. Of discards with equal shanten it takes the drawn tile, else the first one offered; one bit
    test tells either. It declares riichi with the first tile offered, because every one of them leaves tenpai; in
    riichi the drawn tile is the only discard, and leaves tenpai, too."""
    first = options[0]  # wins are offered first, and riichi before any other discard
    if type(first) in WINS:
        return first
    if not isinstance(default, Discard):  # a pass, or a declaration at the exhausted wall
        return default
    discards = [option for option in options if isinstance(option, Discard)]
    if discards[0].riichi:
        return discards[0]
    keeping = shapes.best_discards(counts)[1]
    if keeping >> KIND[default.tile] & 1:
        return default
    return next((option for option in discards if keeping >> KIND[option.tile] & 1), default)


class BoardDiscardsTheDraw(RiichiPlayer):
    """T as users write it."""

    def answer(self, question: Question) -> Action:
        assert self.hand.known
        return question.default


class BoardWinner(RiichiPlayer):
    """W as users write it."""

    def answer(self, question: Question) -> Action:
        return win_or_least_shanten(question.options, question.default, self.hand.counts)


class BoardRandom(RiichiPlayer):
    """R as users write it."""

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self._random = random.Random(seed).random

    def answer(self, question: Question) -> Action:
        assert self.hand.known
        return question.options[int(self._random() * len(question.options))]


Policies = dict[str, Callable[..., RiichiPlayer]]
POLICIES: Policies = {"T": DiscardsTheDraw, "W": Winner, "R": Random}
"""The bare bots by policy."""
WITH_BOARD: Policies = {"T": BoardDiscardsTheDraw, "W": BoardWinner, "R": BoardRandom}
"""The bots as users write them, by policy."""
