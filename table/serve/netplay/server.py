"""Net play over Socket.IO, compatible with kobalab/majiang-server: its lobby and its messages in front of jantaku's
rooms.

aiohttp and python-socketio speak HTTP, Engine.IO and Socket.IO, on an event loop in a thread of its own.
"""

import asyncio
import ssl
import threading
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import msgspec
from aiohttp import web

from jantaku.table.ground.clock import now
from jantaku.table.ground.errors import BadInput
from jantaku.table.records.view import page as guard
from jantaku.table.serve.net.admission import is_ours
from jantaku.table.serve.net.connection import OPENING
from jantaku.table.serve.net.limits import Allowance, Limits
from jantaku.table.serve.net.line import Welcome, listening
from jantaku.table.serve.net.web import Page, affordable
from jantaku.table.serve.netplay import sockets as complaints
from jantaku.table.serve.netplay.game import User
from jantaku.table.serve.netplay.lobby import Lobby
from jantaku.table.serve.netplay.sockets import PARTING, Gate, Hear, Sockets, address_of, form_of

PORT = 4615
"""majiang-server's default."""
BASE = "/server"
HOME = {"Location": "/"}
"""Where a browser goes after logging in or out."""
COOKIE = "MAJIANG"
KEPT = 14 * 86400
"""Seconds for which a browser keeps the cookie."""
_LOOK = 5.0
"""Seconds between two checks for users that have been away for too long."""
_GOODBYE = 3.0
"""Seconds for which a closing server still accepts connections: a client logs out over a new one after the end of its
game, and majiang-bot fails if it cannot."""
_GLANCE = 0.02
_CLOSE = {"Connection": "close"}
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class NetplayOffer(msgspec.Struct, frozen=True):
    """What net play offers: its address, the `bot` for free seats, the names of the server's own rooms, and `pages` by
    path, which may include the net-play page of 電脳麻将."""

    host: str
    port: int
    bot: str
    rooms: tuple[str, ...] = ()
    pages: Mapping[str, Page] = {}


class NetplayServer:
    """Serves net play until it is closed. BadInput if the port cannot be had."""

    def __init__(
        self, offer: NetplayOffer, welcome: Welcome, limits: Limits, tls: ssl.SSLContext | None = None
    ) -> None:
        limits = affordable(limits, offer.host)
        self._offer, self._limits, self._tls = offer, limits, tls
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(complaints.complain)
        self._emits: asyncio.Queue[tuple[str, str, tuple[Any, ...]]] = asyncio.Queue()
        self._lobby = Lobby(welcome, limits, self._emit, offer.bot, offer.rooms)
        self._connections: dict[str, User] = {}
        self._parting: set[asyncio.Task[None]] = set()
        self._sockets = Sockets(limits, self._allowance_of)
        self._runner = web.AppRunner(
            self._app(),
            handle_signals=False,
            access_log=None,
            logger=complaints.adopted("aiohttp"),
            shutdown_timeout=PARTING,
            keepalive_timeout=OPENING,
        )
        self._thread = threading.Thread(target=self._run, name="netplay", daemon=True)
        self.port = offer.port

    def __enter__(self) -> Self:
        try:
            self.port = self._loop.run_until_complete(self._open())
        except BadInput:
            self._loop.run_until_complete(self._runner.cleanup())
            self._loop.close()
            raise
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self) -> None:
        self._loop.run_forever()

    async def _open(self) -> int:
        await self._runner.setup()
        door = listening(self._offer.host, self._offer.port)
        assert self._runner.server is not None
        self._gate = Gate(self._limits, self._runner.server)
        patience = OPENING if self._tls else None
        self._door = await self._loop.create_server(
            self._gate, sock=door, ssl=self._tls, ssl_handshake_timeout=patience
        )
        self._tasks = [asyncio.create_task(task) for task in (self._send(), self._tidy())]
        return int(door.getsockname()[1])

    async def _close(self) -> None:
        until = now() + _GOODBYE
        while self._lobby.is_in_use and now() < until:
            await asyncio.sleep(_GLANCE)
        self._door.close()
        await asyncio.sleep(PARTING)
        for connection in list(self._connections):
            await self._sockets.hang_up(connection)
        await self._sockets.close()
        await self._runner.cleanup()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:  # Engine.IO has one that pings for each connection
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    # --- what is said

    def _emit(self, connection: str, event: str, arguments: tuple[Any, ...]) -> None:
        """Queue an event. One queue for all connections keeps their order."""
        self._emits.put_nowait((connection, event, arguments))

    async def _send(self) -> None:
        while True:
            connection, event, arguments = await self._emits.get()
            if event:
                await self._sockets.emit(connection, event, arguments)
            else:
                self._loop.call_later(PARTING, self._hang_up, connection)

    def _hang_up(self, connection: str) -> None:
        self._parting.add(task := self._loop.create_task(self._sockets.hang_up(connection)))
        task.add_done_callback(self._parting.discard)

    async def _tidy(self) -> None:
        while True:
            await asyncio.sleep(_LOOK)
            self._lobby.forget()

    # --- what is heard

    def _app(self) -> web.Application:
        app = web.Application(client_max_size=self._limits.message, middlewares=[self._admitted])
        for path in self._offer.pages:  # before Socket.IO's route: one page lies below its path
            app.router.add_get(quote(path), self._page)
        app.router.add_post(f"{BASE}/auth/", self._log_in)
        app.router.add_post(f"{BASE}/logout", self._log_out)
        heard: dict[str, Hear] = {
            "connect": self._connect,
            "disconnect": self._disconnect,
            "ROOM": self._room,
            "START": self._start,
            "GAME": self._game,
        }
        self._sockets.attach(app, f"{BASE}/socket.io", heard)
        return app

    async def _page(self, request: web.Request) -> web.StreamResponse:
        page = self._offer.pages[request.path]
        return web.Response(body=page.content, headers={**guard.HEADERS, "Content-Type": page.kind})

    @web.middleware
    async def _admitted(self, request: web.Request, handler: _Handler) -> web.StreamResponse:
        """Refuse a request under another host name (see `jantaku.table.serve.net.admission`), and more connections
        than allowed."""
        if not self._gate.admits(request.transport):
            raise web.HTTPServiceUnavailable(text="too many connections; try again later", headers=_CLOSE)
        if not is_ours(request.url.host or "", self._limits):
            raise web.HTTPForbidden(text="this server does not know itself by that name")
        try:
            answer = await handler(request)
        except web.HTTPException as refusal:
            if refusal.status == HTTPStatus.BAD_REQUEST:
                complaints.refused(address_of(request), (refusal.text or "").strip())
            refusal.force_close()
            raise
        if answer.status >= HTTPStatus.BAD_REQUEST:
            answer.force_close()
        self._sockets.polled(request, answer)
        return answer

    def _user_of(self, request: web.Request) -> User | None:
        return self._lobby.user_of(request.cookies.get(COOKIE, ""))

    def _allowance_of(self, request: web.Request) -> Allowance:
        """Return the rate limit of a request: one per user over all its connections, one per connection for
        strangers."""
        user = self._user_of(request)
        return self._gate.allowance_of(request.transport) if user is None else user.allowance

    async def _log_in(self, request: web.Request) -> web.StreamResponse:
        try:
            form = await form_of(request)
            name, password = form.get("name"), form.get("passwd")
            answer = web.Response(status=HTTPStatus.FOUND, headers=HOME)
            if name and password:  # without a cookie a client knows that it is refused
                user = self._lobby.log_in(name, address_of(request))
                answer.set_cookie(COOKIE, user.token, path="/", max_age=KEPT, httponly=True, samesite="Lax")
        except BadInput as refusal:
            raise web.HTTPBadRequest(text=f"{refusal}\n") from None
        return answer

    async def _log_out(self, request: web.Request) -> web.StreamResponse:
        self._lobby.log_out(request.cookies.get(COOKIE, ""))
        # No redirect for a program's fetch: after the last game the server may be gone before it follows.
        if request.headers.get("Sec-Fetch-Mode", "navigate") == "navigate":
            answer = web.Response(status=HTTPStatus.FOUND, headers=HOME)
        else:
            answer = web.Response()
        answer.del_cookie(COOKIE, path="/")
        return answer

    async def _connect(self, connection: str, environ: dict[str, Any]) -> None:
        user = self._user_of(environ["aiohttp.request"])
        if user is None:
            self._emit(connection, "HELLO", (None,))
        elif self._lobby.connect(user, connection):
            self._connections[connection] = user
            return
        self._emit(connection, "", ())

    async def _disconnect(self, connection: str, *_: object) -> None:
        if (user := self._connections.pop(connection, None)) is not None and user.connection == connection:
            self._lobby.disconnect(user)

    async def _room(self, connection: str, number: object = None, uid: object = None, *_: object) -> None:
        if (user := self._connections.get(connection)) is not None:
            self._lobby.room(user, number, uid)

    async def _start(self, connection: str, number: object = None, *_: object) -> None:
        if (user := self._connections.get(connection)) is not None:
            self._lobby.start(user, number)

    async def _game(self, connection: str, reply: object = None, *_: object) -> None:
        user = self._connections.get(connection)
        if user is not None and user.playing is not None and user.playing.reply(reply):
            user.allowance.give_back()
