"""A program of one thread that thinks while the server's keep-alives come, in a simulated machine."""

import json
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, cast

import pytest
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.uri import parse_uri

from jantaku.table.daifugo.players import DaifugoWeakest
from jantaku.table.daifugo.rooms.room import DaifugoRoom, DaifugoRoomPlan
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.seating.roster import Entrant
from jantaku.table.serve.identity import Identity
from jantaku.table.serve.net.admission import Arrival
from jantaku.table.serve.net.connection import Connection
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.net.visitor import Visitor
from jantaku.table.serve.room import Disk, Games
from tests.daifugo.walk import rules
from tests.kit.simulated import now, sleep

STEP = 0.1
"""Seconds between two looks of the server's loop and of the client at their sockets."""
LIMITS = Limits(ping=20.0, pong=60.0, pongs_wanted=False)


class Wire:
    """Both ends of one connection, and the server's loop. Implements what a `Connection` asks of its server and of its
    transport."""

    limits = LIMITS

    def __init__(self, room: DaifugoRoom) -> None:
        self._room = room
        self._tasks: deque[Callable[[], object]] = deque()
        self.to_server: deque[bytes] = deque()
        self.to_client: deque[bytes] = deque()
        self.closed = False
        self.connection = Connection(cast(Any, self), "here")
        self.connection.connection_made(cast(Any, self))

    def serve(self) -> None:
        """The loop of the server's event loop."""
        while not self.closed:
            while self._tasks:
                self._tasks.popleft()()
            while self.to_server:
                data = self.to_server.popleft()
                buffer = self.connection.get_buffer(len(data))
                buffer[: len(data)] = data
                self.connection.buffer_updated(len(data))
            self.connection.tick(now())
            sleep(STEP)

    # --- as the web server

    def answer(self, request: Request, connection: Connection) -> Arrival:
        return Arrival("/", {}, "", "", "/", "", "here")

    def welcome(self, arrival: Arrival, line: Line) -> Visitor:
        return self._room.sit(Identity("thinker", "", "here"), line)

    def work(self, task: Callable[[], None]) -> None:
        task()

    def on_loop(self, task: Callable[[], object]) -> None:
        self._tasks.append(task)

    def gone(self, connection: Connection) -> None:
        self.closed = True

    # --- as the transport

    def write(self, data: bytes) -> None:
        self.to_client.append(data)

    def set_write_buffer_limits(self, high: int) -> None: ...

    def get_write_buffer_size(self) -> int:
        return 0

    def is_closing(self) -> bool:
        return self.closed

    def can_write_eof(self) -> bool:
        return False

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...

    def close(self) -> None:
        self.connection.connection_lost(None)

    abort = close


def think(wire: Wire, seconds: float) -> list[dict[str, Any]]:
    """Play a series as a program that reads its socket, thinks and answers in one thread; what it was told."""
    protocol = ClientProtocol(parse_uri("ws://here/"))
    protocol.send_request(protocol.connect())
    told: list[dict[str, Any]] = []
    while not wire.closed:
        wire.to_server.extend(protocol.data_to_send())
        sleep(STEP)
        while wire.to_client:
            protocol.receive_data(wire.to_client.popleft())
        for event in protocol.events_received():
            if not isinstance(event, Frame) or event.opcode is not Opcode.TEXT:
                continue
            wire.to_server.extend(protocol.data_to_send())  # the pongs of what was read with it
            told.append(message := json.loads(bytes(event.data)))
            if message["Kind"] == "Finish":
                return told
            if message["Kind"] == "ProcessTurn":
                sleep(seconds)
                cards = "" if message["Ba"] else message["Deck"].split()[0]
                protocol.send_text(json.dumps({"Kind": "Put", "Cards": cards}).encode())
    return told


@pytest.mark.simulated
@pytest.mark.parametrize("seconds", [5.0, 15.0, 25.0])
def test_who_thinks_where_it_reads_its_socket_loses_no_answer(seconds: float) -> None:
    table = rules("A", game__seats="2", series__rounds="1")
    ends: list[Outcome | str] = []
    bots = [Entrant("weakest", "", lambda seed: DaifugoWeakest())]
    plan = DaifugoRoomPlan(table, "4", lambda seed: DaifugoWeakest(), limit=seconds + 5, bots=bots)
    room = DaifugoRoom("R", plan, Games(None, Disk()), ends.append)
    wire = Wire(room)
    loop = threading.Thread(target=wire.serve)
    loop.start()
    told = think(wire, seconds)
    room.wait()
    wire.close()
    loop.join()
    asked = sum(message["Kind"] == "ProcessTurn" for message in told)
    assert asked * seconds > 3 * (LIMITS.ping or 0), "several keep-alives came while it thought"
    assert [message for message in told if message["Kind"] == "Exception"] == []
    (outcome,) = ends
    assert isinstance(outcome, Outcome) and outcome.faults == ({}, {})
    assert room.guests[0].stale == 0
