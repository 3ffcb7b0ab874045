"""A seat whose player is a client over WebSocket, for every game: its client, reconnects, and waiting for answers."""

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from websockets.frames import CloseCode

from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.errors import PlayerSilent
from jantaku.table.serve.identity import Identity
from jantaku.table.serve.net.line import Line

Found = TypeVar("Found")
RELOADING = 15.0
"""Seconds for which a person whose connection broke is waited for; then defaults are played until it is back."""


class RemoteSeat:
    """Base class of the remote seats of all games; subclasses implement `port.Remote` in the messages of one game. The
    methods of a player are called in the seat's own thread; those with a line by the threads of connections. A client
    whose connection broke may reconnect: then `_catch_up` sends it what it needs to play on."""

    listens = True
    back = "the same client has connected once more"
    """The reason for closing an older connection of a client."""

    def __init__(self, nobody: str = "no client has connected", lock: "threading.RLock | None" = None) -> None:
        self.identity: Identity | None = None
        """The identity of its client, once the seat was taken."""
        self.line: Line | None = None
        """The connection of its client, while there is one."""
        self.closed = False
        """Whether the judge need not wait for its client any more."""
        self._changed = threading.Condition(lock)
        self._away = nobody
        self._grace = Deadline(self._reloads)
        """Until when a client whose connection broke is waited for."""

    @property
    def _reloads(self) -> float:
        """Seconds for which a client whose connection breaks is waited for: programs do not reload."""
        return 0.0

    @property
    def _is_gone(self) -> bool:
        """Whether its client is not waited for. The caller holds the lock."""
        return self.line is None and self._grace.over

    @property
    def connected(self) -> bool:
        return self.line is not None

    # --- connections come and go

    def take(self, identity: Identity, line: Line) -> str:
        """Seat a client, or let it reconnect: missed messages come first, and an older connection of it is closed.
        Returns why that is impossible; empty if it is seated."""
        with self._changed:
            refusal = self._why_not(identity)
            if not refusal:
                if self.line is not None:
                    self.line.hang_up(CloseCode.NORMAL_CLOSURE, self.back)
                self.identity, self.line = identity, line
                self._catch_up(identity)
                self._changed.notify_all()
            return refusal

    def _why_not(self, identity: Identity) -> str:
        if self.identity is not None and not identity.same_as(self.identity):
            return f"the name {identity.name} is taken; take it back with the key of its first connection"
        if (
            self.line is not None and not identity.key
        ):  # more likely a second client of that name than the first one again
            return f"the name {identity.name} is taken; choose another"
        return ""

    def _catch_up(self, identity: Identity) -> None:
        """Send a reconnected client what it needs. With the lock held."""

    def leave(self, line: Line) -> None:
        """A connection is gone. What it has answered before that still counts."""
        with self._changed:
            if line is self.line:
                self.line, self._grace = None, Deadline(self._reloads)
                self._away = f"its connection has ended: {line.ended}"
                self._changed.notify_all()

    def dismiss(self) -> None:
        """The server closes: the judge need not wait for this client any more."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()

    def say(self, message: bytes) -> None:
        if (line := self.line) is not None:
            line.say(message)

    # --- as the judge's player

    def start(self, seconds: float | None) -> None:
        """See `Remote.start`."""

    def hear(self, event: Any) -> None:
        """See `Player.hear`."""

    def close(self) -> None:
        """See `Remote.close`."""

    def _wait_for(
        self, ready: Callable[[], Found | None], until: Deadline, silence: str = "no answer in time"
    ) -> Found:
        """What `ready` gives as soon as that is not None. PlayerSilent at `until`. With the lock held, which is free
        meanwhile."""
        while (found := ready()) is None:
            if until.over:
                raise PlayerSilent(silence)
            self._changed.wait(self._patience(until))
        return found

    def _patience(self, until: Deadline) -> float | None:
        """Seconds after which a waiting thread looks again, even if nothing was said. With the lock
        held."""
        left = until.left
        if self.line is not None or not self._reloads:
            return left
        grace = self._grace.left or 0.0
        return grace if left is None else min(left, grace)
