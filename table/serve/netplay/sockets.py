"""Socket.IO by python-socketio, within the server's limits: it gets only packets that were parsed and rebuilt
(`game`), and its sessions end when the server ends them.

Engine.IO takes a driver for its web server. This one is its own driver, changed at the two places where a client's
words come in: the frames of a WebSocket and the body of a POST.

The limits for connections to this port, and the log of what goes wrong there, follow.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qs

import socketio
from aiohttp import WSCloseCode, WSMsgType, web
from aiohttp.http_exceptions import HttpProcessingError

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.log import logger
from jantaku.table.serve.net.admission import is_hello, one_household, warn_of_tls
from jantaku.table.serve.net.connection import CLOSING, OPENING
from jantaku.table.serve.net.limits import Allowance, ConnectionCount, Limits, PendingConnections
from jantaku.table.serve.netplay.game import CONNECT, DISCONNECT, joined, packets_of, written_anew

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
    """A connection, in front of its real protocol. Implements `limits.HalfOpen`."""

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


PARTING = 0.2
"""Seconds in which the last messages are sent."""
_PING = 20.0
"""Seconds between two pings if the limits name none: Socket.IO cannot do without."""
_CLOSE = {"Connection": "close"}
_NONSENSE = "what no client of net play says"
_FORM = "application/x-www-form-urlencoded"
_FIELDS = 8
"""Most fields of a form."""
_NOOP = b"6"
"""The answer to a poll whose client has begun to upgrade to a WebSocket."""
Environ = dict[str, Any]
Hear = Callable[..., Awaitable[object]]
"""Takes an event of a connection."""
AllowanceOf = Callable[[web.Request], Allowance]


class _Opening:
    """An Engine.IO session that has not asked for Socket.IO yet. Implements `limits.HalfOpen`."""

    def __init__(self, address: str, drop: Callable[[], None]) -> None:
        self.address, self._drop = address, drop

    def abort(self) -> None:
        self._drop()


class Sockets:
    """All sessions. `allowance_of(request)` is the rate limit for its packets. Every packet is charged; the caller
    gives the charge back for one that was due."""

    def __init__(self, limits: Limits, allowance_of: AllowanceOf) -> None:
        self.limits, self.allowance_of = limits, allowance_of
        self._server = socketio.AsyncServer(
            async_mode="aiohttp",
            async_handlers=False,
            max_http_buffer_size=limits.message,
            ping_interval=limits.ping or _PING,
            ping_timeout=limits.pong,
            logger=adopted("socketio"),
            engineio_logger=adopted("engineio"),
        )
        self._engine = engine = self._server.eio
        self._translated = engine._async["translate_request"]
        engine._async = {
            **engine._async,
            "translate_request": self._translate,
            "websocket": partial(_Frames, self),
        }
        self._theirs = dict(engine.handlers)
        for event, handler in {"connect": self._came, "message": self._said, "disconnect": self._left}.items():
            engine.on(event, handler)
        engine.start_background_task = self._begun
        self._pinging: dict[str, asyncio.Future[object]] = {}
        self._openings = PendingConnections(limits)
        self._waiting: dict[str, _Opening] = {}
        self._dropping: set[asyncio.Task[None]] = set()

    def attach(self, app: web.Application, path: str, events: dict[str, Hear]) -> None:
        """Serve Socket.IO at that path, with these handlers by event."""
        self._server.attach(app, socketio_path=path)
        for event, handler in events.items():
            self._server.on(event, handler)

    async def emit(self, connection: str, event: str, arguments: tuple[Any, ...]) -> None:
        """Send an event on a connection. If too much waits there, its session is dropped."""
        session = self._engine.sockets.get(self._session_of(connection))
        if session is not None and session.queue.qsize() >= self.limits.backlog:
            await self._drop(session.sid)
        await self._server.emit(event, arguments, to=connection)

    async def hang_up(self, connection: str) -> None:
        """End a connection and its session."""
        session = self._session_of(connection)
        await self._server.disconnect(connection)
        await self._drop(session)

    async def close(self) -> None:
        """End the library's background tasks."""
        await self._server.shutdown()

    # --- what Engine.IO says of its sessions

    def _session_of(self, connection: str) -> str:
        return self._server.manager.eio_sid_from_sid(connection, "/") or ""

    async def _came(self, session: str, environ: Environ) -> object:
        """Take a new session. As with connections, an older one that has asked for nothing gives way."""

        def drop() -> None:
            self._dropping.add(task := asyncio.get_running_loop().create_task(self._drop(session)))
            task.add_done_callback(self._dropping.discard)

        opening = self._waiting[session] = _Opening(address_of(environ["aiohttp.request"]), drop)
        self._openings.enter(opening)
        return await self._theirs["connect"](session, environ)

    async def _said(self, session: str, said: str) -> None:
        """Take a Socket.IO packet. The first one must ask for a connection, and no later one may."""
        if session not in self._engine.sockets:
            return
        opening = self._waiting.get(session)
        if (said == CONNECT[1:]) is not (opening is not None):
            refused(address_of(self._server.environ[session]["aiohttp.request"]), _NONSENSE)
            await self._drop(session)
            return
        self._begin(session)
        await self._theirs["message"](session, said)
        if said == DISCONNECT[1:]:
            await self._drop(session)

    def _begin(self, session: str) -> None:
        """Take note that the session has asked for Socket.IO."""
        if (opening := self._waiting.pop(session, None)) is not None:
            self._openings.leave(opening)

    async def _left(self, session: str, *why: object) -> None:
        """Take note that a session is over, from either side. Its WebSocket closes when what is queued is sent."""
        self._begin(session)
        pinging = self._pinging.pop(session, None)
        if pinging is not None and pinging is not asyncio.current_task():
            pinging.cancel()
        if (ended := self._engine.sockets.pop(session, None)) is not None:
            ended.queue.put_nowait(None)
        await self._theirs["disconnect"](session, *why)

    def _begun(self, what: Callable[..., Awaitable[object]], *words: object) -> "asyncio.Future[object]":
        """Start a background task of Engine.IO. A session's ping task is noted, so that it can be cancelled: it would
        keep the session until the next ping."""
        task = asyncio.ensure_future(what(*words))
        if session := getattr(getattr(what, "__self__", None), "sid", ""):
            self._pinging[session] = task
        return task

    async def _drop(self, session: str) -> None:
        found = self._engine.sockets.get(session)
        if found is not None:
            await found.close(wait=False)

    # --- what comes in

    def hear(
        self, request: web.Request, allowance: Allowance, packet: str | bytes, *, by_websocket: bool = True
    ) -> str:
        """Check a packet and return it rebuilt; empty if there is nothing to do for it. ConnectionRefusedError with the
        reason if it cannot be read or exceeds the rate limit."""
        if not allowance.take():
            reason = f"more than {self.limits.rate:g} messages a second"
        elif (told := written_anew(packet, by_websocket=by_websocket)) is None:
            reason = _NONSENSE
        else:
            return told
        refused(address_of(request), reason)
        raise ConnectionRefusedError(reason)

    async def _translate(self, request: web.Request) -> Environ:
        """Return a request as Engine.IO reads it, with its body of packets rebuilt."""
        environ: Environ = self._translated(request)
        if request.method == "POST":
            try:
                came, allowance = packets_of(await body_of(request)), self.allowance_of(request)
                told = [self.hear(request, allowance, one, by_websocket=False) for one in came]
            except (ValueError, ConnectionRefusedError) as error:
                await self._drop(request.query.get("sid", ""))
                raise web.HTTPBadRequest(text=f"{error}\n", headers=_CLOSE) from None
            body = joined([one for one in told if one])
            environ |= {"wsgi.input": _Body(body), "CONTENT_LENGTH": str(len(body))}
        return environ

    def polled(self, request: web.Request, answer: web.StreamResponse) -> None:
        """Charge an answered poll that carried nothing, because the client polls again at once."""
        if isinstance(answer, web.Response) and answer.body == _NOOP and not self.allowance_of(request).take():
            answer.force_close()


class _Body:
    """A body that is read already."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    async def read(self, size: int) -> bytes:
        """Return all of it."""
        return self._body


class _Frames:
    """The WebSocket of a session, with the interface that Engine.IO expects."""

    def __init__(self, sockets: Sockets, handler: Callable[["_Frames"], Awaitable[None]], _: object) -> None:
        self._sockets, self._handler = sockets, handler
        self._socket = web.WebSocketResponse(max_msg_size=sockets.limits.message, timeout=CLOSING, compress=False)
        self._request: web.Request
        self._allowance: Allowance

    async def __call__(self, environ: Environ) -> web.WebSocketResponse:
        """Serve the connection; return the answer to its request when it is over."""
        self._request = environ["aiohttp.request"]
        self._allowance = self._sockets.allowance_of(self._request)
        await self._socket.prepare(self._request)
        await self._handler(self)
        return self._socket

    async def wait(self) -> str:
        """Return the next packet. ConnectionError at the end, as Engine.IO expects."""
        while True:
            message = await self._socket.receive()
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                raise ConnectionResetError
            try:
                if told := self._sockets.hear(self._request, self._allowance, message.data):
                    return told
            except ConnectionRefusedError as refusal:
                await self._send_away(str(refusal))
                raise

    async def send(self, packet: str) -> None:
        """Send a packet. TimeoutError if the client does not read: then Engine.IO sends nothing more."""
        try:
            async with asyncio.timeout(self._sockets.limits.reading):
                await self._socket.send_str(packet)
        except TimeoutError:
            self._abort()
            raise

    async def close(self) -> None:
        """Close it after what is queued."""
        await self._socket.close()

    async def _send_away(self, reason: str) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PARTING):
                await self._socket.close(code=WSCloseCode.POLICY_VIOLATION, message=reason.encode())
        self._abort()

    def _abort(self) -> None:
        if self._request.transport is not None:
            self._request.transport.abort()


def address_of(request: web.Request) -> str:
    """Return the address of a request for counting."""
    return one_household(request.remote or "")


async def body_of(request: web.Request) -> bytes:
    """Return the body of a request. An HTTP error if it takes too long, is too long, or is incomplete."""
    try:
        async with asyncio.timeout(OPENING):
            return await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout(headers=_CLOSE) from None
    except web.RequestPayloadError:
        raise web.HTTPBadRequest(text="the request cannot be read\n", headers=_CLOSE) from None


async def form_of(request: web.Request) -> dict[str, str]:
    """Return the fields of a form; empty for an empty body, which a page sends to find out which forms there are.
    BadInput if it is not one URL-encoded UTF-8 form, the only kind that browsers send here."""
    body = await body_of(request)
    if not body:
        return {}
    try:
        fits = request.content_type == _FORM and (request.charset or "utf-8").lower() == "utf-8"
        fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=_FIELDS, errors="strict")
    except ValueError:
        fits = False
    if not fits:
        raise BadInput(f"a login is a form: {_FORM} in UTF-8")
    return {name: values[0] for name, values in fields.items()}
