"""The three self-tests of §11, what real clients need of the handshake (§12.1), and plain HTTP."""

import socket
import urllib.error
import urllib.request

import pytest

from tests.daifugo.rooms.guests import PATIENCE, Client, House, house_of
from tests.daifugo.test_neof5 import WHOLE
from tests.daifugo.walk import rules

STRICT = rules("A")


def test_test_1_greets_and_sends_every_object_back() -> None:
    """§11 TEST 1."""
    with house_of(STRICT) as house, house.guest("/test/connection?name=%E7%8C%AB") as guest:
        hello = guest.next()
        assert hello["Kind"] == "ConnectionTest" and hello["YourName"] == "猫"
        assert hello["Message"].startswith("Congratulations!! You have successfully WebSocket connection. The current")
        guest.say({"Kind": "Put", "Cards": "S3", "Deep": {"a": [1]}})
        greeting = {"Kind": "ConnectionTest", "Message": "Hello 猫", "YourName": "猫"}
        assert guest.next() == {"Cards": "S3", "Deep": {"a": [1]}, **greeting}
        guest.say("{")
        assert guest.next()["Kind"] == "ConnectionTest"


@pytest.mark.parametrize("path", ["/test/connection", "/test/ruletest/RT0001", "/test/practice/P0001?name="])
def test_a_self_test_needs_a_name(path: str) -> None:
    """§11."""
    with house_of(STRICT) as house, house.guest(path) as guest:
        assert guest.next()["Message"] == "URL Parameter 'name' is not specified."
        assert guest.closed()[0] == 1000


def test_test_1_closes_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """§11: after 60 s."""
    monkeypatch.setattr("jantaku.table.daifugo.rooms.server.CONNECTION_SECONDS", 0.05)
    with house_of(STRICT) as house, house.guest("/test/connection?name=a") as guest:
        assert guest.closed()[0] == 1000


def test_test_2_is_the_fixed_deal_with_its_scripted_opponents() -> None:
    """§11 TEST 2: the answers there give the history there; every wrong answer is refused on the way."""
    answers = ["S7", "", "H5 S5", "", "", "D6", "", "", "C4", "C3", "C7", "D8", "CJ", "DQ", "CK"]
    wrong = [["C3", "C7 S7"], ["CK"], ["C3 C4", "S7"], ["S7 C7"], ["CK"], [""], ["CK"], ["CK"], ["CK"]]
    with house_of(STRICT) as house, house.guest("/test/ruletest/RT0001?name=me") as me:
        for turn, answer in enumerate(answers):
            asked = me.until("ProcessTurn")
            for play in wrong[turn] if turn < len(wrong) else []:
                assert me.refused({"Kind": "Put", "Cards": play})
            assert asked["YourNum"] == 0
            me.put(answer)
        end = me.until("Finish")
    assert " ".join(end["History"]) == WHOLE
    assert [(info["OrderOfFinish"], info["Ranking"]) for info in end["PlayerInfo"]] == [(2, 0), (3, -2), (1, 2)]


def test_test_3_is_a_round_against_three_computer_players() -> None:
    """§11 TEST 3."""
    with house_of(STRICT) as house:
        client = Client(house.url("/test/practice/P0001?name=me&class=B"), rules("B")).started()
        assert client.finished.acquire(timeout=PATIENCE)
        last = client.heard[-1]
    assert [info.name for info in last.player_info] == ["me", "COM1", "COM2", "COM3"]  # type: ignore[union-attr]
    assert client.exceptions == []


@pytest.mark.parametrize("path", ["/test/ruletest/RT1", "/test/practice/P00001", "/test/other"])
def test_a_self_test_room_has_four_digits(path: str) -> None:
    with house_of(STRICT) as house, house.guest(f"{path}?name=a") as guest:
        assert guest.next()["Kind"] == "Exception"


def handshake(house: House, *headers: str) -> str:
    with socket.create_connection(("127.0.0.1", house.server.port), timeout=PATIENCE) as plain:
        lines = ["GET /play/A/A-01?name=old HTTP/1.1", "Host: 127.0.0.1", *headers, "", ""]
        plain.sendall("\r\n".join(lines).encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += plain.recv(4096)
    return answer.partition(b"\r\n\r\n")[0].decode()  # a ping may be behind it


def test_an_empty_extensions_header_is_borne_and_nothing_is_compressed() -> None:
    """§12.1: the header of a real client, which breaks on permessage-deflate."""
    upgrade = ["Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="]
    upgrade += ["Sec-WebSocket-Version: 13", "Origin: http://origin"]
    with house_of(STRICT) as house:
        for extensions in ("", "permessage-deflate"):
            answer = handshake(house, *upgrade, f"Sec-WebSocket-Extensions: {extensions}")
            assert answer.startswith("HTTP/1.1 101")
            assert "extensions" not in answer.lower()


def test_plain_http_on_these_routes_gets_400() -> None:
    """§2.1."""
    with house_of(STRICT) as house:
        url = f"http://127.0.0.1:{house.server.port}"
        with pytest.raises(urllib.error.HTTPError, match="400"):
            urllib.request.urlopen(f"{url}/play/A/A-01?name=a", timeout=PATIENCE)
        with urllib.request.urlopen(f"{url}/watch/A-01", timeout=PATIENCE) as page:
            assert page.headers["Content-Type"] == "text/html; charset=utf-8"
            assert b"<title>" in page.read()
