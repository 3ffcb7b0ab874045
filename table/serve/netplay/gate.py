"""The limits for connections to the port of net play, and the log of what goes wrong there."""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from aiohttp.http_exceptions import HttpProcessingError

from jantaku.table.ground.log import logger
from jantaku.table.serve.net.admission import is_hello, one_household, warn_of_tls
from jantaku.table.serve.net.connection import OPENING
from jantaku.table.serve.net.limits import Allowance, ConnectionCount, Limits, PendingConnections

# Logs what goes wrong at the port of net play: few lines, in jantaku's words, quoting no client. The libraries would
# print tracebacks, and strangers' bytes unescaped.

_LINES = Allowance(20, 0.2)
"""Rate limit of the log lines: attackers could flood the log."""


def refused(address: str, reason: str) -> None:
    """Log that something from that address could not be read or exceeded a limit. `reason` must quote no client."""
    if _LINES.take():
        about = {"of": address} if address else {}
        logger().warning("refused at net play", **about, reason=reason)


def failed(error: BaseException | None) -> None:
    """Log a defect. The message of an error may quote what a client sent, so only its type and place are logged."""
    if isinstance(error, OSError):  # a broken connection is not a defect
        return
    if isinstance(error, HttpProcessingError):
        refused("", "a request that cannot be read")
    elif _LINES.take():
        logger().error("defect of the server", error=type(error).__name__, at=_place_of(error))


def complain(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """The event loop's handler for errors that no caller caught."""
    failed(context.get("exception"))


def _place_of(error: BaseException | None) -> str:
    trace = None if error is None else error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "" if trace is None else f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"


class _Ours(logging.Handler):
    """Logs the errors of a library's log records. Bad input is logged where it is refused, so other records are
    dropped."""

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info is not None and record.exc_info[1] is not None:
            failed(record.exc_info[1])


def adopted(library: str) -> logging.Logger:
    """Return the logger of a library, which from now on reports only through this module."""
    theirs = logging.getLogger(library)
    theirs.handlers, theirs.propagate = [_Ours()], False
    theirs.setLevel(logging.ERROR)
    return theirs


# The limits for connections to the port of net play. aiohttp, which speaks HTTP there, bounds neither connections
# without a request nor their number.


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
