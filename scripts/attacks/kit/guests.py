"""A guest for every wire of a server of riichi rooms. It discards what it draws, passes otherwise, and sends one bad
message. Written from the protocols, without code of the table."""

import asyncio
import contextlib
import json
import queue
import socket
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any, Protocol
from urllib.parse import urlencode

import msgspec
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from scripts.attacks.kit.attack import Skipped

Item = dict[str, Any]
TOKEN = "hush-hush"
"""The token that a guest sends wherever it can; it must appear in no log and no record."""
PATIENCE = 20.0
"""Seconds for the next message."""


class Ports(msgspec.Struct, frozen=True):
    """The ports of a server."""

    web: int
    lines: int
    netplay: int


class Guest(Protocol):
    """A connection to a room, under the name `a`."""

    ended: str
    """How the connection ended."""

    def heard(self) -> Iterator[Item]:
        """Yield every message, to the end of the game or of the connection."""

    def asks(self, item: Item) -> bool:
        """Return whether the message wants a reply."""

    def draws(self, item: Item) -> bool:
        """Return whether it is the guest's own draw."""

    def reply(self, item: Item) -> Item:
        """Return the usual reply."""

    def say(self, *messages: Item | bytes) -> None:
        """Send them at once. Does nothing if the connection is closed."""

    def close(self) -> None:
        """Close the connection."""


class _WebSocket:
    """A connection to the server's own port."""

    def __init__(self, ports: Ports, path: str) -> None:
        self.ended = ""
        url, headers = f"ws://127.0.0.1:{ports.web}{path}", {"Authorization": f"Bearer {TOKEN}"}
        self._connection = connect(url, compression=None, close_timeout=1, additional_headers=headers)

    def heard(self) -> Iterator[Item]:
        try:
            while True:
                yield json.loads(self._connection.recv(PATIENCE))
        except ConnectionClosed:
            self.ended = f"{self._connection.close_code} {self._connection.close_reason}"

    def say(self, *messages: Item | bytes) -> None:
        """Send messages; bytes are sent as text."""
        with contextlib.suppress(ConnectionClosed):
            for message in messages:
                self._connection.send(_text_of(message), text=True)

    def close(self) -> None:
        self._connection.close()


class _Majiang:
    """A client in Majiang's messages: discards what it draws, and passes."""

    _seat = -1

    def asks(self, item: Item) -> bool:
        if "qipai" in item:
            self._seat = next(seat for seat, hand in enumerate(item["qipai"]["shoupai"]) if hand)
        return "seq" in item

    def draws(self, item: Item) -> bool:
        return "zimo" in item and item["zimo"]["l"] == self._seat

    def reply(self, item: Item) -> Item:
        said = {"dapai": item["zimo"]["p"] + "_"} if self.draws(item) else {}
        return {**said, "seq": item["seq"]}


class OfMajiang(_Majiang, _WebSocket):
    """A guest at `/play` in the dialect `majiang`."""

    def __init__(self, ports: Ports, room: str) -> None:
        super().__init__(ports, f"/play/{room}?name=a")


class OfRiichiLab(_WebSocket):
    """A guest at `/ws/ranked`."""

    def __init__(self, ports: Ports, room: str) -> None:
        super().__init__(ports, "/ws/ranked?name=a")

    def asks(self, item: Item) -> bool:
        return item.get("type") == "request_action"

    def draws(self, item: Item) -> bool:
        return self.asks(item) and all(one["type"] != "none" for one in item["possible_actions"])

    def reply(self, item: Item) -> Item:
        by_type = {one["type"]: one for one in item["possible_actions"]}
        return {**(by_type.get("none") or by_type["dahai"]), "request_id": item["request_id"]}


class OfMjsonp:
    """A guest at the TCP port."""

    def __init__(self, ports: Ports, room: str) -> None:
        self.ended = ""
        self._me = -1
        self._socket = socket.create_connection(("127.0.0.1", ports.lines), PATIENCE)
        self._lines = self._socket.makefile("rb")
        self._lines.readline()
        self.say({"type": "join", "name": "a", "room": room, "token": TOKEN})

    def heard(self) -> Iterator[Item]:
        with contextlib.suppress(OSError):
            for line in self._lines:
                item: Item = json.loads(line)
                if item["type"] == "start_game":
                    self._me = item["id"]
                self.ended = item.get("message", "")
                yield item
                if item["type"] == "end_game":
                    return

    def asks(self, item: Item) -> bool:
        """Return True for all messages but errors: every message has an answer."""
        return bool(item["type"] != "error")

    def draws(self, item: Item) -> bool:
        return bool(item["type"] == "tsumo" and item["actor"] == self._me)

    def reply(self, item: Item) -> Item:
        if not self.draws(item):
            return {"type": "none"}
        return {"type": "dahai", "actor": self._me, "pai": item["pai"], "tsumogiri": True}

    def say(self, *messages: Item | bytes) -> None:
        """Send messages; bytes are sent unchanged with a line end."""
        with contextlib.suppress(OSError):
            self._socket.sendall(b"".join(_text_of(message) + b"\n" for message in messages))

    def close(self) -> None:
        """Shut the socket down first, because the reader of lines keeps it open."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


class OfNetplay(_Majiang):
    """A guest over Socket.IO. A bad message is an event [name, argument, …]; other bytes are the argument of `GAME`."""

    def __init__(self, ports: Ports, room: str) -> None:
        try:
            import socketio
        except ImportError as error:
            raise Skipped(f"{error.name} is not installed") from error
        self.ended = ""
        self._events: queue.Queue[tuple[str, Any]] = queue.Queue()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._socket = socketio.AsyncClient(reconnection=False)
        self._socket.on("*", lambda event, *data: self._events.put((event, data)))
        self._socket.on("disconnect", lambda *_: self._events.put(("disconnect", ())))
        self._run(
            self._socket.connect(
                f"http://127.0.0.1:{ports.netplay}",
                headers={"Cookie": f"MAJIANG={cookie_at(ports.netplay)}"},
                socketio_path="/server/socket.io",
                transports=["websocket"],
            )
        )
        self._emit("ROOM", room)

    def heard(self) -> Iterator[Item]:
        """Yield the messages of `GAME`, and errors as `{"error": …}`."""
        while True:
            event, data = self._events.get(timeout=PATIENCE)
            if event in ("END", "disconnect"):
                self.ended = event
                return
            if event in ("GAME", "ERROR"):
                yield data[0] if event == "GAME" else {"error": data[0]}

    def say(self, *messages: Item | bytes) -> None:
        for message in messages:
            if isinstance(message, bytes) and message.startswith(b'["'):
                self._emit(*json.loads(message))
            else:
                self._emit("GAME", message if isinstance(message, dict) else message.decode())

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._run(self._socket.disconnect())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)

    def _emit(self, event: str, *data: Any) -> None:
        with contextlib.suppress(Exception):  # the library raises if the server has hung up
            self._run(self._socket.emit(event, data))

    def _run(self, what: Any) -> None:
        asyncio.run_coroutine_threadsafe(what, self._loop).result(PATIENCE)


def _text_of(message: Item | bytes) -> bytes:
    return message if isinstance(message, bytes) else json.dumps(message).encode()


def cookie_at(port: int) -> str:
    """Log in to net play as `a`; return the cookie, empty if the login is refused."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/server/auth/", urlencode({"name": "a", "passwd": "*"}), headers)
    told = connection.getresponse().getheader("Set-Cookie") or ""
    connection.close()
    return told.partition(";")[0].partition("=")[2]
