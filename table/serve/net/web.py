"""A web and WebSocket server, for any game, on an event loop in a thread of its own.

A server may offer pages of the operator's own, from a folder, beside its rooms.
"""

import asyncio
import contextlib
import errno
import mimetypes
import queue
import socket
import ssl
import sys
import threading
from collections.abc import Callable, Container, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec
from websockets.datastructures import Headers
from websockets.frames import CloseCode
from websockets.http11 import Request, Response

from jantaku.table.ground.clock import Deadline, now
from jantaku.table.ground.errors import BadInput, TableFault
from jantaku.table.ground.foreign.files import bytes_of
from jantaku.table.ground.log import logger
from jantaku.table.records.view import guard
from jantaku.table.serve.net.admission import Arrival, NotAdmitted, arrival_of, one_household, source, wants_websocket
from jantaku.table.serve.net.connection import OPENING, Connection, Stage
from jantaku.table.serve.net.counts import ConnectionCount, PendingConnections
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.line_door import LineDoor, listening
from jantaku.table.serve.net.refusals import Refusals
from jantaku.table.serve.net.visitor import Welcome

_LOOK = 0.5
"""Seconds between two checks of a waiting main thread."""
_TICK = 0.1
"""Seconds between two checks of the connections' timers."""
_PAUSE = 0.2
"""Seconds for which no connection is accepted after the system ran out of descriptors."""
_AT_A_TIME = 8
"""Most connections accepted before existing ones get their turn."""
_LEAVING = 3.0
"""Seconds for the graceful shutdown: sending of queued messages and the closing handshake."""
_WORKERS = 4
"""Worker threads for admissions, which may wait some milliseconds for a file or a lock."""
_WATCHED = ("/watch/", "/record/", "/invite/", "/monitor/", "/rooms")
"""Beginnings of paths for onlookers."""
_FULL = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Page(msgspec.Struct, frozen=True):
    """A file that is served unchanged; an HTML page has a Content-Security-Policy."""

    kind: str
    content: bytes
    policy: str = ""


class WebServer:
    """Serves `welcome` and `pages` until it is closed. BadInput if the port cannot be had.

    `pages` maps a path, or the first part of a path with a slash at its end, to a page. `doors` are further ports for
    players. A worker calls `tidy` once a second. `on_failure` is called if the event loop ends by itself, for callers
    that cannot `wait` for the server.

    No compression: real clients of neof5 break on it (§12).
    """

    def __init__(
        self,
        welcome: Welcome,
        pages: Mapping[str, Page],
        host: str,
        port: int,
        limits: Limits | None = None,
        *,
        tls: ssl.SSLContext | None = None,
        doors: Sequence[LineDoor] = (),
        tidy: Callable[[], None] | None = None,
        on_failure: Callable[[], None] | None = None,
    ) -> None:
        self.welcome = welcome
        """Admits a visitor; called by a worker."""
        self.limits = affordable(limits or Limits(), host)
        self._pages, self._tls, self._tidy, self._on_failure = pages, tls, tidy, on_failure
        self._doors = doors
        self.openings = PendingConnections(self.limits)
        self.players = ConnectionCount(self.limits.connections, self.limits.per_address)
        self._watchers = ConnectionCount(self.limits.watchers, self.limits.per_address)
        self._connections: set[Connection] = set()
        self._making: set[asyncio.Task[None]] = set()
        """Tasks that make connections of sockets."""
        self.refusals = Refusals()
        self._is_full = self._is_closing = False
        self._work: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._ended = threading.Event()
        self._socket = listening(host, port)
        self._loop = asyncio.new_event_loop()
        self._loop.set_exception_handler(complain)

    @property
    def port(self) -> int:
        """The port number, also if 0 was asked for."""
        port: int = self._socket.getsockname()[1]
        return port

    @property
    def is_watched(self) -> bool:
        """Whether there are onlookers; every page that shows the list of rooms is one."""
        return self._watchers.is_any

    def start(self) -> None:
        """Start serving, in threads of its own."""
        self._loop.call_soon(self._listen)
        self._loop.call_soon(self._tick)
        for door in self._doors:
            self._making.add(task := self._loop.create_task(door.open(self)))
            task.add_done_callback(self._making.discard)
        threads = [threading.Thread(target=self._run, name="web", daemon=True)]
        threads += [threading.Thread(target=self._help, name=f"web-{n}", daemon=True) for n in range(_WORKERS)]
        for thread in threads:
            thread.start()
            self._threads.append(thread)
        if self._tidy is not None:
            self._loop.call_soon(self._tidy_up, self._tidy)

    def wait(self, done: threading.Event) -> None:
        """Wait in the main thread for `done`, which a signal handler may set. TableFault if the server ends first.

        The system may deliver a signal to any thread, and only a main thread that runs now and then calls the handler.
        """
        while not done.wait(_LOOK):
            self.check()

    def part(self) -> None:
        """Wait in the main thread, after the last game, for clients that still hear its end: see `line.Parting`."""
        while self._threads and not self._ended.is_set():
            if not asyncio.run_coroutine_threadsafe(self._is_parting(), self._loop).result():
                return
            self._ended.wait(_TICK)

    async def _is_parting(self) -> bool:
        return any(one.is_parting for one in self._connections) or any(door.is_parting for door in self._doors)

    def check(self) -> None:
        """Raise TableFault if the server has ended by itself, because no client could connect any more."""
        if self._ended.is_set() and not self._is_closing:
            raise TableFault("the server's event loop has ended by itself")

    def close(self) -> None:
        """Refuse new visitors and close all connections."""
        self._is_closing = True
        if self._threads and not self._ended.is_set():
            with contextlib.suppress(RuntimeError):
                asyncio.run_coroutine_threadsafe(self._send_all_away(), self._loop).result()
            self.on_loop(self._loop.stop)
        for _ in self._threads[1:]:
            self._work.put(None)
        for thread in self._threads:
            thread.join()
        self._socket.close()
        self._loop.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    # --- threads

    def _run(self) -> None:
        why = "it was stopped"
        try:
            self._loop.run_forever()
        except BaseException as error:
            why = f"{type(error).__name__}: {error}"
        self._ended.set()
        if not self._is_closing:
            logger().error("the server has ended", reason=why)
            if self._on_failure is not None:
                self._on_failure()

    def _help(self) -> None:
        while (task := self._work.get()) is not None:
            try:
                task()
            except Exception as defect:
                logger().error("defect of the server", error=f"{type(defect).__name__}: {defect}")

    def work(self, task: Callable[[], None]) -> None:
        self._work.put(task)

    def on_loop(self, task: Callable[[], Any]) -> None:
        """Run a task on the event loop. Does nothing once the loop is closed."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(task)

    # --- on the loop: taking connections

    def _listen(self) -> None:
        if not self._is_closing:
            self._loop.add_reader(self._socket, self._accept)

    def _accept(self) -> None:
        """Accept the next connections. Errors never stop the server: without free descriptors it tries again later."""
        for _ in range(_AT_A_TIME):
            try:
                sock, peer = self._socket.accept()
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno not in _FULL:
                    return  # closed before it was accepted: ECONNABORTED and the like
                self._take_a_rest(error)
                return
            self._is_full = False
            self._open(sock, one_household(str(peer[0])))

    def _take_a_rest(self, error: OSError) -> None:
        if not self._is_full:
            logger().warning("no room for another connection; goes on as soon as there is", reason=error.strerror)
        self._is_full = True
        self.openings.drop_one()
        self._loop.remove_reader(self._socket)
        self._loop.call_later(_PAUSE, self._listen)

    def _open(self, sock: socket.socket, address: str) -> None:
        sock.setblocking(False)
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = Connection(self, address)
        self._connections.add(connection)
        self.openings.enter(connection)
        self._making.add(task := self._loop.create_task(self._connect(connection, sock)))
        task.add_done_callback(self._making.discard)

    async def _connect(self, connection: Connection, sock: socket.socket) -> None:
        if connection.stage is Stage.GONE:  # dropped already
            sock.close()
            return
        connection.opening = asyncio.current_task()
        limit = OPENING if self._tls else None
        try:
            await self._loop.connect_accepted_socket(
                lambda: connection, sock, ssl=self._tls, ssl_handshake_timeout=limit
            )
        except (OSError, asyncio.CancelledError):  # no TLS, or dropped
            connection.abort()

    def gone(self, connection: Connection) -> None:
        self._connections.discard(connection)
        self.openings.leave(connection)
        if connection.leave_pot is not None:
            connection.leave_pot()

    # --- on the loop: requests

    def answer(self, request: Request, connection: Connection) -> Arrival | Response:
        """Return an Arrival if the request is for a WebSocket and admitted, else the response."""
        try:
            connection.address = source(request, connection.address, self.limits)
            arrival = arrival_of(request, connection.address, self.limits)
            if not wants_websocket(request):
                return self._page(arrival)
            self._count(connection, arrival)
        except NotAdmitted as refusal:
            self._tell(refusal, request, connection)
            return _respond(refusal.status, Page("text/plain; charset=utf-8", f"{refusal}\n".encode()))
        self.openings.leave(connection)
        return arrival

    def _tell(self, refusal: NotAdmitted, request: Request, connection: Connection) -> None:
        """Log a refusal. An unreadable request is logged without its path."""
        if refusal.status == HTTPStatus.BAD_REQUEST:
            self.refusals.tell(connection.address, str(refusal), event="bad request")
            return
        path, admit = request.path.partition("?")[0], refusal.admit if self.limits.has_options else ""
        self.refusals.tell(connection.address, str(refusal), path=path, admit=admit)

    def _page(self, arrival: Arrival) -> Response:
        path = arrival.path
        page = self._pages.get(path) or self._pages.get(path[: path.find("/", 1) + 1])
        if page is None:
            raise NotAdmitted(HTTPStatus.BAD_REQUEST, "here is a WebSocket server, and no such page")
        if "token" in arrival.query:
            raise NotAdmitted(HTTPStatus.FORBIDDEN, "no token in the address of a page: #token=… in place of ?token=…")
        if "key" in arrival.query:
            raise NotAdmitted(HTTPStatus.FORBIDDEN, "no key in the address of a page: the page keeps its own")
        return _respond(200, page)

    def _count(self, connection: Connection, arrival: Arrival) -> None:
        """Count a visitor that stays; NotAdmitted if there are too many. Onlookers take no player's place."""
        watches, address = arrival.path.startswith(_WATCHED), connection.address
        pot = self._watchers if watches else self.players
        if self._is_closing or not pot.enter(address):
            admit = pot.option("--max-watchers" if watches else "--max-connections")
            raise NotAdmitted(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections; try again later", admit)
        connection.leave_pot = lambda: pot.leave(address)

    # --- on the loop: time

    def _tick(self) -> None:
        self._loop.call_later(_TICK, self._tick)
        at = now()
        for connection in tuple(self._connections):
            connection.tick(at)

    def _tidy_up(self, tidy: Callable[[], None]) -> None:
        self._loop.call_later(1.0, self._tidy_up, tidy)
        self.work(tidy)

    async def _send_all_away(self) -> None:
        """Close all connections. Queued messages are still sent while the peer reads."""
        self._loop.remove_reader(self._socket)
        doors = [asyncio.create_task(door.close(_LEAVING)) for door in self._doors]
        until = Deadline(_LEAVING)
        while self._connections and not until.over:
            for connection in tuple(self._connections):
                connection.bid_farewell(CloseCode.GOING_AWAY, "the server closes")
            await asyncio.sleep(_TICK / 4)
        for connection in tuple(self._connections):
            connection.abort()
        await asyncio.gather(*doors)
        for _ in range(3):  # lets the transports call `connection_lost`
            await asyncio.sleep(0)


def _respond(status: int, page: Page) -> Response:
    headers = Headers(guard.headers(page.policy) if page.policy else guard.HEADERS)
    headers.update({"Content-Type": page.kind, "Content-Length": str(len(page.content)), "Connection": "close"})
    return Response(status, HTTPStatus(status).phrase, headers, page.content)


def complain(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error of the loop in one line; the loop goes on."""
    error = context.get("exception")
    if not isinstance(error, OSError):  # a broken connection is not a defect
        logger().error("defect of the server", error=f"{type(error).__name__}: {error}")


def affordable(limits: Limits, host: str) -> Limits:
    """Return the limits with the host name added, and lowered if the system allows fewer open files."""
    if not host.replace(".", "").isdigit() and ":" not in host:
        limits = msgspec.structs.replace(limits, hosts=(*limits.hosts, host))
    if sys.platform == "win32":
        return limits
    try:
        import resource
    except ImportError:
        return limits
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if files == resource.RLIM_INFINITY:
        return limits
    fitting = limits.within(files)
    if fitting is not limits:
        logger().warning(
            "fewer connections than wanted: this process may open few files (ulimit -n)",
            files=files,
            players=fitting.connections,
            watchers=fitting.watchers,
        )
    return fitting


MOST = 64 << 20
"""Most bytes of all files together: they are kept in memory."""
MOST_FILES = 1000
_FIRST = "/index.html"
_TEXTS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}
"""Media types for which the system's own list is not asked."""


def pages_in(folder: Path, taken: Container[str]) -> dict[str, Page]:
    """Read the files of a folder as pages, each at its path there; `index.html` also at `/`, unless that is `taken`.

    Names that begin with a dot are left out, and so are links that lead out of the folder. BadInput if there is no such
    folder, it is empty or too large, or a path is taken.
    """
    if not folder.is_dir():
        raise BadInput(f"--pages: there is no folder {folder}")
    found: dict[str, Page] = {}
    left = MOST
    for file in sorted(folder.rglob("*")):
        inside = file.relative_to(folder)
        if any(part.startswith(".") for part in inside.parts) or file.is_dir():
            continue
        if not file.resolve().is_relative_to(folder.resolve()):
            continue
        path = f"/{inside.as_posix()}"
        if path in taken:
            raise BadInput(f"--pages: {file}: the server has a page of its own at {path}")
        page = Page(kind_of(file.name), bytes_of(file, MOST))
        left -= len(page.content)
        if left < 0 or len(found) >= MOST_FILES:
            raise BadInput(f"--pages: {folder} has more than {MOST >> 20} MiB or {MOST_FILES} files")
        found[path] = page
        if path == _FIRST and "/" not in taken:
            found["/"] = page
    if not found:
        raise BadInput(f"--pages: {folder} is empty")
    return found


def kind_of(name: str) -> str:
    """Return the media type for a file's name; texts are UTF-8."""
    kind = _TEXTS.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    text = kind.startswith("text/") or kind in ("application/javascript", "application/json")
    return f"{kind}; charset=utf-8" if text else kind
