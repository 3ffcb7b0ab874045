"""A user of the lobby: name, address, and the events sent to it."""

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jantaku.table.ground.clock import now
from jantaku.table.serve.net.limits import Allowance

if TYPE_CHECKING:
    from jantaku.table.serve.netplay.lobby import LobbyRoom
    from jantaku.table.serve.netplay.playing import Playing

Emit = Callable[[str, str, tuple[Any, ...]], None]
"""Sends an event with its arguments to a connection."""


class User:
    """A logged-in user. `token` is the secret of its cookie, `uid` its public id. Implements `counts.HalfOpen`: a user
    that is away may have to give way, by `log_out`."""

    def __init__(
        self, name: str, address: str, emit: Emit, allowance: Allowance, log_out: Callable[[str], None] = lambda _: None
    ) -> None:
        self.name, self.address = name, address
        self.token, self.uid = secrets.token_urlsafe(24), secrets.token_urlsafe(12)
        self.connection: str | None = None
        self.room: LobbyRoom | None = None
        self.playing: Playing | None = None
        self.looks_back = False
        """Whether it has heard the end of a game, and has neither left nor entered another room."""
        self.seen = now()
        """Time at which it last came or left."""
        self.allowance = allowance
        """Rate limit of its unsolicited messages."""
        self._emit, self._log_out = emit, log_out

    def abort(self) -> None:
        self._log_out(self.token)

    @property
    def shown(self) -> dict[str, Any]:
        """Its public data."""
        return {"name": self.name, "uid": self.uid}

    def say(self, event: str, *arguments: Any) -> None:
        """Send an event if it is connected."""
        if self.connection is not None:
            self._emit(self.connection, event, arguments)
