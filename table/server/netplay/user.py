"""A user of the lobby: who came, from where, and what is said to it."""

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jantaku.table.clock import now
from jantaku.table.server.net.limits import Allowance

if TYPE_CHECKING:
    from jantaku.table.server.netplay.lobby import LobbyRoom
    from jantaku.table.server.netplay.playing import Playing

Emit = Callable[[str, str, tuple[Any, ...]], None]
"""Sends an event with its arguments to a connection."""


class User:
    """Somebody who has logged in. `token` is the secret of its cookie, `uid` is what others see. Implements
    `counts.HalfOpen`: who is away may have to give way, by `log_out`."""

    def __init__(
        self, name: str, address: str, emit: Emit, allowance: Allowance, log_out: Callable[[str], None] = lambda _: None
    ) -> None:
        self.name, self.address = name, address
        self.token, self.uid = secrets.token_urlsafe(24), secrets.token_urlsafe(12)
        self.connection: str | None = None
        self.room: LobbyRoom | None = None
        self.playing: Playing | None = None
        self.looks_back = False
        """Whether it has heard the end of a game, and is neither gone nor in another room."""
        self.seen = now()
        """When it last came or left."""
        self.allowance = allowance
        """For what nobody has asked it."""
        self._emit, self._log_out = emit, log_out

    def abort(self) -> None:
        """See `counts.HalfOpen`."""
        self._log_out(self.token)

    @property
    def shown(self) -> dict[str, Any]:
        """What everybody may know."""
        return {"name": self.name, "uid": self.uid}

    def say(self, event: str, *arguments: Any) -> None:
        """Send an event, if it is connected."""
        if self.connection is not None:
            self._emit(self.connection, event, arguments)
