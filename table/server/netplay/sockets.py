"""Socket.IO as python-socketio speaks it, within our limits: it is handed only what could be read (`packets`), and it
keeps a session for no longer than we do.

Engine.IO takes a driver for its web server. Ours is its own but for the two ways by which a client's words come in:
the frames of a WebSocket and the body of a POST.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from urllib.parse import parse_qs

import socketio
from aiohttp import WSCloseCode, WSMsgType, web

from jantaku.table.errors import BadInput
from jantaku.table.server.net.admission import one_household
from jantaku.table.server.net.connection import CLOSING, OPENING
from jantaku.table.server.net.counts import PendingConnections
from jantaku.table.server.net.limits import Allowance, Limits
from jantaku.table.server.netplay import complaints, packets

PARTING = 0.2
"""Seconds in which what was said last goes out."""
_PING = 20.0
"""Seconds between two pings, where the limits name none: Socket.IO cannot do without."""
_CLOSE = {"Connection": "close"}
_NONSENSE = "what no client of net play says"
_FORM = "application/x-www-form-urlencoded"
_FIELDS = 8
"""Of a form, at the most."""
_NOOP = b"6"
"""What a poll gets whose client has begun to go over to a WebSocket."""
Environ = dict[str, Any]
Hear = Callable[..., Awaitable[object]]
"""Hears an event of a connection."""
AllowanceOf = Callable[[web.Request], Allowance]


class _Opening:
    """A session of Engine.IO that has not asked for Socket.IO yet. Implements `counts.HalfOpen`."""

    def __init__(self, address: str, drop: Callable[[], None]) -> None:
        self.address, self._drop = address, drop

    def abort(self) -> None:
        """See `counts.HalfOpen`."""
        self._drop()


class Sockets:
    """All sessions. `allowance_of` a request is for the packets that come with it. All count: one that was asked for
    is given back by who knows."""

    def __init__(self, limits: Limits, allowance_of: AllowanceOf) -> None:
        self.limits, self.allowance_of = limits, allowance_of
        self._server = socketio.AsyncServer(
            async_mode="aiohttp",
            async_handlers=False,
            max_http_buffer_size=limits.message,
            ping_interval=limits.ping or _PING,
            ping_timeout=limits.pong,
            logger=complaints.adopted("socketio"),
            engineio_logger=complaints.adopted("engineio"),
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
        """Serve it at that path; these hear events."""
        self._server.attach(app, socketio_path=path)
        for event, handler in events.items():
            self._server.on(event, handler)

    async def emit(self, connection: str, event: str, arguments: tuple[Any, ...]) -> None:
        """Say something on a connection, unless too much waits there already."""
        session = self._engine.sockets.get(self._session_of(connection))
        if session is not None and session.queue.qsize() >= self.limits.backlog:
            await self._drop(session.sid)
        await self._server.emit(event, arguments, to=connection)

    async def hang_up(self, connection: str) -> None:
        """End a connection, and its session."""
        session = self._session_of(connection)
        await self._server.disconnect(connection)
        await self._drop(session)

    async def close(self) -> None:
        """End everything that it does by itself."""
        await self._server.shutdown()

    # --- what Engine.IO says of its sessions

    def _session_of(self, connection: str) -> str:
        return self._server.manager.eio_sid_from_sid(connection, "/") or ""

    async def _came(self, session: str, environ: Environ) -> object:
        """Somebody has opened a session. As with connections, an older one that has asked for nothing gives way."""

        def drop() -> None:
            self._dropping.add(task := asyncio.get_running_loop().create_task(self._drop(session)))
            task.add_done_callback(self._dropping.discard)

        opening = self._waiting[session] = _Opening(address_of(environ["aiohttp.request"]), drop)
        self._openings.enter(opening)
        return await self._theirs["connect"](session, environ)

    async def _said(self, session: str, said: str) -> None:
        """A packet of Socket.IO's. The first asks for a connection, and no other does."""
        if session not in self._engine.sockets:
            return
        opening = self._waiting.get(session)
        if (said == packets.CONNECT[1:]) is not (opening is not None):
            complaints.refused(address_of(self._server.environ[session]["aiohttp.request"]), _NONSENSE)
            await self._drop(session)
            return
        self._begin(session)
        await self._theirs["message"](session, said)
        if said == packets.DISCONNECT[1:]:
            await self._drop(session)

    def _begin(self, session: str) -> None:
        """It is no opening any more."""
        if (opening := self._waiting.pop(session, None)) is not None:
            self._openings.leave(opening)

    async def _left(self, session: str, *why: object) -> None:
        """A session is over, from whichever side. Its WebSocket is closed when what waits there is sent."""
        self._begin(session)
        pinging = self._pinging.pop(session, None)
        if pinging is not None and pinging is not asyncio.current_task():
            pinging.cancel()
        if (ended := self._engine.sockets.pop(session, None)) is not None:
            ended.queue.put_nowait(None)
        await self._theirs["disconnect"](session, *why)

    def _begun(self, what: Callable[..., Awaitable[object]], *words: object) -> "asyncio.Future[object]":
        """Engine.IO does something beside. What waits for the next ping of a session would keep it for so long."""
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
        """A packet, if it could be read and is not one too many: empty if there is nothing to be done about it.
        ConnectionRefusedError with the reason."""
        if not allowance.take():
            reason = f"more than {self.limits.rate:g} messages a second"
        elif (told := packets.written_anew(packet, by_websocket=by_websocket)) is None:
            reason = _NONSENSE
        else:
            return told
        complaints.refused(address_of(request), reason)
        raise ConnectionRefusedError(reason)

    async def _translate(self, request: web.Request) -> Environ:
        """A request as Engine.IO reads it, a body of packets as it was understood."""
        environ: Environ = self._translated(request)
        if request.method == "POST":
            try:
                came, allowance = packets.packets_of(await body_of(request)), self.allowance_of(request)
                told = [self.hear(request, allowance, one, by_websocket=False) for one in came]
            except (ValueError, ConnectionRefusedError) as error:
                await self._drop(request.query.get("sid", ""))
                raise web.HTTPBadRequest(text=f"{error}\n", headers=_CLOSE) from None
            body = packets.body_of([one for one in told if one])
            environ |= {"wsgi.input": _Body(body), "CONTENT_LENGTH": str(len(body))}
        return environ

    def polled(self, request: web.Request, answer: web.StreamResponse) -> None:
        """A request was answered. One that gets nothing to do is asked again at once: it counts."""
        if isinstance(answer, web.Response) and answer.body == _NOOP and not self.allowance_of(request).take():
            answer.force_close()


class _Body:
    """A body that was read."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    async def read(self, size: int) -> bytes:
        """All of it."""
        return self._body


class _Frames:
    """The WebSocket of a session, as Engine.IO uses it."""

    def __init__(self, sockets: Sockets, handler: Callable[["_Frames"], Awaitable[None]], _: object) -> None:
        self._sockets, self._handler = sockets, handler
        self._socket = web.WebSocketResponse(max_msg_size=sockets.limits.message, timeout=CLOSING, compress=False)
        self._request: web.Request
        self._allowance: Allowance

    async def __call__(self, environ: Environ) -> web.WebSocketResponse:
        """The answer to a request, when the connection is over."""
        self._request = environ["aiohttp.request"]
        self._allowance = self._sockets.allowance_of(self._request)
        await self._socket.prepare(self._request)
        await self._handler(self)
        return self._socket

    async def wait(self) -> str:
        """The next packet. ConnectionError when there is none any more, which Engine.IO takes for the end."""
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
        """Say something. TimeoutError if nobody reads it: Engine.IO then says nothing more."""
        try:
            async with asyncio.timeout(self._sockets.limits.reading):
                await self._socket.send_str(packet)
        except TimeoutError:
            self._abort()
            raise

    async def close(self) -> None:
        """End it, with what was said last."""
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
    """Where a request comes from, as it is counted."""
    return one_household(request.remote or "")


async def body_of(request: web.Request) -> bytes:
    """The body of a request. Refused if it takes too long or is too long, or if its end does not come."""
    try:
        async with asyncio.timeout(OPENING):
            return await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout(headers=_CLOSE) from None
    except web.RequestPayloadError:
        raise web.HTTPBadRequest(text="the request cannot be read\n", headers=_CLOSE) from None


async def form_of(request: web.Request) -> dict[str, str]:
    """The fields of a form; none where nothing was sent, as a page does that looks which forms there are. BadInput for
    what is no form, as browsers send it: read here, as there is one way to write it."""
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
