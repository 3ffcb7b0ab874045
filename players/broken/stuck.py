"""Stuck: never comes back, unless a test lets it go."""

import threading
from weakref import WeakSet

from players.bots.tsumogiri import Tsumogiri
from table.port import Action, Question

_ALL: WeakSet["Stuck"] = WeakSet()


class Stuck(Tsumogiri):
    """Blocks for ever in its first question."""

    def __init__(self, *, seed: int = 0) -> None:
        super().__init__(seed=seed)
        self.inside = threading.Event()
        """Set once the player has been asked, so that a test can wait for that."""
        self._free = threading.Event()
        _ALL.add(self)

    def answer(self, question: Question) -> Action:
        """Nothing until `let_go`, the default from then on."""
        self.inside.set()
        self._free.wait()
        return super().answer(question)

    def let_go(self) -> None:
        """Let this player's thread go home; it answers at once from now on."""
        self._free.set()


def let_all_go() -> None:
    """Let every stuck player go that is still around, for those who did not make it themselves."""
    for player in list(_ALL):
        player.let_go()
