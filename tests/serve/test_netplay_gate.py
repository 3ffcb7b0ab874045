"""The limits of net play's own port: connections that ask nothing, that stop in the middle, and too many of them."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from pathlib import Path

import msgspec
import pytest

from jantaku.table.serve.netplay import sockets
from scripts.pace import SOON, UNIT
from tests.serve.netplaying import NetplayHouse, netplay_in
from tests.serve.serving import WATCHED

FEW = msgspec.structs.replace(WATCHED, opening=4, opening_per_address=4, connections=2)
LOGIN = b"POST /server/auth/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[NetplayHouse]:
    """A server that takes few connections."""
    with netplay_in(tmp_path / "rec", limits=FEW) as house:
        yield house


@contextmanager
def visit(house: NetplayHouse, said: bytes = b"") -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", house.server.port), SOON) as line:
        line.sendall(said)
        yield line


def test_who_asks_nothing_is_dropped_for_who_comes_next(house: NetplayHouse) -> None:
    with ExitStack() as stack:
        silent = [stack.enter_context(visit(house)) for _ in range(12)]
        assert house.post("/auth/", name="a", passwd="*")[0] == HTTPStatus.FOUND
        assert [line.recv(1) for line in silent[:8]] == [b""] * 8


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHo", LOGIN + b"Content-Length: 30\r\n\r\nname="])
def test_who_stops_in_the_middle_is_dropped(house: NetplayHouse, monkeypatch: pytest.MonkeyPatch, said: bytes) -> None:
    monkeypatch.setattr(sockets, "OPENING", UNIT)
    with visit(house, said) as line:
        began = time.monotonic()
        told = line.recv(4096)
        assert not told or told.startswith(b"HTTP/1.1 408 ")
        assert time.monotonic() - began < SOON


def test_who_comes_when_there_are_too_many_is_told_so_and_let_in_when_one_has_left(house: NetplayHouse) -> None:
    users = [house.log_in(name) for name in "ab"]
    assert all(user.hears("HELLO") for user in users)
    assert house.post("/auth/", name="c", passwd="*") == (HTTPStatus.SERVICE_UNAVAILABLE, "")
    users[0].break_off()
    until = time.monotonic() + SOON
    while (status := house.post("/auth/", name="c", passwd="*")[0]) != HTTPStatus.FOUND:
        assert status == HTTPStatus.SERVICE_UNAVAILABLE and time.monotonic() < until
