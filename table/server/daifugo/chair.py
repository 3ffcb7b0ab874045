"""One seat of a 大富豪 room: who sits there, and how the judge asks a player behind a socket."""

import threading
from collections.abc import Callable
from typing import Any

from table.clock import deadline, now
from table.daifugo.actions import Put
from table.errors import PlayerFault, PlayerSilent
from table.port import Action, Player, Question
from table.server.claims import Claim
from table.server.net.line import Line
from table.wire import neof5

AWAY = "(離脱)"
"""Stands behind the name of a player whose connection is gone (§2.3)."""


class Chair:
    """A seat with a name. `line` is None for a computer player, and while a player is away."""

    line: Line | None = None
    put: tuple[int, ...] = ()
    """The last accepted play in the order in which the player sent it, where that is known."""

    def __init__(self, name: str, player: Player) -> None:
        self.name = name
        self.player = player

    @property
    def shown(self) -> str:
        """The name as everybody is told it."""
        return self.name

    def tell(self, message: bytes) -> None:
        """Send a game message: nobody reads it here."""


class VisitorChair(Chair):
    """The seat of somebody who came over the network; as the judge's player it implements `port.Remote`.

    `lock` is the room's. `ask(chair)` puts a question of the judge on the line, and `give` brings the answer.
    """

    listens = False
    """Everybody is told what happens by the room, not by the judge."""

    def __init__(self, claim: Claim, line: Line, lock: threading.RLock, ask: Callable[["VisitorChair"], None]) -> None:
        super().__init__(claim.name, self)
        self.claim = claim
        self.line = line
        self.stale = 0
        """Puts that were sent before the question was read that they would have answered."""
        self.asked = False
        """Whether a Put is waited for."""
        self.last = b""
        """The last game message for this seat, for when the player comes back."""
        self._changed = threading.Condition(lock)
        self._given: Put | None = None
        self._leaving = False
        self._ask = ask

    @property
    def shown(self) -> str:
        """See `Chair.shown`."""
        return self.name if self.line is not None else f"{self.name}{AWAY}"

    def tell(self, message: bytes) -> None:
        """Send a game message, and keep it for when the player comes back. With the room's lock held."""
        self.last = message
        self.say(message)

    def say(self, message: bytes) -> None:
        """Send a message that need not be kept."""
        if self.line is not None:
            self.line.say(message)

    def refuse(self, text: str) -> None:
        """Tell this player alone that a message of his was wrong."""
        self.say(neof5.exception(text))

    def give(self, put: tuple[int, ...]) -> None:
        """The legal answer to the open question. With the room's lock held."""
        self.put = put
        self._given = Put(tuple(sorted(put)))
        self.asked = False  # one answer for each question (§7.1 #3)
        self._changed.notify_all()

    def let_go(self) -> None:
        """Let whoever waits for this player go: the room closes. With the room's lock held."""
        self._leaving = True
        self._changed.notify_all()

    # --- as the judge sees it

    def start(self, seconds: float | None) -> None:
        """See `Remote.start`: whoever has a chair is ready."""

    def close(self) -> None:
        """See `Remote.close`. The player stays for the next series."""

    def hear(self, event: Any) -> None:
        """See `Player.hear`: never called, as `listens` says."""

    def answer(self, question: Question) -> Action:
        """See `Player.answer`. Who is away is not waited for (§2.3)."""
        with self._changed:
            if self.line is None:
                raise PlayerFault("not connected")
            self._given, self.asked = None, True
            self._ask(self)
            try:
                return self._wait(question)
            finally:
                self.asked = False

    def _wait(self, question: Question) -> Put:
        due = deadline(None if question.allowed is None else question.allowed + question.margin)
        while self._given is None:
            left = None if due is None else due - now()
            if left is not None and left <= 0:
                left = question.more()
            if self._leaving or (left is not None and left <= 0):
                raise PlayerSilent("the room closes" if self._leaving else f"no Put in {question.allowed:g} s")
            self._changed.wait(left)
        return self._given
