"""A line on which several speak at once."""

import sys
import threading
import uuid
from typing import Any, cast

import pytest
from websockets.sync.server import ServerConnection

from scripts.pace import SOON
from table.server.net.line import Line


class Blocked:
    """A connection that takes nothing until the gate opens."""

    def __init__(self) -> None:
        self.id, self.socket, self.gate = uuid.uuid4(), self, threading.Event()

    def shutdown(self, how: int) -> None:
        pass

    def send(self, message: bytes, **kind: Any) -> None:
        assert self.gate.wait(SOON)

    def close(self, code: int, reason: str) -> None:
        pass


def test_who_speaks_while_others_hang_up_is_no_fault_and_keeps_nobody_on_the_line(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """A queue with room for one message, and six who use it at the same moment, again and again."""
    interval = sys.getswitchinterval()
    request.addfinalizer(lambda: sys.setswitchinterval(interval))
    sys.setswitchinterval(1e-6)
    faults: list[object] = []
    monkeypatch.setattr(threading, "excepthook", faults.append)
    for _ in range(200):
        connection, together = Blocked(), threading.Barrier(6)
        line = Line(cast(ServerConnection, connection), backlog=1)
        line.say(b"first")

        def speak(last: bool, line: Line = line, together: threading.Barrier = together) -> None:
            together.wait(SOON)
            for _ in range(3):
                line.hang_up() if last else line.say(b"more")

        threads = [threading.Thread(target=speak, args=(number % 2 == 0,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(SOON)
        connection.gate.set()
        line.wait(SOON)
        assert not faults and not line._thread.is_alive()
