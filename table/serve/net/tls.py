"""Logs a client that speaks TLS to a port without it, or none to a port with it: the client itself may get none."""

import ssl
from pathlib import Path

from jantaku.table.ground.log import logger
from jantaku.table.serve.net.limits import Allowance

_HELLO = b"\x16\x03"
"""First bytes of every TLS connection: a handshake record of version 3.x."""
_PLAIN = "HTTP_REQUEST"
"""OpenSSL's reason if the first bytes of a client are HTTP."""
_LINES = Allowance(20, 0.2)
"""Rate limit of the log lines: attackers could flood the log."""


def is_hello(data: bytes) -> bool:
    return data.startswith(_HELLO)


def warn_of_tls(address: str) -> None:
    """Warn that a client speaks TLS to a port that does not."""
    if _LINES.take():
        logger().warning(
            "a client speaks TLS, and this port does not: it has to write ws:// or http:// instead of wss:// or https://",
            of=address,
        )


class _Handshake(ssl.SSLObject):
    def do_handshake(self) -> None:
        try:
            super().do_handshake()
        except ssl.SSLError as error:
            if error.reason == _PLAIN and _LINES.take():
                logger().warning(
                    "a client speaks no TLS, and this port does: "
                    "it has to write wss:// or https:// instead of ws:// or http://"
                )
            raise


def context_of(cert: Path, key: Path | None) -> ssl.SSLContext:
    """Return the TLS context for wss and https with that certificate. OSError if a file cannot be used."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.sslobject_class = _Handshake
    context.load_cert_chain(cert, key)
    # A ticket may arrive as a client sends its request: one that reads and writes in two threads, as Python's
    # websockets.sync does, then may take it for the end of the connection.
    context.num_tickets = 0
    return context
