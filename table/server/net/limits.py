"""Limits for the visitors of a server: connections, rates, sizes. Knows no game and no socket."""

import msgspec

from jantaku.table.clock import now

KEPT_FILES = 32
"""File descriptors that are not connections: the interpreter's, the listening socket, logs."""


class Limits(msgspec.Struct, frozen=True):
    """Bounds that keep one visitor from harming the others. Numbers, bytes and seconds."""

    connections: int = 200
    """Connections of players."""
    watchers: int = 200
    """Connections of onlookers: they take no player's place."""
    opening: int = 64
    """Connections without a request so far. A new one replaces the oldest."""
    per_address: int | None = None
    """Connections of players and of those who look on, each, from one address; None: as many as there are."""
    opening_per_address: int = 32
    origins: tuple[str, ...] | None = None
    """Sites whose pages may connect, as `https://example.org`; None: all. Our own may, and so may programs,
    which name no origin."""
    placeholders: tuple[str, ...] = ()
    """Origins with which a library lets programs come and behind which there is no page: they may connect, and are no
    names of this server."""
    has_options: bool = False
    """Whether options of a command set these, so that who was refused could be admitted by one."""
    hosts: tuple[str, ...] = ()
    """Names of this server beside its addresses, `localhost`, the machine's own name and those of `origins`."""
    forwarded: bool = False
    """Whether a reverse proxy is in front, whose X-Forwarded-For tells the visitor's address."""
    message: int = 16_384
    """Bytes of one incoming message."""
    burst: int = 400
    """Messages that may come at once; then `rate` a second. A fast program answers hundreds of questions a second."""
    rate: float = 200.0
    backlog: int = 4000
    """Outgoing messages that may wait for one slow reader before it is disconnected (backpressure). A client that joins
    a running hanchan gets all of it at once, which may be three thousand."""
    reading: float = 5.0
    """Seconds for which a reader may stop reading while something is sent to it."""
    idle: float | None = None
    """Seconds of silence after which a player is disconnected; None: never."""
    ping: float | None = None
    """Seconds between two pings (heartbeat); None: there are none."""
    pong: float = 20.0
    """Seconds for the pong."""
    pongs_wanted: bool = True
    """Whether a client that has never answered a ping is disconnected for it, too."""
    rooms: int = 100
    rooms_per_address: int | None = None
    """Rooms that visitors from one address have open at the same time; None: as many as there are."""

    def within(self, files: int) -> "Limits":
        """These limits, lowered where the process may not open that many files. Half of the files are for games."""
        most = max(8, (files - KEPT_FILES) // 2)
        if self.connections + self.watchers + self.opening <= most:
            return self
        opening = min(self.opening, most // 4)
        watchers = min(self.watchers, most // 4)
        connections = min(self.connections, most - opening - watchers)
        return msgspec.structs.replace(self, opening=opening, watchers=watchers, connections=connections)


class Allowance:
    """A token bucket: `burst` tokens, refilled at `rate` a second."""

    def __init__(self, burst: float, rate: float) -> None:
        self._burst, self._rate = burst, rate
        self._left, self._at = burst, now()

    def take(self) -> bool:
        """Take a token; False if there is none."""
        at = now()
        self._left = min(self._burst, self._left + (at - self._at) * self._rate)
        self._at = at
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def give_back(self) -> None:
        """One that was taken need not have been."""
        self._left = min(self._burst, self._left + 1)
