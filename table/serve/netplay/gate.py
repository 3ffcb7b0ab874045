"""The limits for connections to the port of net play. aiohttp, which speaks HTTP there, bounds neither connections
without a request nor their number."""

import asyncio
from collections.abc import Callable
from typing import cast

from jantaku.table.serve.net.admission import one_household
from jantaku.table.serve.net.connection import OPENING
from jantaku.table.serve.net.counts import ConnectionCount, PendingConnections
from jantaku.table.serve.net.limits import Allowance, Limits
from jantaku.table.serve.net.tls import is_hello, warn_of_tls


class Gate:
    """All connections of a port: makes the protocol of each one and counts them. `inside` makes the protocol behind it.
    Call on the loop."""

    def __init__(self, limits: Limits, inside: Callable[[], asyncio.Protocol]) -> None:
        self._limits, self._inside = limits, inside
        self._openings = PendingConnections(limits)
        self._count = ConnectionCount(limits.connections, None if limits.forwarded else limits.per_address)
        self._knocking: dict[asyncio.BaseTransport, Knock] = {}

    def __call__(self) -> "Knock":
        """Make the protocol of a new connection."""
        return Knock(self, self._inside(), Allowance(self._limits.burst, self._limits.rate))

    def admits(self, transport: asyncio.BaseTransport | None) -> bool:
        """Count the connection: the head of a request has arrived. False if there are too many."""
        one = None if transport is None else self._knocking.get(transport)
        if one is not None and not one.is_inside:
            self._openings.leave(one)
            one.is_inside = self._count.enter(one.address)
        return one is None or one.is_inside

    def allowance_of(self, transport: asyncio.BaseTransport | None) -> Allowance:
        """Return the rate limit of that connection; an empty one if it is closed."""
        one = None if transport is None else self._knocking.get(transport)
        return Allowance(0, 0) if one is None else one.allowance

    def came(self, one: "Knock") -> None:
        """Add a connection that has not sent its request; drop an older one if there are too many."""
        self._knocking[one.transport] = one
        self._openings.enter(one)

    def left(self, one: "Knock") -> None:
        """Remove a closed connection."""
        if self._knocking.pop(one.transport, None) is not None:
            self._openings.leave(one)
            if one.is_inside:
                self._count.leave(one.address)


class Knock(asyncio.Protocol):
    """A connection, in front of its real protocol. Implements `counts.HalfOpen`."""

    def __init__(self, gate: Gate, inside: asyncio.Protocol, allowance: Allowance) -> None:
        self.address, self.allowance = "", allowance
        self.is_inside = False
        """Whether it has sent a request and is counted."""
        self.transport: asyncio.Transport
        self._gate, self._inside = gate, inside
        self._patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.address = one_household(str((transport.get_extra_info("peername") or [""])[0]))
        self._inside.connection_made(transport)
        self._patience = asyncio.get_running_loop().call_later(OPENING, self._lose_patience)
        self._gate.came(self)

    def data_received(self, data: bytes) -> None:
        if not self.is_inside and is_hello(data):
            warn_of_tls(self.address)
        self._inside.data_received(data)

    def eof_received(self) -> bool | None:
        return self._inside.eof_received()

    def pause_writing(self) -> None:
        self._inside.pause_writing()

    def resume_writing(self) -> None:
        self._inside.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._patience is not None:
            self._patience.cancel()
        self._gate.left(self)
        self._inside.connection_lost(exc)

    def abort(self) -> None:
        """Drop the connection at once."""
        self.transport.abort()

    def _lose_patience(self) -> None:
        if not self.is_inside:
            self.abort()
