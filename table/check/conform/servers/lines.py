"""Connections to another author's server, line by line: over WebSocket, and over TCP as in the original mjai."""

import contextlib
import re
import socket
from typing import Protocol
from urllib.parse import urlencode

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.sync.client import connect

from jantaku.table.ground.errors import BadInput, PlayerGone

PATIENCE = 10.0
"""Seconds for making a connection."""
LONGEST_MESSAGE = 1 << 22
"""Most bytes of a message; the longest is the 牌譜 at the end of a game."""
_ARENA = {"/ws/ranked": 4, "/ws/validate": 1}
_PORT = 11600
_MJSONP = re.compile(r"mjsonp://(\[[0-9A-Fa-f:]+\]|[^/:\[\]]+)(?::([0-9]{1,5}))?(?:/([^/?#]*))?")


class Lines(Protocol):
    """One connection."""

    def receive(self, seconds: float) -> bytes | None:
        """Return the next line; None if none comes in time. PlayerGone, with the reason, if the connection has
        ended."""

    def send(self, line: bytes) -> None:
        """Send one line. PlayerGone if that is impossible."""

    def close(self) -> None:
        """Close the connection."""


class Door(msgspec.Struct, frozen=True):
    """A server's address, the dialect spoken there, and the number of our players that a game needs."""

    address: str
    dialect: str
    seats: int

    def enter(self, name: str, token: str = "") -> Lines:
        """Connect under a name. PlayerGone, with the reason, if that is impossible."""
        try:
            if self.dialect == "mjsonp" and self.address.startswith("mjsonp:"):
                return _Tcp(self.address, name)
            arena = self.address.partition("?")[0].endswith(tuple(_ARENA))
            query = urlencode({"name": name} if arena else {"name": name, "dialect": self.dialect})
            sign = "&" if "?" in self.address else "?"
            return _Socket(f"{self.address}{sign}{query}", token)
        except (OSError, InvalidHandshake, InvalidURI, ConnectionClosed, EOFError) as error:
            raise PlayerGone(f"{self.address} cannot be reached: {error}") from error


def door_of(address: str, dialect: str | None) -> Door | None:
    """Return the door of an address; None if the text is not an address. BadInput for an address that cannot be
    used."""
    scheme, colon, _ = address.partition("://")
    if not colon or scheme not in ("ws", "wss", "mjsonp"):
        return None
    if scheme == "mjsonp":
        match = _MJSONP.fullmatch(address)
        if match is None or int(match[2] or _PORT) > 65535:
            raise BadInput(f"{address} is no address; one is mjsonp://HOST:PORT/ROOM")
        return Door(address, "mjsonp", 4)
    path = address.partition("?")[0]
    for end, seats in _ARENA.items():
        if path.endswith(end):
            return Door(address, "riichilab", seats)
    return Door(address, dialect or "majiang", 4)


class _Tcp:
    """A TCP connection; making one exchanges `hello` and `join`. Implements `Lines`."""

    def __init__(self, address: str, name: str) -> None:
        match = _MJSONP.fullmatch(address)
        assert match is not None, "a door has looked at it"
        self._socket = socket.create_connection((match[1].strip("[]"), int(match[2] or _PORT)), PATIENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._came = b""
        if self.receive(PATIENCE) is None:
            raise PlayerGone("it says no hello")
        self.send(msgspec.json.encode({"type": "join", "name": name, "room": match[3] or "default"}))

    def receive(self, seconds: float) -> bytes | None:
        self._socket.settimeout(seconds)
        try:
            while b"\n" not in self._came:
                data = self._socket.recv(1 << 16)
                if not data or len(self._came) > LONGEST_MESSAGE:
                    raise PlayerGone("it has closed the connection" if not data else "a line without an end")
                self._came += data
        except TimeoutError:
            return None
        except OSError as error:
            raise PlayerGone(f"the connection broke: {error}") from error
        line, _, self._came = self._came.partition(b"\n")
        return line

    def send(self, line: bytes) -> None:
        try:
            self._socket.sendall(line.strip() + b"\n")
        except OSError as error:
            raise PlayerGone(f"the connection broke: {error}") from error

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


class _Socket:
    """A WebSocket connection. Implements `Lines`."""

    def __init__(self, url: str, token: str) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._open = contextlib.ExitStack()
        self._connection = self._open.enter_context(
            connect(url, max_size=LONGEST_MESSAGE, compression=None, additional_headers=headers, open_timeout=PATIENCE)
        )

    def receive(self, seconds: float) -> bytes | None:
        try:
            message = self._connection.recv(seconds)
        except TimeoutError:
            return None
        except ConnectionClosed as closed:
            frame = closed.rcvd
            told = "without a word" if frame is None else f"with {frame.code} {frame.reason}".rstrip()
            raise PlayerGone(f"it has closed the connection {told}") from closed
        return message.encode() if isinstance(message, str) else message

    def send(self, line: bytes) -> None:
        try:
            self._connection.send(line.decode("utf-8", "replace").strip())
        except ConnectionClosed as closed:
            raise PlayerGone("it has closed the connection") from closed

    def close(self) -> None:
        """Close the WebSocket."""
        self._open.close()
