"""The TCP port for programs of the original mjai: whole games, the handshake, and what a program may do wrong there."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from scripts.doors.mjsonp import Program
from table.errors import BadInput
from table.record.read import load
from table.replay.verify import verify
from table.server.net.lines import LineDoor
from table.server.riichi.mjsonp import Handshake
from tests.server.serving import Served, plan_of


@pytest.fixture
def door() -> LineDoor:
    return LineDoor("127.0.0.1", 0, Handshake())


def played(door: LineDoor, *programs: Program) -> None:
    threads = [threading.Thread(target=one.play, daemon=True) for one in programs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()


@contextmanager
def visit(door: LineDoor, line: bytes) -> Iterator[list[Any]]:
    """What the server says to a first line, to its end or to its silence."""
    with socket.create_connection(("127.0.0.1", door.port), 30) as sock:
        sock.sendall(line)
        came = sock.makefile("rb")
        assert json.loads(came.readline())["type"] == "hello"
        yield [json.loads(line) for line in came]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"hi\n", "JSON syntax error: “hi” is not JSON"),
        (b"[1]\n", "Expected e.g."),
        (b'"join"\n', "Expected e.g."),
        (b'{"type":"none"}\n', "Expected e.g."),
        (b'{"type":"join","room":"default"}\n', "Expected e.g."),
        (b'{"type":"join","name":"","room":"default"}\n', "Expected e.g."),
        (b'{"type":"join","name":3,"room":"default"}\n', "Expected e.g."),
        (b'{"type":"join","name":"a"}\n', "Expected e.g."),
        (
            b'{"type":"join","name":"a","room":"other","token":"secret"}\n',
            "room other: there is none; allowed are default",
        ),
        (b'{"type":"join","name":"a","room":"../x"}\n', "there is no /play/../x"),
        (b'{"type":"join","name":"a","room":"default","token":"no"}\n', "token: it is not that of room default"),
        (b'{"type":"join","name":"' + b"a" * 20_000 + b'","room":"default"}\n', "a line of more than 16384 bytes"),
    ],
)
def test_who_is_not_let_in_is_told_why(door: LineDoor, tmp_path: Path, line: bytes, why: str) -> None:
    with Served(plan_of(tmp_path), doors=[door], rooms=("default",), token="secret"), visit(door, line) as (error,):
        assert error["type"] == "error" and error["message"].startswith(why), error


def test_who_comes_to_a_full_room_is_told_so(door: LineDoor, tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, "ws,tsumogiri,tsumogiri,tsumogiri"), doors=[door]):
        first = Program(door.port, "a")
        assert next(first.heard())["type"] == "start_game"
        with visit(door, b'{"type":"join","name":"a","room":"default"}\n') as (error,):
            assert error["message"].startswith("room default is playing")
        first.close()


def test_a_port_that_is_taken_is_named(door: LineDoor, tmp_path: Path) -> None:
    with (
        Served(plan_of(tmp_path), doors=[door]),
        pytest.raises(BadInput, match=f"127.0.0.1:{door.port} cannot be used"),
    ):
        LineDoor("127.0.0.1", door.port, Handshake())


def test_four_programs_of_one_name_play_a_game(door: LineDoor, tmp_path: Path) -> None:
    """Written from the protocol alone, they share no code with the server; what comes out of lock step they lose."""
    with Served(plan_of(tmp_path, "ws,ws,ws,ws"), doors=[door]) as served:
        programs = [Program(door.port, "manue", seed=seed) for seed in range(4)]
        played(door, *programs)
        outcome = served.outcome()
    assert sorted(outcome.names) == ["manue", "manue-2", "manue-3", "manue-4"] and not any(outcome.faults)
    assert {"dahai", "none"} <= set(programs[0].played)
    assert sorted(programs[0].scores) == sorted(outcome.scores)
    record = load(Path(outcome.records[-1]))
    assert record.rules is not None and verify(record, record.rules).difference is None
