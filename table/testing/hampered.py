"""Wrappers that make any player slow, stuck or crashing. In all of them, `after` questions are answered normally before
the trouble begins."""

import threading
from collections.abc import Callable
from weakref import WeakSet

from jantaku.table.ground.port import Action, Player, PlayerWrapper, Question

Trouble = Callable[[threading.Event], None]
"""Runs before an answer; it may wait for the event."""

_ALL: WeakSet["Hampered"] = WeakSet()


class Hampered(PlayerWrapper):
    """Hears and answers like `player`, but runs `trouble` before each answer."""

    def __init__(self, player: Player, how: str, after: int, trouble: Trouble) -> None:
        super().__init__(player)
        self.name = f"{how} {type(player).__name__}"
        self.asked = 0
        """Questions so far."""
        self.let_go = threading.Event()
        """Set when it need not wait any longer."""
        self._after, self._trouble = after, trouble
        _ALL.add(self)

    def answer(self, question: Question) -> Action:
        """"""
        self.asked += 1
        if self.asked > self._after:
            self._trouble(self.let_go)
        return super().answer(question)


def slow(player: Player, seconds: float, *, after: int = 0) -> Hampered:
    """Return `player`, delayed by `seconds` in every answer."""
    return Hampered(player, "slow", after, lambda let_go: _wait(let_go, seconds))


def stuck(player: Player, *, after: int = 0) -> Hampered:
    """Return `player`, which never answers and never comes back."""
    return Hampered(player, "stuck", after, lambda let_go: _wait(let_go, None))


def crashing(player: Player, error: BaseException | None = None, *, after: int = 0) -> Hampered:
    """Return `player`, which raises `error` (by default a RuntimeError) at every question."""

    def crash(let_go: threading.Event) -> None:
        raise RuntimeError("crashing, as the test wants it") if error is None else error

    return Hampered(player, "crashing", after, crash)


def release_all() -> None:
    """End all waiting."""
    for player in list(_ALL):
        player.let_go.set()


def _wait(let_go: threading.Event, seconds: float | None) -> None:
    let_go.wait(seconds)
