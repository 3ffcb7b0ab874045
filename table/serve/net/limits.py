"""Limits for the visitors of a server: connections, rates, sizes. Uses no game and no socket."""

import msgspec

from jantaku.table.ground.clock import now

KEPT_FILES = 32
"""File descriptors set aside for the interpreter, the listening socket and logs."""


class Limits(msgspec.Struct, frozen=True):
    """Bounds that keep one visitor from harming others: numbers, bytes and seconds."""

    connections: int = 200
    """Most connections of players."""
    watchers: int = 200
    """The most connections of spectators, which take no player's place."""
    opening: int = 64
    """Most connections that have not sent their request. A new one replaces the oldest."""
    per_address: int | None = None
    """Most connections of players, and of spectators, from one address; None: no limit."""
    opening_per_address: int = 32
    origins: tuple[str, ...] | None = None
    """Sites whose pages may connect, as `https://example.org`; None: all. The server's own pages always may, and so may
    programs, which send no Origin."""
    placeholders: tuple[str, ...] = ()
    """Origins that a library sends although there is no page behind them: they are admitted, but are no names of this
    server."""
    has_options: bool = False
    """Whether command-line options set these limits, so that a refusal can name the option that would admit the
    visitor."""
    hosts: tuple[str, ...] = ()
    """Names of this server besides its addresses, `localhost`, the machine's own name and the hosts of `origins`."""
    forwarded: bool = False
    """Whether a reverse proxy is in front, so that X-Forwarded-For gives the visitor's address."""
    message: int = 16_384
    """Most bytes of one incoming message."""
    burst: int = 400
    """Most unsolicited messages at once; then `rate` a second. A fast program answers hundreds of questions a
    second."""
    rate: float = 200.0
    backlog: int = 4000
    """Most outgoing messages that may wait for a slow reader before it is disconnected (backpressure). A client that
    joins a running hanchan gets all of it at once, up to three thousand."""
    reading: float = 5.0
    """Seconds for which a reader may stop reading while something is sent to it."""
    idle: float | None = None
    """Seconds of silence after which a player is disconnected; None: never."""
    ping: float | None = None
    """Seconds between two pings (heartbeat); None: no pings."""
    pong: float = 20.0
    """Seconds for the pong."""
    pongs_wanted: bool = True
    """Whether a client that has never answered a ping is disconnected for that, too."""
    rooms: int = 100
    rooms_per_address: int | None = None
    """Most rooms that visitors from one address may have open at a time; None: no limit."""

    def within(self, files: int) -> "Limits":
        """Lower the limits if the process may not open that many files. Half of the files are for games."""
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
