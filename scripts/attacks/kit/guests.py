"""A guest at every wire that a server of riichi rooms has: it discards what it draws and says nothing else, but for one
bad message. Written from the protocols; nothing of the table is used."""

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
"""What a guest brings with it wherever it can; it may be in no log and no record."""
PATIENCE = 20.0
"""Seconds for what comes next."""


class Ports(msgspec.Struct, frozen=True):
    """Where a server is to be found."""

    web: int
    lines: int
    netplay: int


class Guest(Protocol):
    """A connection to a room, under the name `a`."""

    ended: str
    """How the connection ended, once it has."""

    def heard(self) -> Iterator[Item]:
        """Everything that comes, to the end of the game or of the connection."""

    def asks(self, item: Item) -> bool:
        """Whether something has to be said about it."""

    def draws(self, item: Item) -> bool:
        """Whether it is the guest's own draw."""

    def reply(self, item: Item) -> Item:
        """What it usually says about it."""

    def say(self, *messages: Item | bytes) -> None:
        """Send them at once. Nothing if nobody listens any more."""

    def close(self) -> None:
        """Hang up."""


class _WebSocket:
    """A connection to the server's own port."""

    def __init__(self, ports: Ports, path: str) -> None:
        self.ended = ""
        url, headers = f"ws://127.0.0.1:{ports.web}{path}", {"Authorization": f"Bearer {TOKEN}"}
        self._connection = connect(url, compression=None, close_timeout=1, additional_headers=headers)

    def heard(self) -> Iterator[Item]:
        """See `Guest`."""
        try:
            while True:
                yield json.loads(self._connection.recv(PATIENCE))
        except ConnectionClosed:
            self.ended = f"{self._connection.close_code} {self._connection.close_reason}"

    def say(self, *messages: Item | bytes) -> None:
        """See `Guest`; bytes are sent as text."""
        with contextlib.suppress(ConnectionClosed):
            for message in messages:
                self._connection.send(_text_of(message), text=True)

    def close(self) -> None:
        """See `Guest`."""
        self._connection.close()


class _Majiang:
    """What a client says in Majiang's messages: it discards what it draws, and passes."""

    _seat = -1

    def asks(self, item: Item) -> bool:
        """See `Guest`."""
        if "qipai" in item:
            self._seat = next(seat for seat, hand in enumerate(item["qipai"]["shoupai"]) if hand)
        return "seq" in item

    def draws(self, item: Item) -> bool:
        """See `Guest`."""
        return "zimo" in item and item["zimo"]["l"] == self._seat

    def reply(self, item: Item) -> Item:
        """See `Guest`."""
        said = {"dapai": item["zimo"]["p"] + "_"} if self.draws(item) else {}
        return {**said, "seq": item["seq"]}


class OfMajiang(_Majiang, _WebSocket):
    """`/play` in the dialect `majiang`."""

    def __init__(self, ports: Ports, room: str) -> None:
        super().__init__(ports, f"/play/{room}?name=a")


class OfRiichiLab(_WebSocket):
    """`/ws/ranked`."""

    def __init__(self, ports: Ports, room: str) -> None:
        super().__init__(ports, "/ws/ranked?name=a")

    def asks(self, item: Item) -> bool:
        """See `Guest`."""
        return item.get("type") == "request_action"

    def draws(self, item: Item) -> bool:
        """See `Guest`."""
        return self.asks(item) and all(one["type"] != "none" for one in item["possible_actions"])

    def reply(self, item: Item) -> Item:
        """See `Guest`."""
        by_type = {one["type"]: one for one in item["possible_actions"]}
        return {**(by_type.get("none") or by_type["dahai"]), "request_id": item["request_id"]}


class OfMjsonp:
    """The TCP port."""

    def __init__(self, ports: Ports, room: str) -> None:
        self.ended = ""
        self._me = -1
        self._socket = socket.create_connection(("127.0.0.1", ports.lines), PATIENCE)
        self._lines = self._socket.makefile("rb")
        self._lines.readline()
        self.say({"type": "join", "name": "a", "room": room, "token": TOKEN})

    def heard(self) -> Iterator[Item]:
        """See `Guest`."""
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
        """See `Guest`: every message has an answer."""
        return bool(item["type"] != "error")

    def draws(self, item: Item) -> bool:
        """See `Guest`."""
        return bool(item["type"] == "tsumo" and item["actor"] == self._me)

    def reply(self, item: Item) -> Item:
        """See `Guest`."""
        if not self.draws(item):
            return {"type": "none"}
        return {"type": "dahai", "actor": self._me, "pai": item["pai"], "tsumogiri": True}

    def say(self, *messages: Item | bytes) -> None:
        """See `Guest`; bytes are sent as they are, with an end of line."""
        with contextlib.suppress(OSError):
            self._socket.sendall(b"".join(_text_of(message) + b"\n" for message in messages))

    def close(self) -> None:
        """See `Guest`. The lines that are read keep the socket open."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


class OfNetplay(_Majiang):
    """Socket.IO. A bad message is an event: [name, argument, …]; other bytes are what `GAME` says."""

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
        """See `Guest`: what `GAME` says, and errors as `{"error": …}`."""
        while True:
            event, data = self._events.get(timeout=PATIENCE)
            if event in ("END", "disconnect"):
                self.ended = event
                return
            if event in ("GAME", "ERROR"):
                yield data[0] if event == "GAME" else {"error": data[0]}

    def say(self, *messages: Item | bytes) -> None:
        """See `Guest`."""
        for message in messages:
            if isinstance(message, bytes) and message.startswith(b'["'):
                self._emit(*json.loads(message))
            else:
                self._emit("GAME", message if isinstance(message, dict) else message.decode())

    def close(self) -> None:
        """See `Guest`."""
        with contextlib.suppress(Exception):
            self._run(self._socket.disconnect())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)

    def _emit(self, event: str, *data: Any) -> None:
        with contextlib.suppress(Exception):  # of the library, where the server has hung up
            self._run(self._socket.emit(event, data))

    def _run(self, what: Any) -> None:
        asyncio.run_coroutine_threadsafe(what, self._loop).result(PATIENCE)


def _text_of(message: Item | bytes) -> bytes:
    return message if isinstance(message, bytes) else json.dumps(message).encode()


def cookie_at(port: int) -> str:
    """That of somebody who logs in to net play as `a`; empty if it is not let in."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    connection.request("POST", "/server/auth/", urlencode({"name": "a", "passwd": "*"}), headers)
    told = connection.getresponse().getheader("Set-Cookie") or ""
    connection.close()
    return told.partition(";")[0].partition("=")[2]
