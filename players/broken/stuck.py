"""Stuck: never returns, unless a test releases it."""

import threading
from weakref import WeakSet

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.port import Action, Question

_all: WeakSet["Stuck"] = WeakSet()


class Stuck(Tsumogiri):
    """Blocks for ever at its first question."""

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self.inside = threading.Event()
        """Set once it has been asked, so that a test can wait for that."""
        self._free = threading.Event()
        _all.add(self)

    def answer(self, question: Question) -> Action:
        """Return the default once it is released."""
        self.inside.set()
        self._free.wait()
        return question.default

    def let_go(self) -> None:
        """Release this player's thread; from now on it does not hang."""
        self._free.set()


def let_all_go() -> None:
    """Release every stuck player that still exists, for callers that did not create them."""
    for player in list(_all):
        player.let_go()
