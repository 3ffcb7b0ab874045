"""A WebSocket server in threads, whatever is played on it: limits, plain pages, and who is let in."""

import contextlib
import ipaddress
import socket
import struct
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from http import HTTPStatus
from types import TracebackType
from typing import Protocol, Self
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.sync.server import Server, ServerConnection, serve

from table.clock import now
from table.errors import BadInput
from table.log import logger
from table.server.net.limits import Allowance, Limits
from table.server.net.line import Line

_LOOK = 0.5
"""Seconds between two looks at a connection from which nothing comes."""
_OPENING = 2.0
"""Seconds within which a connection has to say what it wants: browsers keep one in reserve, and say nothing on it."""
_CLOSING = 2.0
"""Seconds that the other side has to agree to the end of a connection."""


class Arrival(msgspec.Struct, frozen=True):
    """Who comes: the parts of the URL, decoded, and what else tells one visitor from another."""

    path: str
    query: dict[str, str]
    url: str
    agent: str
    address: str


class Visitor(Protocol):
    """Somebody who was let in. Called in the connection's own thread."""

    def hear(self, text: str) -> bool | None:
        """A message came. True if it was asked for, so that it does not count as one of too many."""

    def leave(self) -> None:
        """The connection is gone; called once, whatever happened."""


class Page(msgspec.Struct, frozen=True):
    """A file that is served as it is."""

    kind: str
    content: bytes


Welcome = Callable[[Arrival, Line], Visitor | None]
"""Lets somebody in. None, after a word on the line if there is one to say: the line is closed."""


class WebServer:
    """Serves `welcome` and `pages` until it is closed. BadInput if the port cannot be had.

    `pages` maps a path, or a path's first part with a slash behind it, to a page. No compression, and a ping only
    where the limits want it: real clients of neof5 break on the one and do not answer the other (§12).
    """

    def __init__(
        self, welcome: Welcome, pages: Mapping[str, Page], host: str, port: int, limits: Limits | None = None
    ) -> None:
        self._welcome, self._pages = welcome, pages
        self._limits = limits or Limits()
        self._here: Counter[str] = Counter()
        """Connections by address."""
        self._lines: set[Line] = set()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        try:
            self._server: Server = serve(
                self._handle,
                host,
                port,
                process_request=self._look_at,
                compression=None,
                open_timeout=_OPENING,
                ping_interval=self._limits.ping,
                ping_timeout=self._limits.ping,
                close_timeout=_CLOSING,
                max_size=self._limits.message,
                server_header="jantaku",
            )
        except OSError as error:
            why = (error.strerror or str(error)).partition(" (while")[0]  # Python repeats the address there
            raise BadInput(f"{host}:{port} cannot be used: {why}") from error

    @property
    def port(self) -> int:
        """The port that is listened on; of use where 0 was asked for."""
        port: int = self._server.socket.getsockname()[1]
        return port

    def start(self) -> None:
        """Serve in a thread of its own."""
        self._thread = threading.Thread(target=self.run, name="web", daemon=True)
        self._thread.start()

    def run(self) -> None:
        """Serve until `close`."""
        self._server.serve_forever()

    def close(self) -> None:
        """Take no more visitors, and send everybody away who is still here."""
        with self._lock:
            lines = list(self._lines)
        for line in lines:
            line.hang_up(CloseCode.GOING_AWAY, "the server closes")
        # The server below cuts off what is open; what was said before has to be out by then.
        due = now() + self._limits.reading + _CLOSING
        for line in lines:
            line.wait(max(0.0, due - now()))
        self._server.shutdown()
        if self._thread is not None:
            self._thread.join()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    # --- one connection, in its own thread

    def _look_at(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer what is no WebSocket, and turn away whose page must not come and who comes when the house is full."""
        path = unquote(urlsplit(request.path).path)
        if request.headers.get("Upgrade", "").lower() != "websocket":
            page = self._pages.get(path) or self._pages.get(path[: path.find("/", 1) + 1])
            if page is None:
                return connection.respond(HTTPStatus.BAD_REQUEST, "here is a WebSocket server, and no such page\n")
            headers = Headers({"Content-Type": page.kind, "Content-Length": str(len(page.content))})
            headers["Connection"] = "close"
            return Response(HTTPStatus.OK, "OK", headers, page.content)
        if not _is_welcome(request.headers, self._limits.origins):
            return connection.respond(HTTPStatus.FORBIDDEN, "pages of that site may not connect here\n")
        with self._lock:
            crowd = self._is_crowd(_address_of(connection), coming=1)
        if crowd:
            return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections; try again later\n")
        return None

    def _is_crowd(self, address: str, *, coming: int) -> bool:
        """Whether there are too many connections, from there or in all, if so many more come. With the lock held."""
        most, there = self._limits.per_address, self._here[address] + coming
        return self._here.total() + coming > self._limits.connections or (most is not None and there > most)

    def _handle(self, connection: ServerConnection) -> None:
        arrival = _arrival_of(connection)
        _give_up_sending_after(connection.socket, self._limits.reading)
        line = Line(connection, self._limits.backlog)
        with self._lock:
            self._here[arrival.address] += 1
            self._lines.add(line)
            crowd = self._is_crowd(arrival.address, coming=0)  # several may have been let in at the same moment
        try:
            visitor = None
            if crowd:
                line.hang_up(CloseCode.TRY_AGAIN_LATER, "too many connections; try again later")
            else:
                visitor = self._welcome(arrival, line)
            if visitor is not None:
                try:
                    self._listen(connection, line, visitor)
                finally:
                    visitor.leave()
        except Exception as defect:
            logger().error("defect at a connection", error=f"{type(defect).__name__}: {defect}", exc_info=True)
            line.hang_up(CloseCode.INTERNAL_ERROR, "a defect of the server")
        finally:
            line.hang_up()
            _drain(connection)
            line.join()
            with self._lock:
                self._lines.remove(line)
                self._here[arrival.address] -= 1
                if not self._here[arrival.address]:
                    del self._here[arrival.address]

    def _listen(self, connection: ServerConnection, line: Line, visitor: Visitor) -> None:
        """Pass on what comes, until the line breaks or somebody goes too far."""
        allowance = Allowance(self._limits.burst, self._limits.rate)
        idle = None if line.one_way else self._limits.idle
        heard = now()
        while True:
            try:
                message = connection.recv(_LOOK)
            except ConnectionClosed as closed:
                line.end(str(closed))
                return
            except TimeoutError:
                protocol = connection.protocol
                if protocol.state is not State.OPEN:
                    # Goodbye was said and it stays on the line, which could go on for as long as it likes.
                    received, sent = protocol.close_rcvd, protocol.close_sent
                    line.end(f"received {received}" if received else f"sent {sent}")
                    return
                if idle is not None and now() - heard > idle:
                    line.hang_up(CloseCode.POLICY_VIOLATION, f"nothing was heard for {idle:g} s")
                    return
                continue
            heard = now()
            if not isinstance(message, str):
                line.hang_up(CloseCode.UNSUPPORTED_DATA, "text frames only")
                return
            if not visitor.hear(message) and not allowance.take():
                line.hang_up(CloseCode.POLICY_VIOLATION, f"more than {self._limits.rate:g} messages a second")
                return


def _arrival_of(connection: ServerConnection) -> Arrival:
    request = connection.request
    assert request is not None
    parts = urlsplit(request.path)
    return Arrival(
        path=unquote(parts.path),
        query=dict(parse_qsl(parts.query, keep_blank_values=True)),
        url=request.path,
        agent=request.headers.get("User-Agent", ""),
        address=_address_of(connection),
    )


def _drain(connection: ServerConnection) -> None:
    """Drop what still comes: the goodbye of the other side is behind it, and who is cut off does not get ours."""
    with contextlib.suppress(ConnectionClosed, TimeoutError):
        while True:
            connection.recv(_CLOSING)


def _is_welcome(headers: Headers, origins: tuple[str, ...] | None) -> bool:
    """Whether the page that a request comes from, if any, may connect: one of ours may.

    A name is not taken for ours, for anybody can let a name of his point at this machine.
    """
    origin = headers.get("Origin")
    if origin is None or origins is None or origin in origins:
        return True
    site = urlsplit(origin)
    return site.netloc == headers.get("Host") and _is_address(site.hostname or "")


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return host == "localhost"
    return True


def _address_of(connection: ServerConnection) -> str:
    try:
        return str(connection.remote_address[0])
    except OSError:  # gone before anybody has looked
        return ""


def _give_up_sending_after(sock: socket.socket, seconds: float) -> None:
    """Let a send fail that can put nothing on its way for so long: otherwise a reader that never reads would keep
    its connection, and two threads, for ever."""
    if sys.platform != "win32":
        with contextlib.suppress(OSError):  # it is closed already
            limit = struct.pack("ll", int(seconds), int(seconds % 1 * 1_000_000))
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)


def wait_in_main(done: threading.Event) -> None:
    """Wait for `done` so that a signal's handler may set it.

    The system may hand a signal to any thread, and only a main thread that runs now and then calls the handler.
    """
    while not done.wait(_LOOK):
        pass
