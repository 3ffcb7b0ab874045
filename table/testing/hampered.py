"""Players that are as good as the one inside, were they not slow, stuck or crashing.

`after` is in all of them how many questions are answered as ever before the trouble begins.
"""

import threading
from collections.abc import Callable
from typing import Any
from weakref import WeakSet

from table.exam.elsewhere import Elsewhere
from table.port import Action, Player, Question, Remote

Trouble = Callable[[threading.Event], None]
"""What happens before an answer; it may wait for the event."""

_ALL: WeakSet["Hampered"] = WeakSet()


class Hampered:
    """Hears as `player` does and answers like it, after something has happened first."""

    def __init__(self, player: Player, how: str, after: int, trouble: Trouble) -> None:
        self.name = f"{how} {type(player).__name__}"
        self.listens: bool = getattr(player, "listens", True)
        self.asked = 0
        """Questions so far."""
        self.let_go = threading.Event()
        """Set when it need not wait any longer."""
        self._player, self._after, self._trouble = player, after, trouble
        _ALL.add(self)

    def hear(self, event: Any) -> None:
        """See `Player.hear`."""
        self._player.hear(event)

    def answer(self, question: Question) -> Action:
        """See `Player.answer`."""
        self.asked += 1
        if self.asked > self._after:
            self._trouble(self.let_go)
        return self._player.answer(question)


class HamperedRemote(Elsewhere, Hampered):
    """The same for a player elsewhere. Implements `Remote`."""

    def __init__(self, player: Remote, how: str, after: int, trouble: Trouble) -> None:
        super().__init__(player, how, after, trouble)
        self.remote = player


def slow(player: Player, seconds: float, *, after: int = 0) -> Hampered:
    """`player`, who takes so many seconds more for every answer."""
    return _hampered(player, "slow", after, lambda let_go: _wait(let_go, seconds))


def stuck(player: Player, *, after: int = 0) -> Hampered:
    """`player`, who never answers and never comes back."""
    return _hampered(player, "stuck", after, lambda let_go: _wait(let_go, None))


def crashing(player: Player, error: BaseException | None = None, *, after: int = 0) -> Hampered:
    """`player`, who raises `error` (a RuntimeError unless told otherwise) at every question."""

    def crash(let_go: threading.Event) -> None:
        raise RuntimeError("crashing, as the test wants it") if error is None else error

    return _hampered(player, "crashing", after, crash)


def release_all() -> None:
    """Let everybody go who still waits."""
    for player in list(_ALL):
        player.let_go.set()


def _hampered(player: Player, how: str, after: int, trouble: Trouble) -> Hampered:
    if isinstance(player, Remote):
        return HamperedRemote(player, how, after, trouble)
    return Hampered(player, how, after, trouble)


def _wait(let_go: threading.Event, seconds: float | None) -> None:
    let_go.wait(seconds)
