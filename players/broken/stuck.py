"""Stuck: never returns, unless a test releases it."""

import threading
from weakref import WeakSet

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.port import Action, Question

_ALL: WeakSet["Stuck"] = WeakSet()


class Stuck(Tsumogiri):
    """Blocks for ever at its first question."""

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self.inside = threading.Event()
        """Set once the player has been asked, so that a test can wait for that."""
        self._free = threading.Event()
        _ALL.add(self)

    def answer(self, question: Question) -> Action:
        """Block until `let_go`, and return the default from then on."""
        self.inside.set()
        self._free.wait()
        return super().answer(question)

    def let_go(self) -> None:
        """Release this player's thread; from now on it answers at once."""
        self._free.set()


def let_all_go() -> None:
    """Release every stuck player that still exists, for callers that did not create them."""
    for player in list(_ALL):
        player.let_go()
