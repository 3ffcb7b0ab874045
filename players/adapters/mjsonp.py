"""One of our bots as a client over TCP: `jantaku join mjsonp://127.0.0.1:11600/default --name alice --bot shanten`.

It plays one game at any server of the original mjai: ours, gimite's, kobalab's.
"""

import re
import socket
from collections.abc import Iterator

import msgspec

from jantaku.players.adapters.client import Look, Mind, serve
from jantaku.table.ground.errors import BadInput, PlayerGone
from jantaku.table.ground.port import Player
from jantaku.table.languages.wire.dialects import DIALECTS

SCHEME = "mjsonp:"
PORT = 11600
PATIENCE = 10.0
"""Seconds to connect."""
LONGEST_LINE = 1 << 22
"""The most bytes of a line."""
_ADDRESS = re.compile(r"mjsonp://(\[[0-9A-Fa-f:]+\]|[^/:\[\]]+)(?::([0-9]{1,5}))?(?:/([^/?#]*))?")


class Address(msgspec.Struct, frozen=True):
    host: str
    port: int = PORT
    room: str = "default"


def address_of(address: str) -> Address:
    """Parse an address. Raises BadInput if it is invalid."""
    match = _ADDRESS.fullmatch(address)
    if match is None or int(match[2] or PORT) > 65535:
        raise BadInput(f"{address} is not an address; write mjsonp://HOST:PORT/ROOM, port 11600 by default")
    return Address(match[1].strip("[]"), int(match[2] or PORT), match[3] or "default")


class Socket:
    """A connection as an iterator of lines, with a method to reply."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._lines = connection.makefile("rb")
        self.last = b""
        """The last line that came."""

    def __iter__(self) -> Iterator[bytes]:
        while line := self._lines.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                raise PlayerGone(f"the server sent a line of more than {LONGEST_LINE} bytes")
            self.last = line
            yield line

    def write(self, line: bytes) -> None:
        self._connection.sendall(line)


def play(at: Address, name: str, bot: Player, rules: str, look: Look | None = None) -> None:
    """Play one game to its end, which `look` sees. Raises PlayerGone, with the reason, if that is impossible."""
    try:
        with socket.create_connection((at.host, at.port), PATIENCE) as connection:
            connection.settimeout(None)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            _converse(Socket(connection), at, name, Mind(bot, look=look), rules)
    except OSError as error:
        raise PlayerGone(f"mjsonp://{at.host}:{at.port} cannot be reached: {error}") from error


def _converse(lines: Socket, at: Address, name: str, mind: Mind, rules: str) -> None:
    came = iter(lines)
    if not next(came, b""):
        raise PlayerGone("the server closed the connection before its hello")
    lines.write(msgspec.json.encode({"type": "join", "name": name, "room": at.room}) + b"\n")
    serve(mind, DIALECTS["mjsonp"].reader(rules), came, lines)
    if b'"end_game"' not in lines.last:
        raise PlayerGone("the server closed the connection before the end of the game")
