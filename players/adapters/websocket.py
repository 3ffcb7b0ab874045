"""One of our bots as a client over WebSocket: `jantaku join ws://127.0.0.1:8766/play/club --name alice --bot shanten`.

It plays as `client.py` does over standard input and output: it knows the game from messages alone. If its connection
breaks it reconnects with its key and resumes the game from what it is sent then.
"""

import logging
import socket
import ssl
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage, InvalidStatus, InvalidURI
from websockets.frames import CloseCode
from websockets.sync.client import ClientConnection, connect

from jantaku.players.adapters.client import Look, Mind, serve
from jantaku.table.errors import PlayerGone
from jantaku.table.log import logger
from jantaku.table.port import Player
from jantaku.table.wire.dialects import READERS

COMING_BACK = 3
"""Reconnects per game at most."""
ARENA = ("/ws/ranked", "/ws/validate")
"""The endpoints of RiichiLab's protocol."""
PATIENCE = 5.0
"""Seconds to learn whether a server speaks TLS."""
NO_TLS = "WRONG_VERSION_NUMBER"
"""What OpenSSL calls the first bytes of a server that speaks no TLS."""
LONGEST_MESSAGE = 1 << 22
"""Bytes: the 牌譜 at the end of a game is by far the longest message."""
READING = 20.0
"""Seconds for which a server may read nothing of what it is sent, be it pongs that it asks for."""
CLOSING = 5.0
"""Seconds for the closing handshake."""
_SILENT = logging.Logger("jantaku join")
"""Of the library, which would print tracebacks beside the line in which it is said why a connection ended."""
_SILENT.addHandler(logging.NullHandler())


class Visit(msgspec.Struct, frozen=True):
    """Address, name, and credentials of a client. `rules`: for a dialect that does not transmit them."""

    address: str
    name: str
    dialect: str = "majiang"
    rules: str = "majiang"
    token: str = ""
    key: str = ""
    is_named: bool = False
    """Whether the name was chosen for this visit: else an endpoint of RiichiLab's protocol is not told it."""

    @property
    def is_arena(self) -> bool:
        """Whether it is an endpoint of RiichiLab's protocol: a key is nothing there, and no way leads back to a game.
        A name is for ours alone; others read none, and call a bot what its token is for."""
        return self.address.partition("?")[0].endswith(ARENA)

    @property
    def headers(self) -> dict[str, str]:
        """Headers of the request."""
        return {"Authorization": f"Bearer {self.token}"} if self.is_arena and self.token else {}

    @property
    def url(self) -> str:
        """The address with all query parameters of the server."""
        if self.is_arena:
            joint = "&" if "?" in self.address else "?"
            return f"{self.address}{joint}{urlencode({'name': self.name})}" if self.is_named else self.address
        query = {"name": self.name, "dialect": self.dialect, "token": self.token, "key": self.key}
        return f"{self.address}?{urlencode({key: value for key, value in query.items() if value})}"


class Frames:
    """A connection as an iterator of lines and a way to reply."""

    def __init__(self, connection: ClientConnection, look: Look | None = None) -> None:
        self._connection, self._look = connection, look

    def __iter__(self) -> Iterator[bytes]:
        for message in self._connection:
            line = message.encode() if isinstance(message, str) else message
            if self._look is not None:
                self._look.line(line)
            yield line

    def write(self, line: bytes) -> None:
        """Send one reply."""
        self._connection.send(line.decode())


class _Connection(ClientConnection):
    """Ends where nobody reads."""

    def __init__(self, sock: socket.socket, *others: Any, **named: Any) -> None:
        sock.settimeout(READING)
        super().__init__(sock, *others, **named)

    def send_data(self) -> None:
        """See `Connection`. What is too long is not waited for: it may have no end."""
        super().send_data()
        if (sent := self.protocol.close_sent) is not None and sent.code == CloseCode.MESSAGE_TOO_BIG:
            raise ConnectionAbortedError


def opened(url: str, headers: Mapping[str, str] | None = None) -> ClientConnection:
    """A connection, whose messages have a bound, and whose end does."""
    return connect(
        url,
        max_size=LONGEST_MESSAGE,
        compression=None,
        close_timeout=CLOSING,
        additional_headers=headers or {},
        create_connection=_Connection,
        logger=_SILENT,
    )


def play(visit: Visit, make_bot: Callable[[], Player], look: Look | None = None) -> None:
    """Play one game to its end, which `look` sees. PlayerGone, with the server's reason, if that is impossible."""
    for _ in range(1 + COMING_BACK):
        try:
            with opened(visit.url, visit.headers) as connection:
                end: ConnectionClosed | None = None
                try:
                    # The bot is created anew: the server sends everything again.
                    frames, reader = Frames(connection, look), READERS[visit.dialect](visit.rules)
                    serve(Mind(make_bot(), look=look), reader, frames, frames)
                except ConnectionClosed as closed:
                    end = closed
                if troubles := getattr(reader, "troubles", None):
                    logger().warning("not all was understood", messages=len(troubles), first=troubles[0])
                connection.close()
                if connection.close_code == CloseCode.NORMAL_CLOSURE:
                    return
                if fault := _fault_of(end):
                    raise PlayerGone(fault)
                reason = f"{connection.close_reason or 'the connection broke'} ({connection.close_code})"
                if visit.is_arena:
                    raise PlayerGone(f"{reason}; no way leads back to a game there")
                if connection.close_code is not None and connection.close_code != CloseCode.ABNORMAL_CLOSURE:
                    raise PlayerGone(reason)
        except (OSError, InvalidHandshake, InvalidURI, ConnectionClosed) as error:  # the last message of the handshake
            raise PlayerGone(f"{visit.address} cannot be reached: {reason_of(error, visit.address)}") from error
    raise PlayerGone(reason)


def _fault_of(end: ConnectionClosed | None) -> str:
    """What is wrong with a server, as far as it would be anew; empty for what may not be."""
    if end is None:
        return ""
    if isinstance(end.__cause__, TimeoutError) and end.sent is None:
        return f"the server has read nothing for {READING:g} s"
    if end.sent is not None and end.sent.code == CloseCode.MESSAGE_TOO_BIG and not end.rcvd_then_sent:
        return f"a message of the server has more than {LONGEST_MESSAGE >> 20} MiB"
    return ""


def reason_of(error: BaseException, address: str) -> str:
    """Why a connection to that address did not come about, with what the server said."""
    if isinstance(error, InvalidStatus) and error.response.body:
        return f"{error}: {error.response.body[:200].decode(errors='replace').strip()}"
    if isinstance(error, ssl.SSLError) and error.reason == NO_TLS:
        return "it speaks no TLS; write ws:// (or http://) instead of wss:// (or https://)"
    if isinstance(error, InvalidMessage) and _speaks_tls(address):
        return "it speaks TLS; write wss:// (or https://) in front of it"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"{error.verify_message}; SSL_CERT_FILE names a file with the certificates that are trusted"
    return str(error)


def _speaks_tls(address: str) -> bool:
    """Whether a server that said nothing in plain HTTP would have with TLS, whoever it says that it is."""
    at, context = urlsplit(address), ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        with (
            socket.create_connection((at.hostname or "", at.port or 80), PATIENCE) as plain,
            context.wrap_socket(plain),
        ):
            return at.scheme == "ws"
    except OSError:
        return False
