"""A client that is still working through what it was told when its game ends hears the end, at every door."""

import asyncio
import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from jantaku.table.languages.wire.dialect import Heard, Side
from jantaku.table.serve.net import line, line_door
from jantaku.table.serve.net.admission import Arrival
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.net.line_door import LineDoor
from jantaku.table.serve.net.visitor import DelegatedVisitor, Visitor
from jantaku.table.serve.net.web import WebServer
from jantaku.table.serve.riichi.mjsonp import Handshake
from tests.kit.pace import SOON
from tests.serve.originals import Program
from tests.serve.serving import Drawer, Item, Served, plan_of

JOIN = b'{"type":"join","name":"a","room":"r"}\n'
SAID = [b'{"n":%d}' % number for number in range(4)]


@pytest.fixture(autouse=True)
def no_time_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is waited for but as long as for an answer."""
    monkeypatch.setattr(line, "PARTING", 0)
    monkeypatch.setattr(line_door, "CLOSING", 0)


@pytest.fixture
def door() -> LineDoor:
    return LineDoor("127.0.0.1", 0, Handshake())


class OneEnd:
    """Says all at once and hangs up, with so much time for each answer."""

    def __init__(self, patience: float) -> None:
        self._patience = patience

    def welcome(self, arrival: Arrival, line: Line) -> Visitor:
        for message in SAID:
            line.say(message)
        line.hang_up(1000, "", lambda: 1, self._patience)
        return DelegatedVisitor(lambda text: True, lambda: None)


def a_moment(server: WebServer) -> None:
    """Everything that is due on the server's loop has happened."""
    for _ in range(20):
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0.001), server._loop).result(SOON)


def pieces(sock: socket.socket) -> Iterator[bytes]:
    """What comes in one read each."""
    while piece := sock.recv(65536):
        yield piece


def test_what_is_queued_at_the_end_is_said_line_by_line_as_it_is_answered(door: LineDoor) -> None:
    with (
        WebServer(OneEnd(1e6).welcome, {}, "127.0.0.1", 0, Limits(), doors=[door]) as server,
        socket.create_connection(("127.0.0.1", door.port), SOON) as sock,
    ):
        came = pieces(sock)
        assert next(came).startswith(b'{"type":"hello"')
        sock.sendall(JOIN)
        for message in SAID:
            assert next(came) == message + b"\n"
            a_moment(server)
            sock.sendall(b"{}\n")
        assert next(came, b"") == b""


def test_who_answers_nothing_any_more_is_told_the_rest_at_once(door: LineDoor) -> None:
    with (
        WebServer(OneEnd(0).welcome, {}, "127.0.0.1", 0, Limits(), doors=[door]),
        socket.create_connection(("127.0.0.1", door.port), SOON) as sock,
    ):
        came = sock.makefile("rb")
        assert came.readline().startswith(b'{"type":"hello"')
        sock.sendall(JOIN)
        assert came.read().splitlines() == SAID


class Late(Program):
    def __init__(self, port: int) -> None:
        super().__init__(port, "late")
        self.reached, self.may = threading.Event(), threading.Event()

    def reply(self, event: Item) -> Item:
        if event["type"] in ("hora", "ryukyoku"):
            self.reached.set()
            assert self.may.wait(SOON)
        return super().reply(event)


def test_a_program_of_the_original_mjai_that_is_behind_hears_its_games_end(door: LineDoor, tmp_path: Path) -> None:
    """What comes out of lock step it loses."""
    with Served(plan_of(tmp_path, "ws,tsumogiri,tsumogiri,tsumogiri"), doors=[door], games=1) as served:
        program = Late(door.port)
        playing = threading.Thread(target=program.play, daemon=True)
        playing.start()
        outcome = served.outcome()
        assert program.reached.wait(SOON) and served.house.games.finished.wait(SOON)
        parted = threading.Thread(target=served.server.part, daemon=True)
        parted.start()
        a_moment(served.server)
        assert parted.is_alive()  # the command that serves one game does not end yet
        program.may.set()
        playing.join(SOON)
        parted.join(SOON)
        assert not playing.is_alive() and not parted.is_alive()
    assert sorted(program.scores) == sorted(outcome.scores) and not any(outcome.faults)


def test_a_client_over_websocket_that_is_behind_can_answer_to_the_end_of_its_game(tmp_path: Path) -> None:
    known = threading.Event()

    def reply_late(client: Drawer, message: Item, number: int) -> bool:
        if {"hule", "pingju"} & message.keys():
            assert known.wait(SOON)
            assert client.connection.ping().wait(SOON)  # a connection that is being closed answers none
            client.connection.send(json.dumps({"seq": number}))  # raises where it is closed
            return True
        return False

    with Served(plan_of(tmp_path)) as served:
        drawers = [Drawer(served.at(f"/play/r?name={name}"), reply_late) for name in "abcd"]
        assert served.outcome().faults == ({}, {}, {}, {})
        known.set()
        for drawer in drawers:
            assert "jieju" in json.loads(drawer.join()[-1])
            assert drawer.connection.close_code == 1000


class Numbered(Side):
    """A dialect whose replies repeat the number of their message."""

    key = "seq"

    def told(self, messages: int, *replied: int) -> int:
        """To how many messages replies are due after so many, and replies to these, the last of which came late."""
        for _ in range(messages):
            self._replies.expect()
        for number in replied[:-1]:
            assert self._replies.answers(Heard(b"{}", self.due), number, number)
        return self.owed([Heard(b'{"seq":%d}' % number, self.due) for number in replied[-1:]])


def test_who_leaves_replies_out_owes_that_to_the_last_message_alone() -> None:
    assert Numbered().told(5, 1, 2, 3) == 2
    assert Numbered().told(5, 1, 2, 3, 4, 5) == 0
    assert Numbered().told(5, 1, 3, 3) == 1
