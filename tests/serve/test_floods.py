"""Connections in numbers that nobody serves: those who say something are served all the same."""

import contextlib
import errno
import resource
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.ground.errors import TableFault
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.tls import context_of
from jantaku.table.serve.net.web import WebServer
from tests.kit.pace import SOON
from tests.serve.serving import Client
from tests.serve.test_web import House, serving

TLS = Path(__file__).parent.parent / "data" / "tls"


@contextlib.contextmanager
def silent(port: int, count: int) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(count)]


def test_silent_connections_make_room_for_one_that_speaks() -> None:
    with serving(opening=8, opening_per_address=8) as (server, _, address), silent(server.port, 60):
        Client(address).close()


def test_the_oldest_silent_connection_is_dropped_and_the_youngest_stays() -> None:
    with serving(opening=2) as (server, _, _), silent(server.port, 3) as (first, second, third):
        first.settimeout(SOON)
        with contextlib.suppress(ConnectionResetError):
            assert first.recv(1) == b""
        for other in (second, third):
            other.setblocking(False)
            with pytest.raises(BlockingIOError):
                other.recv(1)


def test_an_address_with_many_silent_connections_loses_its_own() -> None:
    with serving(opening=10, opening_per_address=2) as (server, _, _), contextlib.ExitStack() as stack:
        other = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), None, ("127.0.0.2", 0)))
        stack.enter_context(silent(server.port, 12))
        other.setblocking(False)
        with pytest.raises(BlockingIOError):
            other.recv(1)


class Failing:
    """A listening socket at which some connections cannot be taken."""

    def __init__(self, real: socket.socket, errors: list[int]) -> None:
        self._real, self._errors = real, errors

    def accept(self) -> Any:
        if self._errors:
            number = self._errors.pop(0)
            raise OSError(number, "no")
        return self._real.accept()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


def test_a_server_goes_on_when_the_system_has_no_file_for_a_connection(capsys: pytest.CaptureFixture[str]) -> None:
    errors = [errno.EMFILE, errno.EMFILE, errno.ENFILE, errno.ECONNABORTED, errno.ENOMEM, errno.EPROTO]
    server = WebServer(House().welcome, {}, "127.0.0.1", 0)
    server._socket = Failing(server._socket, errors)  # type: ignore[assignment]
    with server:
        Client(f"ws://127.0.0.1:{server.port}").close()
    assert errors == [] and capsys.readouterr().err.count("no room for another connection") == 1


def test_a_server_whose_loop_has_ended_says_so_to_who_waits_for_it() -> None:
    with serving() as (server, _, _):
        server.on_loop(server._loop.stop)
        with pytest.raises(TableFault, match="ended by itself"):
            server.wait(threading.Event())


@pytest.mark.parametrize("files", [64, 256, 1024, 65536])
def test_the_limits_fit_into_the_files_that_a_process_may_open(files: int) -> None:
    fitting = Limits().within(files)
    assert fitting.connections + fitting.watchers + fitting.opening <= max(8, files // 2)
    assert min(fitting.connections, fitting.watchers, fitting.opening) > 1
    assert (fitting == Limits()) is (files >= 1024)


def test_that_few_connections_fit_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda which: (64, 64))
    with serving():
        pass
    assert "ulimit -n" in capsys.readouterr().err


def test_who_looks_on_takes_no_players_place() -> None:
    with serving(connections=1, watchers=2) as (_, _house, address), contextlib.ExitStack() as stack:
        for _ in range(2):
            stack.callback(Client(f"{address}/watch/r").close)
        stack.callback(Client(f"{address}/play/r").close)
        for path in ("/watch/r", "/monitor/r", "/play/r"):
            with pytest.raises(Exception, match="503"):
                Client(address + path)


def test_a_flood_of_tiny_frames_ends_its_connection_and_holds_up_nobody() -> None:
    with serving(burst=50, rate=0.0) as (_server, house, address):
        honest = Client(address)
        house.guests.get(timeout=SOON)
        for frame in (b"\x89\x80\0\0\0\0", b"\x01\x80\0\0\0\0", b"\x81\x80\0\0\0\0"):
            flood = Client(address)
            guest = house.guests.get(timeout=SOON)
            with contextlib.suppress(OSError):
                flood.connection.socket.sendall(frame * 100_000)
            assert guest.left.get(timeout=SOON)
            honest.connection.send("due")
            assert honest.connection.recv(SOON) == "due"
            flood.close()
        honest.close()


def test_a_server_with_a_certificate_speaks_tls_and_silence_there_is_cut_off_too() -> None:
    ours = context_of(TLS / "cert.pem", TLS / "key.pem")
    theirs = ssl.create_default_context(cafile=str(TLS / "cert.pem"))
    house = House()
    with WebServer(house.welcome, {}, "127.0.0.1", 0, Limits(opening=4), tls=ours) as server, silent(server.port, 20):
        client = Client(f"wss://127.0.0.1:{server.port}", ssl=theirs)
        client.connection.send("due")
        assert client.connection.recv(SOON) == "due"
        client.close()
        assert house.guests.get(timeout=SOON).left.get(timeout=SOON)
