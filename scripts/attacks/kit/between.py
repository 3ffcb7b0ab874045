"""Proxies between our client and a server, which garble what the server says."""

import contextlib
import socket
import threading
from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.sync.server import Server, ServerConnection, serve

MOST = 1 << 24
Spoil = Callable[[bytes], Iterable[bytes | None]]
"""Returns what is said in place of a message; None breaks the connection."""


class OverWebSocket:
    """Accepts a connection on any path, and connects it to the server at `port`."""

    scheme = "ws"

    def __init__(self, port: int, spoil: Spoil) -> None:
        self._upstream, self._spoil = port, spoil
        self._server: Server = serve(self._pass_on, "127.0.0.1", 0, compression=None, max_size=MOST)
        self.port: int = self._server.socket.getsockname()[1]
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._thread.join()

    def _pass_on(self, client: ServerConnection) -> None:
        assert client.request is not None
        url = f"ws://127.0.0.1:{self._upstream}{client.request.path}"
        with connect(url, compression=None, max_size=MOST, close_timeout=1) as server:
            back = threading.Thread(target=_until_closed, args=(lambda: server.send(client.recv()),), daemon=True)
            back.start()
            _until_closed(lambda: self._say(client, server.recv()))
            client.close(server.close_code or 1000, server.close_reason or "")

    def _say(self, client: ServerConnection, message: str | bytes) -> None:
        for one in self._spoil(message if isinstance(message, bytes) else message.encode()):
            if one is None:
                client.socket.shutdown(socket.SHUT_RDWR)
                raise EOFError
            client.send(one, text=True)


class OverLines:
    """The same over TCP, line by line."""

    scheme = "mjsonp"

    def __init__(self, port: int, spoil: Spoil) -> None:
        self._upstream, self._spoil = port, spoil
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._thread.join(10)
        self._listening.close()

    def _serve(self) -> None:
        with self._listening.accept()[0] as client, socket.create_connection(("127.0.0.1", self._upstream)) as server:
            back = threading.Thread(target=_copy, args=(client, server), daemon=True)
            back.start()
            with contextlib.suppress(OSError):
                self._say_all(client, server)
            for one in (client, server):
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
            back.join()

    def _say_all(self, client: socket.socket, server: socket.socket) -> None:
        for line in server.makefile("rb"):
            for one in self._spoil(line.strip()):
                if one is None:
                    return
                client.sendall(one + b"\n")


def _copy(source: socket.socket, target: socket.socket) -> None:
    """Copy to the end of the source, and pass its end on."""
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_RDWR)


def _until_closed(pass_one: Callable[[], None]) -> None:
    with contextlib.suppress(ConnectionClosed, EOFError, OSError):
        while True:
            pass_one()
