"""One of our bots as a client over WebSocket: `jantaku join ws://127.0.0.1:8766/play/club --name alice --bot shanten`.

It plays as `client.py` does over standard input and output: it knows the game only from messages. If its connection
breaks, it reconnects with its key and resumes the game from what the server then sends.
"""

import logging
import socket
import ssl
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage, InvalidStatus, InvalidURI
from websockets.frames import CloseCode
from websockets.sync.client import ClientConnection, connect

from jantaku.players.adapters.client import Look, Mind, serve
from jantaku.table.ground.errors import PlayerGone
from jantaku.table.ground.port import Player
from jantaku.table.languages.wire.dialects import DIALECTS

COMING_BACK = 3
"""The most reconnects per game."""
PATIENCE = 5.0
"""Seconds to find out whether a server speaks TLS."""
NO_TLS = "WRONG_VERSION_NUMBER"
"""OpenSSL's name of the error if a server does not speak TLS."""
LONGEST_MESSAGE = 1 << 22
"""The most bytes of a message: the 牌譜 at the end of a game is by far the longest."""
READING = 20.0
"""Seconds after which a server that reads nothing of what it is sent, not even pongs, is given up."""
CLOSING = 5.0
"""Seconds for the closing handshake."""
_SILENT = logging.Logger("jantaku join")
"""The library's logger: it would print tracebacks beside the line that says why a connection ended."""
_SILENT.addHandler(logging.NullHandler())


class Visit(msgspec.Struct, frozen=True):
    """Address, name, and credentials of a client. `rules` apply in a dialect that does not transmit them."""

    address: str
    name: str
    dialect: str = "majiang"
    rules: str = "majiang"
    token: str = ""
    key: str = ""

    @property
    def url(self) -> str:
        """The address with all query parameters of the server."""
        query = {"name": self.name, "dialect": self.dialect, "token": self.token, "key": self.key}
        return f"{self.address}?{urlencode({key: value for key, value in query.items() if value})}"


class Frames:
    """A connection as an iterator of lines, with a method to reply."""

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection

    def __iter__(self) -> Iterator[bytes]:
        for message in self._connection:
            yield message.encode() if isinstance(message, str) else message

    def write(self, line: bytes) -> None:
        self._connection.send(line.decode())


class _Connection(ClientConnection):
    """A connection that ends if the server stops reading."""

    def __init__(self, sock: socket.socket, *others: Any, **named: Any) -> None:
        sock.settimeout(READING)
        super().__init__(sock, *others, **named)

    def send_data(self) -> None:
        """Send data, but abort after a message that was too long: it may have no end."""
        super().send_data()
        if (sent := self.protocol.close_sent) is not None and sent.code == CloseCode.MESSAGE_TOO_BIG:
            raise ConnectionAbortedError


def opened(url: str) -> ClientConnection:
    """Open a connection with limits on the length of messages and on the time to close."""
    return connect(
        url,
        max_size=LONGEST_MESSAGE,
        compression=None,
        close_timeout=CLOSING,
        create_connection=_Connection,
        logger=_SILENT,
    )


def play(visit: Visit, make_bot: Callable[[], Player], look: Look | None = None) -> None:
    """Play one game to its end, which `look` sees. Raises PlayerGone, with the server's reason, if that is
    impossible."""
    for _ in range(1 + COMING_BACK):
        try:
            with opened(visit.url) as connection:
                end: ConnectionClosed | None = None
                try:
                    # the bot is created anew, as the server sends everything again
                    frames, reader = Frames(connection), DIALECTS[visit.dialect].reader(visit.rules)
                    serve(Mind(make_bot(), look=look), reader, frames, frames)
                except ConnectionClosed as closed:
                    end = closed
                connection.close()
                if connection.close_code == CloseCode.NORMAL_CLOSURE:
                    return
                if fault := _fault_of(end):
                    raise PlayerGone(fault)
                reason = f"{connection.close_reason or 'the connection broke'} ({connection.close_code})"
                if connection.close_code is not None and connection.close_code != CloseCode.ABNORMAL_CLOSURE:
                    raise PlayerGone(reason)
        # ConnectionClosed: at the last message of the handshake
        except (OSError, InvalidHandshake, InvalidURI, ConnectionClosed) as error:
            raise PlayerGone(f"{visit.address} cannot be reached: {reason_of(error, visit.address)}") from error
    raise PlayerGone(reason)


def _fault_of(end: ConnectionClosed | None) -> str:
    """What is wrong with a server, if it would happen again after a reconnect; otherwise empty."""
    if end is None:
        return ""
    if isinstance(end.__cause__, TimeoutError) and end.sent is None:
        return f"the server read nothing for {READING:g} s"
    if end.sent is not None and end.sent.code == CloseCode.MESSAGE_TOO_BIG and not end.rcvd_then_sent:
        return f"a message of the server is larger than {LONGEST_MESSAGE >> 20} MiB"
    return ""


def reason_of(error: BaseException, address: str) -> str:
    """Why a connection to that address failed, with what the server said."""
    if isinstance(error, InvalidStatus) and error.response.body:
        return f"{error}: {error.response.body[:200].decode(errors='replace').strip()}"
    if isinstance(error, ssl.SSLError) and error.reason == NO_TLS:
        return "it does not use TLS; write ws:// (or http://) instead of wss:// (or https://)"
    if isinstance(error, InvalidMessage) and _speaks_tls(address):
        return "it uses TLS; write wss:// (or https://)"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"{error.verify_message}; name a file of trusted certificates in SSL_CERT_FILE"
    return str(error)


def _speaks_tls(address: str) -> bool:
    """Whether a server that did not answer in plain HTTP speaks TLS; its certificate is not checked."""
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
