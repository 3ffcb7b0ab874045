"""Who is refused at a door is told to the operator in one line: pages of other sites, tokens, TLS where none is
spoken."""

import base64
import json
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from jantaku.table.serve.net import limits as bounds
from jantaku.table.serve.net.admission import token_of
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.line_door import LineDoor
from jantaku.table.serve.net.refusals import Refusals
from jantaku.table.serve.net.tls import context_of
from jantaku.table.serve.net.web import WebServer
from jantaku.table.serve.riichi.mjsonp import Handshake
from scripts.serving import Serving
from tests.daifugo.rooms.guests import SHORT, house_of
from tests.kit.cases import cases, kept_cases
from tests.kit.command import Jantaku
from tests.kit.pace import SOON
from tests.serve.serving import Client, Drawer, Served, plan_of
from tests.serve.test_admission import VERSION, WEBSOCKET, status
from tests.serve.test_web import House, refused, serving


def told(capsys: pytest.CaptureFixture[str]) -> str:
    (line,) = capsys.readouterr().err.splitlines()
    return line


@kept_cases("origin, admit", ("http://" + "a" * 3000, ""))
def test_a_page_of_another_site_is_told_the_option(capsys: pytest.CaptureFixture[str], origin: str, admit: str) -> None:
    with serving(origins=(), has_options=True) as (_, _, address):
        assert refused(f"{address}/play/r?token=SECRET", Origin=origin) == 403
    line = told(capsys)
    assert "refused" in line and "of=127.0.0.1" in line and "path=/play/r" in line
    assert f"pages of '{origin[:60]}' may not connect here" in line and "SECRET" not in line and len(line) < 400
    assert f"admit='{admit}'" in line if admit else "admit" not in line


def test_a_placeholder_of_a_library_is_no_page_and_no_name_of_ours(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(origins=(), placeholders=("http://origin",)) as (server, _, address):
        Client(address, Origin="http://origin").close()
        for other in ("http://origin:80", "https://origin", "http://origin.example", "http://Origin"):
            assert refused(address, Origin=other) == 403
        assert status(server, "GET / HTTP/1.1", "Host: origin", *WEBSOCKET, VERSION) == 403
    assert capsys.readouterr().err.count("refused") == 5


def test_where_no_option_of_a_command_sets_the_limits_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(origins=()) as (_, _, address):
        assert refused(address, Origin="http://friend.example") == 403
    assert "admit" not in told(capsys)


def test_a_name_that_is_not_ours_is_told_with_the_option_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(has_options=True) as (server, _, _):
        assert status(server, "GET /play/r HTTP/1.1", "Host: table.example:80", *WEBSOCKET, VERSION) == 403
        assert "--hostname table.example" in told(capsys)
        assert status(server, "GET /play/r HTTP/1.1", "Host: a;b", *WEBSOCKET, VERSION) == 403
        line = told(capsys)
        assert "this server has no name" in line and "admit" not in line


@cases(
    "limits, path, option",
    ({"connections": 1}, "/play/r", "--max-connections"),
    ({"watchers": 1}, "/watch/r", "--max-watchers"),
    ({"per_address": 1}, "/play/r", "--max-per-address"),
)
def test_that_there_are_too_many_is_told_with_the_option_for_it(
    capsys: pytest.CaptureFixture[str], limits: dict[str, int], path: str, option: str
) -> None:
    with serving(has_options=True, **limits) as (_, house, address):
        first = Client(address + path)
        house.guests.get(timeout=SOON)
        assert refused(address + path) == 503
        first.close()
    line = told(capsys)
    assert "too many connections" in line and f"admit={option}" in line


@cases(
    "path, why",
    ("/play/r?name=a&token=WRONG", "token: wrong for room r"),
    ("/play/other?name=a&token=secret", "room other: there is none"),
    ("/nowhere", "there is no /nowhere; allowed are"),
    ("/watch/r?token=WRONG", "token: not the operator"),
    ("/play/r?name=a&token=secret&dialect=x", "dialect"),
)
def test_who_is_refused_is_in_the_log(capsys: pytest.CaptureFixture[str], tmp_path: Path, path: str, why: str) -> None:
    with Served(plan_of(tmp_path), rooms=("r",), token="secret", operator_token="operator") as served:
        client = Client(served.at(path))
        assert client.farewell[1].startswith(why)
    line = told(capsys)
    assert "refused" in line and why in line and f"path={path.partition('?')[0]}" in line and "WRONG" not in line


def test_a_room_that_is_full_without_a_word_is_told_to_the_operator(capsys: pytest.CaptureFixture[str]) -> None:
    with house_of(SHORT) as house, house.guest("/play/A/R?name=a"), house.guest("/play/C/R?name=b") as late:
        late.closed()
    assert "class 'C' is unknown; allowed are A and B" in told(capsys)


@cases(
    "said, why",
    (b"hi\n", "JSON syntax error"),
    (b'{"type":"join","name":"a","room":"other","token":"secret"}\n', "room other: there is none"),
    (b'{"type":"join","name":"\\u001b[31ma","room":"\\u001b[31m","token":"secret"}\n', "room "),
)
def test_whom_the_port_of_the_original_mjai_refuses_the_log_has_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, said: bytes, why: str
) -> None:
    door = LineDoor("127.0.0.1", 0, Handshake())
    served = Served(plan_of(tmp_path), doors=[door], rooms=("default",), token="secret")
    with served, socket.create_connection(("127.0.0.1", door.port), SOON) as sock:
        sock.sendall(said)
        _, error = map(json.loads, sock.makefile("rb"))
        assert error["type"] == "error"
    line = told(capsys)
    assert "refused" in line and why in line and "\x1b[31m" not in line


def test_the_log_is_not_flooded_and_says_how_many_it_has_left_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    at: list[Any] = [0.0]
    monkeypatch.setattr(bounds, "now", lambda: at[0])
    refusals = Refusals()
    for _ in range(60):
        refusals.tell("192.0.2.1", "x" * 5000)
    at[0] = 10.0
    refusals.tell("192.0.2.1", "the last")
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 21 and "untold=40" in lines[-1] and max(map(len, lines)) < 400


SECRET = "op+ 鍵/=&"


def offer(token: str) -> str:
    return "jantaku.token." + base64.urlsafe_b64encode(token.encode()).decode().rstrip("=")


def test_a_header_goes_before_the_query() -> None:
    for headers in ({"Authorization": "Bearer op"}, {"Sec-WebSocket-Protocol": f"jantaku, {offer('op')}"}):
        assert token_of(Headers(headers), {"token": "other"}) == "op"
    assert token_of(Headers({"Sec-WebSocket-Protocol": offer(SECRET)}), {}) == SECRET
    assert token_of(Headers(), {"token": SECRET}) == SECRET
    assert token_of(Headers(), {}) == ""


@cases("text", "jantaku.token.", "jantaku.token.!", "jantaku.token.A", "jantaku.token._w", "a,,b", "")
def test_an_offer_that_cannot_be_read_is_no_token(text: str) -> None:
    assert token_of(Headers({"Sec-WebSocket-Protocol": text}), {}) == ""


def test_headers_that_come_twice_are_read_too() -> None:
    headers = Headers()
    headers["Sec-WebSocket-Protocol"] = "jantaku"
    headers["Sec-WebSocket-Protocol"] = offer("x")
    assert token_of(headers, {}) == "x"


def test_the_operator_may_say_the_token_in_either_header_and_a_wrong_one_is_refused(tmp_path: Path) -> None:
    with Served(plan_of(tmp_path), rooms=("r",), games=1, operator_token="op") as served:
        address = served.at("/watch/r")
        with connect(address, subprotocols=[Subprotocol("jantaku"), Subprotocol(offer("op"))]) as page:
            assert page.subprotocol == "jantaku"
        assert Client(address, Authorization="Bearer op").connection.subprotocol is None
        with (
            connect(address, subprotocols=[Subprotocol("jantaku"), Subprotocol(offer("wrong"))]) as stranger,
            pytest.raises(ConnectionClosed, match=r"1008.*operator"),
        ):
            stranger.recv()
        assert Client(address, Authorization="Bearer wrong").farewell[0] == 1008


TLS = Path(__file__).parent.parent / "data" / "tls"
PLAIN = "it does not use TLS; write ws:// (or http://) instead of wss:// (or https://)"
SECURE = "it uses TLS; write wss:// (or https://)"
NO_TLS_HERE = "a client speaks TLS, and this port does not"
TLS_HERE = "a client speaks no TLS, and this port does"


@contextmanager
def rooms(tls: ssl.SSLContext | None) -> Iterator[int]:
    with WebServer(House().welcome, {}, "127.0.0.1", 0, Limits(), tls=tls) as server:
        yield server.port


@cases(
    "address, speaks, hint, logged",
    ("wss://127.0.0.1:{}", False, PLAIN, NO_TLS_HERE),
    ("https://127.0.0.1:{}/club", False, PLAIN, NO_TLS_HERE),
    ("127.0.0.1:{}", True, SECURE, TLS_HERE),
    ("ws://127.0.0.1:{}/play/club", True, SECURE, TLS_HERE),
)
def test_who_writes_the_wrong_scheme_is_told_the_right_one_and_so_is_the_log(
    address: str, speaks: bool, hint: str, logged: str, jantaku: Jantaku
) -> None:
    tls = context_of(TLS / "cert.pem", TLS / "key.pem") if speaks else None
    with rooms(tls) as port:
        ran = jantaku("join", address.format(port), "--wait", "0")
    told, line = sorted(ran.err.splitlines(), key=lambda line: hint in line)
    assert ran.code == 2 and hint in line and logged in told


@pytest.mark.long
def test_no_token_is_in_the_log_of_any_level_or_in_a_record(tmp_path: Path) -> None:
    players = ("--players", "ws,tsumogiri,tsumogiri,tsumogiri", "--room", "r", "--length", "one")
    token = {"JANTAKU_TOKEN": "SECRET"}
    with Serving("--log", "debug", "serve", *players, "--out", "out", cwd=tmp_path, env=token) as served:
        for path in ("/watch/r?token=SECRET", "/play/r?name=b&token=wrongSECRET"):
            with suppress(ConnectionClosed, InvalidStatus):
                Client(served.at(path)).close()
        Drawer(served.at("/play/r?name=a&token=SECRET&key=SECRETkey")).join()
    seen = served.so_far()
    texts = [seen.out, seen.err, *(path.read_text("utf-8") for path in (tmp_path / "out").iterdir())]
    assert len(texts) > 2 and "refused" in seen.err and not any("SECRET" in text for text in texts)
