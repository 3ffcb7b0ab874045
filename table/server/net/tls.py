"""TLS where none is spoken, and none where it is: a line in the log, since the other side may be told nothing."""

import ssl
from pathlib import Path

from jantaku.table.log import logger
from jantaku.table.server.net.limits import Allowance

_HELLO = b"\x16\x03"
"""How every connection over TLS begins: a handshake record, of version 3.something."""
_PLAIN = "HTTP_REQUEST"
"""What OpenSSL calls the first bytes of a client that speaks no TLS."""
_LINES = Allowance(20, 0.2)
"""Rate limit of the log lines: attackers could flood the log."""


def is_hello(data: bytes) -> bool:
    """Whether a client that begins so speaks TLS."""
    return data.startswith(_HELLO)


def warn_of_tls(address: str) -> None:
    """A client speaks TLS to a port that does not."""
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
    """What serves wss and https with that certificate. OSError for what is none."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.sslobject_class = _Handshake
    context.load_cert_chain(cert, key)
    return context
