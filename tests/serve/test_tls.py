"""TLS where none is spoken, and none where it is: a line at `jantaku join` and one in the log."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.tls import context_of
from jantaku.table.serve.net.web import WebServer
from tests.kit.command import Jantaku
from tests.serve.test_web import House

TLS = Path(__file__).parent.parent / "data" / "tls"
PLAIN = "it does not use TLS; write ws:// (or http://) instead of wss:// (or https://)"
SECURE = "it uses TLS; write wss:// (or https://)"
NO_TLS_HERE = "a client speaks TLS, and this port does not"
TLS_HERE = "a client speaks no TLS, and this port does"


@contextmanager
def rooms(tls: ssl.SSLContext | None) -> Iterator[int]:
    with WebServer(House().welcome, {}, "127.0.0.1", 0, Limits(), tls=tls) as server:
        yield server.port


@pytest.mark.parametrize(
    ("address", "speaks", "hint", "logged"),
    [
        ("wss://127.0.0.1:{}", False, PLAIN, NO_TLS_HERE),
        ("https://127.0.0.1:{}/club", False, PLAIN, NO_TLS_HERE),
        ("127.0.0.1:{}", True, SECURE, TLS_HERE),
        ("ws://127.0.0.1:{}/play/club", True, SECURE, TLS_HERE),
    ],
)
def test_who_writes_the_wrong_scheme_is_told_the_right_one_and_so_is_the_log(
    address: str, speaks: bool, hint: str, logged: str, jantaku: Jantaku
) -> None:
    tls = context_of(TLS / "cert.pem", TLS / "key.pem") if speaks else None
    with rooms(tls) as port:
        ran = jantaku("join", address.format(port), "--wait", "0")
    told, line = sorted(ran.err.splitlines(), key=lambda line: hint in line)
    assert ran.code == 2 and hint in line and logged in told
