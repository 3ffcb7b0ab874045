"""One WebSocket connection as the rest of a server sees it: saying something never takes time."""

import contextlib
import queue
import socket
import threading
from typing import NamedTuple

from websockets.exceptions import ConnectionClosed
from websockets.frames import CloseCode
from websockets.sync.server import ServerConnection

_LONGEST_REASON = 120
"""Bytes of a reason that fit into a close frame, all but three."""


class Farewell(NamedTuple):
    """The last thing to be done with a connection."""

    code: int
    reason: str


class Line:
    """Sends from a thread of its own, so that a slow reader holds up nobody.

    `say` and `hang_up` may be called from any thread, with locks held, before and after the connection broke.
    """

    def __init__(self, connection: ServerConnection, backlog: int) -> None:
        self.ended = ""
        """Why it ended or is about to, in words."""
        self.one_way = False
        """Whether nothing is expected to come from there."""
        self._connection = connection
        self._waiting: queue.Queue[bytes | Farewell] = queue.Queue(backlog)
        self._saying = threading.Lock()
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._send_all, name=f"line-{connection.id.hex[:6]}", daemon=True)
        self._thread.start()

    def say(self, message: bytes) -> None:
        """Send a text message after those that wait. Nothing happens if the line is closing."""
        with self._saying:
            if self._closing.is_set():
                return
            try:
                self._waiting.put_nowait(message)
            except queue.Full:
                self._close(CloseCode.TRY_AGAIN_LATER, "too slow: too many messages wait to be read")

    def hang_up(self, code: int = CloseCode.NORMAL_CLOSURE, reason: str = "") -> None:
        """Close after what was said so far; a reader that is too slow for that is cut off at once."""
        with self._saying:
            if not self._closing.is_set():
                self._close(code, reason)

    def _close(self, code: int, reason: str) -> None:
        """The one place that says goodbye. The caller holds the lock, so that nothing is said behind it."""
        self.end(reason)
        self._closing.set()
        cut = reason.encode()[:_LONGEST_REASON].decode(errors="ignore")
        try:
            self._waiting.put_nowait(Farewell(code, cut))
        except queue.Full:
            with contextlib.suppress(OSError):  # it may be gone already
                self._connection.socket.shutdown(socket.SHUT_RDWR)
            self._drop_all()
            self._waiting.put_nowait(Farewell(code, cut))

    def end(self, reason: str) -> None:
        """Keep why the connection is over; the first reason stands."""
        self.ended = self.ended or reason

    def join(self) -> None:
        """Hang up if nobody has, and wait until nothing is sent any more."""
        self.hang_up()
        self._thread.join()

    def wait(self, seconds: float) -> None:
        """Wait until all that was said is sent, and goodbye too, at most so long."""
        self._thread.join(seconds)

    def _drop_all(self) -> None:
        while True:
            try:
                self._waiting.get_nowait()
            except queue.Empty:
                return

    def _send_all(self) -> None:
        while True:
            what = self._waiting.get()
            try:
                if isinstance(what, Farewell):
                    self._connection.close(what.code, what.reason)
                    return
                self._connection.send(what, text=True)
            except (ConnectionClosed, OSError):
                # Its reader notices, too; what else is said goes nowhere until the farewell comes.
                continue
