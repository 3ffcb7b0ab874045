"""Variants of `shanten` whose strength is known, to try gates, forks and intervals with (docs/ci.md, statistics.md).

jantaku gate scripts.planted:Late shanten --threads inline
jantaku gate scripts.planted:Mirrored shanten --threads inline
"""

from random import Random

from jantaku.players.bots.shanten import Shanten
from jantaku.players.bots.thought import Thought
from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi.actions import Call, Discard


class Late(Shanten):
    """Declares no riichi before it has `tiles` tiles in its river. With 9 it is about 0.1 ranks worse; 5 is a small
    change that costs about 0.03 ranks; 13 costs 0.4."""

    remembers = False
    reseed = None

    def __init__(self, *, tiles: int = 9, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self._tiles = tiles

    def _turn(self, question: Question) -> Action:
        action = super()._turn(question)
        early = len(self.board.rivers[self.seat].tiles) < self._tiles
        if early and isinstance(action, Discard) and action.riichi:
            return next(one for one in self.find_all(question, Discard) if one.tile == action.tile and not one.riichi)
        return action


class Closed(Shanten):
    """Never calls."""

    remembers = False
    reseed = None

    def answer(self, question: Question) -> Action:
        action = super().answer(question)
        return question.default if isinstance(action, Call) else action


class Slipping(Shanten):
    """Discards the tile just drawn now and then, by lot. Two with different `salt` draw different lots: they play
    differently and are equally strong."""

    remembers = False

    def __init__(self, *, salt: str = "", chance: float = 0.005, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self._salt, self._chance = salt, chance
        self.reseed(seed)

    def reseed(self, seed: int) -> None:  # type: ignore[override]  # shanten declares that it draws no lots
        """Draw other lots from now on; see `jantaku.table.play.seating.loader`."""
        self._lots = Random(f"{seed} {self._salt}")

    def _turn(self, question: Question) -> Action:
        action = super()._turn(question)
        return question.default if self._lots.random() < self._chance else action


class Mirrored(Shanten):
    """Breaks ties the other way: plays differently, and equally well."""

    def _thought(self) -> Thought:
        return Thought(self.board, self.seat, self.threats, lower=True)
