"""What a request says about itself: nonsense, names that are not ours, and where it comes from."""

import socket

import pytest

from jantaku.table.serve.net.admission import one_household
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.web import WebServer
from tests.kit.cases import cases, kept_cases
from tests.kit.pace import SOON
from tests.serve.test_web import House, serving

WEBSOCKET = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")
VERSION = "Sec-WebSocket-Version: 13"


def status(server: WebServer, first: str, *headers: str) -> int:
    with socket.create_connection(("127.0.0.1", server.port), SOON) as sock:
        sock.sendall("\r\n".join([first, *headers, "", ""]).encode())
        return int(sock.recv(100).split()[1])


@cases(
    "first, headers",
    ("GET //[ HTTP/1.1", ["Host: localhost"]),
    ("GET / HTTP/1.1", ["Host: localhost", "Origin: http://[", *WEBSOCKET, VERSION]),
    ("GET / HTTP/1.1", ["Host: ["]),
    ("GET / HTTP/1.1", ["Host: localhost", "Host: localhost", *WEBSOCKET, VERSION]),
    ("GET / HTTP/1.1", ["Host: localhost", "Upgrade: websocket", *WEBSOCKET, VERSION]),
    ("GET / HTTP/1.1", ["Host: localhost", "Origin: http://localhost", "Origin: http://b", *WEBSOCKET, VERSION]),
    ("GET / HTTP/1.1", ["Host: localhost", *WEBSOCKET, VERSION, VERSION]),
    ("GET / HTTP/1.1", ["Host: localhost", *WEBSOCKET, "Sec-WebSocket-Key: x", VERSION]),
    ("POST / HTTP/1.1", ["Host: localhost", "Content-Length: 0"]),
    ("\x00\x01\x02", []),
    ids=["path", "origin", "host", "hosts", "upgrades", "origins", "versions", "keys", "post", "noise"],
)
def test_a_request_that_cannot_be_read_is_400_and_a_line_at_most(
    first: str, headers: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(origins=()) as (server, _, _):
        assert status(server, first, *headers) == 400
    told = capsys.readouterr().err
    assert "Traceback" not in told and told.count("\n") <= 1


def test_strangers_do_not_fill_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    with serving() as (server, _, _):
        for _ in range(60):
            assert status(server, "GET //[?token=SECRET HTTP/1.1", "Host: localhost") == 400
    told = capsys.readouterr().err
    assert 0 < told.count("bad request") < 25 and "SECRET" not in told


@pytest.mark.parametrize("path", ["/", "/rooms", "/record/0", "/watch/r", "/play/r"])
@pytest.mark.parametrize("upgrade", [(), (*WEBSOCKET, VERSION)], ids=["page", "websocket"])
def test_a_name_that_we_do_not_have_is_refused(path: str, upgrade: tuple[str, ...]) -> None:
    """DNS rebinding: a stranger lets his name point at this machine, and his page has the origin it connects to."""
    with serving() as (server, _, _):
        host = f"evil.example:{server.port}"
        origin = (f"Origin: http://{host}",) if upgrade else ()
        assert status(server, f"GET {path} HTTP/1.1", f"Host: {host}", *origin, *upgrade) == 403


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]:80", "10.1.2.3:99", "LOCALHOST", socket.gethostname()])
def test_addresses_and_our_own_names_are_ours(host: str) -> None:
    with serving() as (server, _, _):
        assert status(server, "GET / HTTP/1.1", f"Host: {host}", *WEBSOCKET, VERSION) == 101


def test_names_that_the_operator_gave_are_ours() -> None:
    with serving(hosts=("Table.example",), origins=("https://friend.example",)) as (server, _, _):
        for host in ("table.example", "friend.example:8443"):
            headers = [f"Host: {host}", *WEBSOCKET, VERSION]
            assert status(server, "GET / HTTP/1.1", *headers) == 101
            assert status(server, "GET / HTTP/1.1", *headers, f"Origin: https://{host}") == 101


@pytest.mark.parametrize(("trusted", "address"), [(True, "203.0.113.9"), (False, "127.0.0.1")])
def test_a_proxy_is_believed_only_where_there_is_one(trusted: bool, address: str) -> None:
    house = House()
    with serving_behind(house, trusted) as server:
        told = ["X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: 192.0.2.2, 203.0.113.9"]
        assert status(server, "GET / HTTP/1.1", "Host: localhost", *told, *WEBSOCKET, VERSION) == 101
        assert house.guests.get(timeout=SOON).arrival.address == address


def serving_behind(house: House, trusted: bool) -> WebServer:
    return WebServer(house.welcome, {}, "127.0.0.1", 0, Limits(forwarded=trusted))


@kept_cases("address, counted")
def test_a_network_of_ipv6_is_counted_as_one_address(address: str, counted: str) -> None:
    assert one_household(address) == counted
