"""What comes to net play's own port that no client of it says: refused, in few lines of ours, and nothing is kept."""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path

import msgspec
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from jantaku.table.serve.net.limits import Allowance
from jantaku.table.serve.netplay import lobby, sockets
from jantaku.table.serve.netplay.game import User, written_anew
from scripts.pace import SOON
from tests.serve.netplaying import NetplayHouse, netplay_in
from tests.serve.serving import WATCHED
from tests.serve.test_netplay import owner_of

PATH = "/server/socket.io/?EIO=4&transport="
JUNK = (
    *("4", "49", "4x", "42", "42[", "42{}", "42[]", '42["GAME",' + "[" * 5000, '44{"message":1}', "7", "9", "bAAAA"),
    *("\0", "x", "", "43[]", "40/x,", "6", "0{}", "42" + "9" * 50 + '["ROOM"]', "\x1b]0;PWNED\x07", "40"),
    *('4510000000000-["GAME"]', '459999999-["GAME",{"_placeholder":true,"num":0}]', '461-1["GAME"]', b"\x04abc"),
)
"""Packets after the first, which has asked for a connection already."""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[NetplayHouse]:
    """A server of few messages."""
    monkeypatch.setattr(sockets, "_LINES", Allowance(5, 0.0))
    with netplay_in(tmp_path / "rec", limits=msgspec.structs.replace(WATCHED, burst=30, rate=0.0)) as house:
        yield house


@contextmanager
def raw(house: NetplayHouse) -> Iterator[ClientConnection]:
    """The connection of a user, which may say anything."""
    cookie = house.post("/auth/", name="m", passwd="x")[1]
    url = f"ws://127.0.0.1:{house.server.port}{PATH}websocket"
    with connect(url, compression=None, additional_headers={"Cookie": f"MAJIANG={cookie}"}) as line:
        line.send("40")
        while not str(line.recv(SOON)).startswith('42["HELLO"'):
            pass
        yield line


def is_sent_away(line: ClientConnection) -> str:
    """Why, once it is."""
    try:
        while True:
            line.recv(SOON)
    except ConnectionClosed:
        return line.close_reason or ""


def request(house: NetplayHouse, method: str, path: str, body: str = "", **headers: str) -> tuple[int, str]:
    with closing(HTTPConnection("127.0.0.1", house.server.port, timeout=SOON)) as connection:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def sessions_of(house: NetplayHouse) -> int:
    return len(house.server._sockets._engine.sockets)


def test_every_packet_that_no_client_says_ends_its_connection_in_five_lines_of_ours(
    house: NetplayHouse, capfd: pytest.CaptureFixture[str]
) -> None:
    honest = house.log_in("honest")
    for junk in JUNK:
        with raw(house) as line:
            line.send(junk)
            why = is_sent_away(line)
            assert why == sockets._NONSENSE or junk == "40", (junk, why)
    honest.say("ROOM", "r")
    assert honest.until("ROOM")[0]["room_no"] == "r"
    assert sessions_of(house) == 1 and not house.server._sockets._server._binary_packet
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == 5 and all("refused at net play" in line and sockets._NONSENSE in line for line in lines)


def test_what_is_read_is_written_anew_and_what_is_no_event_of_ours_is_nothing() -> None:
    assert written_anew('42 ["ROOM"]') is None and written_anew("2probe", by_websocket=False) is None
    assert written_anew('427[ "GAME", {"seq" :1}]') == '427["GAME", {"seq": 1}]'
    assert written_anew('40{"token":1}') == "40" and written_anew('42["ROOM","\\ud800"]') == '42["ROOM", "\\ud800"]'
    assert {written_anew(f'42["{name}"]') for name in ("connect", "disconnect", "FLY", "__init__")} == {""}


@pytest.mark.parametrize("packet", ["3", '42["FLY"]', '42["ROOM","x","y"]', '42["GAME",{"seq":99}]'])
def test_every_packet_counts_but_a_reply_that_is_waited_for(house: NetplayHouse, packet: str) -> None:
    with raw(house) as line:
        with suppress(ConnectionClosed):  # the server may close it before the last of them is sent
            for _ in range(40):
                line.send(packet)
        assert is_sent_away(line) == "more than 0 messages a second"


def test_replies_count_for_nothing(house: NetplayHouse) -> None:
    owner, number = owner_of(house)
    owner.say("START", number, {}, None)
    assert len([one for one in owner.play() if "seq" in one]) > 30


@pytest.mark.parametrize("body", ["bAAAA", "x", '451-["GAME",{"_placeholder":true,"num":0}]', "2probe", "3\x1e" * 20])
def test_a_poll_that_brings_what_no_client_says_ends_its_session(house: NetplayHouse, body: str) -> None:
    session = json.loads(request(house, "GET", f"{PATH}polling")[1][1:])["sid"]
    assert request(house, "POST", f"{PATH}polling&sid={session}", body)[0] == HTTPStatus.BAD_REQUEST
    assert sessions_of(house) == 0
    assert "Invalid session" in request(house, "GET", f"{PATH}polling&sid={session}")[1]


def test_sessions_that_ask_for_nothing_give_way_to_those_who_come(house: NetplayHouse) -> None:
    for _ in range(3 * WATCHED.opening_per_address):
        request(house, "GET", f"{PATH}polling")
    honest = house.log_in("honest")
    assert honest.hears("HELLO") and sessions_of(house) <= WATCHED.opening_per_address + 1


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("name=a&passwd=b", "application/x-www-form-urlencoded; charset=nope"),
        ("--x", "multipart/form-data"),
        ("--x", "multipart/form-data; boundary=x"),
        ("name=%ff&passwd=b", "application/x-www-form-urlencoded"),
        ("name=a&passwd=b" + "&x=1" * 100, "application/x-www-form-urlencoded"),
    ],
)
def test_a_login_that_cannot_be_read_is_refused_in_a_word_and_a_line(
    house: NetplayHouse, body: str, kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    status, told = request(house, "POST", "/server/auth/", body, **{"Content-Type": kind})
    assert status == HTTPStatus.BAD_REQUEST and told.startswith("a login is a form")
    (line,) = capfd.readouterr().err.splitlines()
    assert "a login is a form" in line


def test_a_session_that_there_is_not_leaves_no_escape_sequence_in_the_log(
    house: NetplayHouse, capfd: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        assert request(house, "GET", f"{PATH}polling&sid=%1b]0;PWNED%07%1b[2J")[0] == HTTPStatus.BAD_REQUEST
    assert capfd.readouterr().err == ""


def test_what_fails_here_is_said_by_its_kind_and_place(
    house: NetplayHouse, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = house.server._lobby.room

    def fail_at_x(user: User, number: object = None, uid: object = None) -> None:
        if number == "x":
            raise ValueError("\x1b[2J what somebody said")
        room(user, number, uid)

    monkeypatch.setattr(house.server._lobby, "room", fail_at_x)
    client = house.log_in("a")
    for number in "xr":
        client.say("ROOM", number)
    assert client.until("ROOM")[0]["room_no"] == "r"
    (line,) = capfd.readouterr().err.splitlines()
    assert "defect of the server" in line and "ValueError" in line and "test_netplay_packets.py:" in line
    assert "said" not in line


def test_logins_without_a_connection_keep_nobody_out_and_are_forgotten(
    house: NetplayHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "KEPT", -1.0)
    kept = house.log_in("kept")
    for _ in range(WATCHED.connections + lobby.ABSENT + 10):
        user = house.server._lobby.log_in("idle", "127.0.0.1")
    assert len(house.server._lobby._users) == lobby.ABSENT + 1
    assert house.server._lobby.user_of(user.token) is user
    house.server._lobby.forget()
    assert [one.name for one in house.server._lobby._users.values()] == ["kept"]
    kept.say("ROOM", "r")
    assert kept.until("ROOM") and house.log_in("late").hears("HELLO")


def test_a_reply_with_half_a_character_is_malformed_and_answers_its_question(house: NetplayHouse) -> None:
    owner, number = owner_of(house)
    owner.say("START", number, {}, None)
    turns = (one for one in iter(lambda: owner.until("GAME")[0], None) if "seq" in one)
    seat = -1
    for told in turns:
        if "qipai" in told:
            seat = next(seat for seat, hand in enumerate(told["qipai"]["shoupai"]) if hand)
        mine = "zimo" in told and told["zimo"]["l"] == seat
        owner.say("GAME", {"seq": told["seq"], **({"dapai": "\ud800"} if mine else {})})
        if mine:
            break
    owner.play()
    ending = house.reports.get(timeout=SOON)
    assert {"malformed": 1} in ending.faults
