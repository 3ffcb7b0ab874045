"""A running table for tests that look at its page: it waits whenever they look, so that both are at the same place."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from jantaku.table.ground.port import Answer
from jantaku.table.play.outcome import Outcome
from jantaku.table.riichi.events import HanchanStart, KyokuStart
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.ruleset import preset, with_settings
from tests.kit.records import PLAYERS, keep_games

Look = Callable[["Held"], None]


class Held:
    """Calls `look` at these moments, counted in turns of the judge. Implements `Looker`."""

    def __init__(self, moments: Sequence[int], look: Look) -> None:
        self.board = Board()
        self.kyoku = self.items = self.turns = 0
        """The kyoku from 1, and how many items of it there are."""
        self._moments, self._look = set(moments), look

    @property
    def position(self) -> str:
        return f"{self.kyoku}.{self.items}"

    def events(self, new: Sequence[Any]) -> None:
        for event in new:
            if isinstance(event, KyokuStart):
                self.kyoku, self.items = self.kyoku + 1, 0
            self.items += not isinstance(event, HanchanStart)
            event.apply(self.board)
        self.turns += 1
        if self.turns in self._moments:
            self._look(self)

    def answers(self, turn: int, answers: Sequence[Answer]) -> None: ...

    def close(self) -> None: ...


def play_held(folder: Path, moments: Sequence[int], look: Look, *, length: str = "tonpu", games: int = 1) -> Outcome:
    """Play games into `folder`, looking at each: how the last one ended."""
    rules = with_settings(preset("tenhou"), {"game.length": length})
    *_, last = keep_games(folder, PLAYERS, rules, seed="4", games=games, looker=lambda: Held(moments, look))
    return last
