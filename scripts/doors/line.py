"""Connections of clients that share no code with the server: they exchange objects, and can break off."""

import asyncio
import contextlib
import json
import queue
import socket
import struct
import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from typing import Any, Protocol
from urllib.parse import urlencode

import socketio
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from scripts.doors.hand import Item

PATIENCE = 30.0
"""Seconds for making a connection."""
SILENCE = 120.0
"""Seconds without a message after which something is wrong."""
BASE = "/server"
"""Path of net play."""


class Line(Protocol):
    """A connection."""

    @property
    def ended(self) -> str:
        """How the connection has ended, or the server's reason."""

    def heard(self) -> Iterator[Item]:
        """Yield messages to the end of the connection."""

    def say(self, *items: Item | bytes) -> None:
        """Send objects at once, or text as it is."""

    def close(self) -> None:
        """Close the connection."""

    def cut(self) -> None:
        """Break off: the peer gets a reset instead of a goodbye, as from a killed process."""


def text_of(item: Item | bytes) -> bytes:
    """Return what is sent of an object."""
    return item if isinstance(item, bytes) else json.dumps(item).encode()


def reset(sock: socket.socket) -> None:
    """Close a socket at once, with a reset."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


class TcpLine:
    """Lines of JSON over TCP."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.ended = ""

    def heard(self) -> Iterator[Item]:
        for line in self._socket.makefile("rb"):
            item = json.loads(line)
            self.ended = item.get("message", "")
            yield item

    def say(self, *items: Item | bytes) -> None:
        self._socket.sendall(b"".join(text_of(item) + b"\n" for item in items))

    def close(self) -> None:
        """Shut the socket down first, because the reader of lines keeps it open."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def cut(self) -> None:
        reset(self._socket)


class WebSocketLine:
    """A client over WebSocket."""

    def __init__(self, address: str, **headers: str) -> None:
        self._connection = connect(
            address,
            open_timeout=PATIENCE,
            close_timeout=1,
            compression=None,
            max_size=None,
            additional_headers=headers,
        ).__enter__()  # closed by `close` or `cut`

    def heard(self) -> Iterator[Item]:
        try:
            while True:
                yield json.loads(self._connection.recv(SILENCE))
        except ConnectionClosed:
            return

    @property
    def ended(self) -> str:
        """The server's code and reason for closing."""
        return f"{self._connection.close_code} {self._connection.close_reason}"

    def say(self, *items: Item | bytes) -> None:
        """Does nothing if the connection is closed."""
        with contextlib.suppress(ConnectionClosed):
            for item in items:
                self._connection.send(text_of(item), text=True)

    def close(self) -> None:
        self._connection.close()

    def cut(self) -> None:
        """Reset the connection; the thread that reads the socket notices by itself."""
        sock = self._connection.socket
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        sock.shutdown(socket.SHUT_RDWR)
        self._connection.close_socket()


def cookie_at(port: int, name: str = "a") -> str:
    """Log in to net play; return the cookie, empty if the login is refused."""
    told = _posted(port, "/auth/", urlencode({"name": name, "passwd": "*"})).getheader("Set-Cookie") or ""
    return told.partition(";")[0].partition("=")[2]


def logged_in(port: int, name: str) -> str:
    """Log in to net play, where that is not refused."""
    cookie = cookie_at(port, name)
    assert cookie, f"no login for {name}"
    return cookie


def _posted(port: int, path: str, form: str = "", **headers: str) -> HTTPResponse:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", BASE + path, form, kind | headers)
    answer = connection.getresponse()
    connection.close()
    return answer


def log_out(port: int, cookie: str) -> None:
    """Log out of net play: the number of logins from one address is limited."""
    _posted(port, "/logout", Cookie=f"MAJIANG={cookie}")


class SocketIoLine:
    """A client of net play: its `GAME` messages. `cookie` is from its login; with `room` it enters that room."""

    def __init__(self, port: int, cookie: str, room: str = "") -> None:
        self._port, self._cookie, self._is_over = port, cookie, False
        self._heard: queue.Queue[Item | None] = queue.Queue()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._socket = socketio.AsyncClient(reconnection=False)
        self._socket.on("GAME", self._heard.put)
        self._socket.on("END", self._end_heard)
        self._socket.on("ERROR", lambda why: self._heard.put({"error": why}))
        self._socket.on("disconnect", lambda *_: self._heard.put(None))
        self._run(
            self._socket.connect(
                f"http://127.0.0.1:{port}",
                headers={"Cookie": f"MAJIANG={cookie}"},
                socketio_path=f"{BASE}/socket.io",
                transports=["websocket"],
            )
        )
        if room:
            self._run(self._socket.emit("ROOM", room))

    def _end_heard(self, *_: object) -> None:
        self._is_over = True
        self._heard.put(None)

    def _run(self, what: Any) -> None:
        asyncio.run_coroutine_threadsafe(what, self._loop).result(PATIENCE)

    def heard(self) -> Iterator[Item]:
        try:
            while (item := self._heard.get(timeout=SILENCE)) is not None:
                yield item
        except queue.Empty:
            raise TimeoutError(f"nothing was heard for {SILENCE:.0f} s") from None

    @property
    def ended(self) -> str:
        """Whether the game has ended, or the connection."""
        return "END" if self._is_over else "disconnect"

    def say(self, *items: Item | bytes) -> None:
        """Send objects or text as `GAME`; a list as text is an event of that name and those arguments."""
        for item in items:
            text = item.decode() if isinstance(item, bytes) else item
            name, *data = json.loads(item) if isinstance(item, bytes) and item.startswith(b'["') else ("GAME", text)
            asyncio.run_coroutine_threadsafe(self._socket.emit(name, tuple(data)), self._loop)

    def close(self) -> None:
        """Close the connection. After the end of its game it logs out, like majiang-bot."""
        if self._is_over and self._cookie:
            log_out(self._port, self._cookie)
        self._run(self._socket.disconnect())
        self._end()

    def cut(self) -> None:

        async def abort() -> None:
            transport = self._socket.eio.ws._response.connection.transport
            transport.abort()
            await asyncio.sleep(0)

        self._run(abort())
        self._heard.put(None)
        self._end()

    def _end(self) -> None:
        async def end() -> None:
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        self._run(end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class Resumed:
    """A connection whose first message has been read already."""

    def __init__(self, line: Line) -> None:
        self._line, self._came = line, line.heard()
        self.first = next(self._came, None)

    @property
    def refusal(self) -> str:
        """Why the client was refused; empty if it was admitted."""
        if self.first is None:
            return "closed"
        return str(self.first.get("message" if self.first.get("type") == "error" else "error", ""))

    def heard(self) -> Iterator[Item]:
        if self.first is not None:
            yield self.first
        yield from self._came

    @property
    def ended(self) -> str:
        """How the connection has ended."""
        return self._line.ended

    def say(self, *items: Item | bytes) -> None:
        self._line.say(*items)

    def close(self) -> None:
        self._line.close()

    def cut(self) -> None:
        self._line.cut()
