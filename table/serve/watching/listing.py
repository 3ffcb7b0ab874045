"""The list of a server's rooms, for all clients that follow it."""

import threading
from typing import Any

import msgspec
from websockets.frames import CloseCode

from jantaku.table.serve.net.line import Line, Visitor
from jantaku.table.serve.watching.gallery import Audience, Gallery


class RoomList:
    """Sends the list to each new client, and to all when it changes. Thread-safe."""

    def __init__(self) -> None:
        self._gallery = Gallery(Audience(), Audience())
        self._told = b""
        self._lock = threading.Lock()

    def admit(self, line: Line) -> Visitor:
        """Add a client."""
        return self._gallery.admit(line)

    def tell(self, listed: Any) -> None:
        """Publish the list if it has changed."""
        told = msgspec.json.encode(listed)
        with self._lock:
            if told != self._told:
                self._told = told
                self._gallery.show(told, told)

    def close(self) -> None:
        """Close all connections."""
        self._gallery.dismiss(CloseCode.GOING_AWAY, "the server closes")
