"""A client of ours whose server goes while it shakes hands says so, as for one that was never there; one whose server
says no end of a message, or reads nothing, ends."""

import contextlib
import re
import socket
import struct
import threading

import pytest
from websockets.utils import accept_key

from jantaku.players.adapters import websocket
from jantaku.players.adapters.websocket import Visit, play
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.errors import PlayerGone
from tests.kit.cases import cases
from tests.kit.pace import SOON, UNIT


def test_a_server_that_resets_the_connection_cannot_be_reached() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def reset() -> None:
            line, _ = server.accept()
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            line.close()

        thread = threading.Thread(target=reset)
        thread.start()
        with pytest.raises(PlayerGone, match="cannot be reached"):
            play(Visit(f"ws://127.0.0.1:{server.getsockname()[1]}/play/club", "a"), Tsumogiri)
        thread.join()


def _endless(line: socket.socket, beginning: bytes, again: bytes) -> None:
    """Shake hands, then say this for as long as somebody listens, and read nothing."""
    request = b""
    while b"\r\n\r\n" not in request:
        request += line.recv(4096)
    key = re.search(rb"(?i)sec-websocket-key: (\S+)", request)
    assert key is not None
    answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
    line.sendall(f"{answer}{accept_key(key[1].decode())}\r\n\r\n".encode() + beginning)
    with contextlib.suppress(OSError):
        while True:
            line.sendall(again)


@cases(
    "beginning, again, reason",
    (b"\x81\x7f" + (1 << 33).to_bytes(8, "big"), bytes(65536), "a message of the server is larger than 4 MiB"),
    (b"\x01\x01x", b"\x00\x7e\xff\xff" + b"x" * 65535, "a message of the server is larger than 4 MiB"),
    (b"", b"\x89\x7d" + b"x" * 125, "the server read nothing for 0.2 s"),
    ids=["a frame of 8 GiB", "fragments without an end", "pings to which nobody listens"],
)
def test_a_server_without_an_end_is_left_with_its_reason_and_in_silence(
    beginning: bytes, again: bytes, reason: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(websocket, "READING", 0.2)
    monkeypatch.setattr(websocket, "CLOSING", UNIT)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with server.accept()[0] as line:
                _endless(line, beginning, again * 500)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        with pytest.raises(PlayerGone, match=f"^{reason}$"):
            play(Visit(f"ws://127.0.0.1:{server.getsockname()[1]}/play/club", "a"), Tsumogiri)
        thread.join(SOON)
        assert not thread.is_alive() and capfd.readouterr().err == ""
