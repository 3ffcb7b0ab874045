"""Our bots as clients over WebSocket, with every byte that they are told, and with connections that break."""

import secrets
import socket
import threading
from collections.abc import Callable, Iterator, Sequence

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from jantaku.players.adapters.client import Mind, serve
from jantaku.table.ground.port import Player
from jantaku.table.languages.wire.dialects import DIALECTS
from tests.kit.pace import SOON


class _Tap:
    """A connection as lines, kept; it breaks after so many messages (0: never)."""

    def __init__(self, connection: ClientConnection, frames: list[str], breaks_after: int) -> None:
        self._connection, self._frames, self._breaks_after = connection, frames, breaks_after

    def __iter__(self) -> Iterator[bytes]:
        for message in self._connection:
            assert isinstance(message, str)
            self._frames.append(message)
            if len(self._frames) == self._breaks_after:
                self._connection.socket.shutdown(socket.SHUT_RDWR)
                return
            yield message.encode()

    def write(self, line: bytes) -> None:
        self._connection.send(line.decode())


class Playing:
    """Somebody who plays in a thread. `streams` holds what came on each of the connections."""

    def __init__(self) -> None:
        self.streams: list[list[str]] = []
        self._problem: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def join(self) -> None:
        self._thread.join(SOON)
        assert not self._thread.is_alive()
        if self._problem is not None:
            raise self._problem

    def _run(self) -> None:
        try:
            self._play()
        except BaseException as problem:
            self._problem = problem

    def _play(self) -> None:
        raise NotImplementedError

    def _new_stream(self) -> list[str]:
        self.streams.append([])
        return self.streams[-1]


class Tapped(Playing):
    """A bot that plays at an address."""

    def __init__(
        self, address: str, name: str, dialect: str, make: Callable[[], Player], breaks: Sequence[int] = ()
    ) -> None:
        self.player = -1
        self._url = f"{address}?name={name}&dialect={dialect}&key={secrets.token_hex(8)}"
        self._dialect, self._make, self._breaks = dialect, make, list(breaks)
        super().__init__()

    def _play(self) -> None:
        while self._connect(self._breaks.pop(0) if self._breaks else 0):
            pass

    def _connect(self, breaks_after: int) -> bool:
        """Play until the connection ends; whether that was our doing."""
        frames = self._new_stream()
        with connect(self._url, compression=None, max_size=1 << 24) as connection:
            try:
                tap = _Tap(connection, frames, breaks_after)
                serve(Mind(self._make()), DIALECTS[self._dialect].reader("tenhou"), tap, tap)
            except ConnectionClosed:
                pass
        return 0 < breaks_after == len(frames)
