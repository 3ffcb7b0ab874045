"""Adds a watch to games: a terminal view, or a pause so that people can follow."""

import threading
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from jantaku.table.ground.game import Game
from jantaku.table.ground.port import Answer
from jantaku.table.judge.result import Result
from jantaku.table.judge.watch import Watch
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.runner import Opener, OpenGame


class Looker(Watch, Protocol):
    """A watch that is also notified of the game's end."""

    def close(self) -> None:
        """The game is over."""


class WatchedGames:
    """Opens games like another opener, each with a new watch from `look`. Implements `runner.Opener`."""

    def __init__(self, opener: Opener, look: Callable[[], Looker]) -> None:
        self._opener, self._look = opener, look

    def __call__(self, number: int) -> "WatchedGame":
        """Return game `number` with its watch."""
        return WatchedGame(self._opener(number), self._look)


class WatchedGame:
    """A game with one more watch, from its beginning to its end. Implements `runner.OpenGame`."""

    def __init__(self, opened: OpenGame, look: Callable[[], Looker]) -> None:
        self._opened, self._look = opened, look
        self._looker: Looker | None = None

    @property
    def game(self) -> Game:
        return self._opened.game

    @property
    def order(self) -> Sequence[int]:
        return self._opened.order

    def begin(self) -> Sequence[Watch]:
        watches = self._opened.begin()
        self._looker = self._look()
        return (*watches, self._looker)

    def close(self, result: Result | None) -> Outcome | None:
        if self._looker is not None:
            self._looker.close()
        return self._opened.close(result)


class Pace:
    """Pauses the table for `seconds` after each turn, so that people can follow, until `stop` is set. No player's clock
    runs meanwhile. Implements `Looker`."""

    def __init__(self, seconds: float, stop: threading.Event | None = None) -> None:
        self._seconds = seconds
        self._over = stop or threading.Event()
        self._is_mine = stop is None

    def events(self, new: Sequence[Any]) -> None:
        self._over.wait(self._seconds)

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """Does nothing: only events pause the table."""

    def close(self) -> None:
        if self._is_mine:
            self._over.set()
