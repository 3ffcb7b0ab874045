"""Net play as majiang-server offers it: its lobby, its messages, and what happens to whoever leaves and comes back."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread

import msgspec
import pytest

from jantaku.table.play.outcome import Outcome
from jantaku.table.serve.net.limits import Allowance
from jantaku.table.serve.net.line import DelegatedVisitor
from jantaku.table.serve.net.web import Page
from jantaku.table.serve.netplay import game as messages
from jantaku.table.serve.netplay import game as user_game
from jantaku.table.serve.netplay.game import Playing, User
from scripts.pace import SOON, UNIT
from tests.serve.netplaying import NetplayClient, NetplayHouse, netplay_in
from tests.serve.serving import WATCHED

BOTS = "tsumogiri,tsumogiri,tsumogiri"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[NetplayHouse]:
    """A server whose visitors open rooms."""
    with netplay_in(tmp_path / "rec") as house:
        yield house


def outcome(house: NetplayHouse) -> Outcome:
    ending = house.reports.get(timeout=SOON)
    assert isinstance(ending, Outcome), ending
    return ending


def owner_of(house: NetplayHouse, name: str = "自分") -> tuple[NetplayClient, str]:
    """Who has opened a room, and its number."""
    owner = house.log_in(name)
    assert owner.hears("HELLO")[0]["name"] == name
    owner.say("ROOM")
    return owner, str(owner.hears("ROOM")[0]["room_no"])


def test_a_login_without_a_name_gets_no_cookie_and_no_connection_stays_without_one(house: NetplayHouse) -> None:
    for form in ({"name": "", "passwd": "*"}, {"name": "a"}, {}):
        assert house.post("/auth/", **form) == (HTTPStatus.FOUND, "")
    assert house.post("/auth/", name="x" * 29, passwd="*") == (HTTPStatus.BAD_REQUEST, "")
    assert house.post("/auth/hatena")[0] == house.post("/auth/google")[0] == HTTPStatus.NOT_FOUND
    stranger = NetplayClient(house, "no such thing")
    assert stranger.hears("HELLO") in ((None,), ())
    stranger.until("disconnect")


def test_an_owner_starts_a_game_and_bots_take_the_free_seats(
    house: NetplayHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(user_game, "COMING_BACK", 0.0)
    owner, number = owner_of(house)
    guest = house.log_in("b0")
    guest.say("ROOM", number)
    assert [user["name"] for user in guest.until("ROOM")[0]["user"]] == ["自分", "b0"]
    guest.say("START", number, {}, None)
    owner.say("START", number, {}, [5, 10, 1])
    guest.until("START")
    assert "players" in guest.hears("GAME")[0]
    told = guest.hears("GAME")[0]
    assert told["seq"] == 1 and told["timer"] and set(told["kaiju"]["player"]) > {"自分", "b0"}
    assert "jantaku" not in told["kaiju"]
    guest.say("GAME", {"seq": 1})
    owner.until("START")
    owner.play(until="qipai")
    guest.break_off()
    owner.say("GAME", {"seq": 2})
    heard = owner.play(until="jieju")
    numbers = [one["seq"] for one in heard if "seq" in one]
    assert numbers == list(range(3, 3 + len(numbers)))


def test_a_game_that_begins_before_its_seat_is_known_waits_with_its_first_message() -> None:
    """The last to sit down begins the game, in another thread: a reply that came too early was taken by nobody."""
    own = asyncio.new_event_loop()
    said, heard = list[str](), list[str]()
    user = User("a", "", lambda _, event, arguments: said.append(event), Allowance(1, 1))
    user.connection = "c"
    seat = Playing(user, "a", own, lambda one: None, lambda one: None)
    seat.line.say(b'{"kaiju": {}, "seq": 1}')
    own.run_until_complete(asyncio.sleep(0))
    assert said == [] and not seat.reply({"seq": 1})
    seat.sit_down(DelegatedVisitor(heard.append, lambda: None))
    assert said == ["GAME"] and seat.reply({"seq": 1}) and heard == ['{"seq":1}']
    assert not seat.reply({"seq": 0}), "no message is open"
    own.close()


def test_who_does_not_confirm_the_beginning_in_time_plays_all_the_same(
    house: NetplayHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(messages, "CONFIRMED", 0.0)
    monkeypatch.setattr(user_game, "GRACE", 0.0)
    owner, number = owner_of(house)
    owner.say("START", number, {}, None)
    while "qipai" not in (told := owner.until("GAME")[0]):
        pass
    owner.say("GAME", {"seq": told["seq"]})
    owner.play()
    assert outcome(house).faults == ({}, {}, {}, {})


def test_the_next_message_waits_for_the_reply_to_the_last(house: NetplayHouse) -> None:
    owner, number = owner_of(house)
    owner.say("START", number, {}, None)
    owner.play(until="kaiju")
    owner.say("GAME", {"seq": 99})
    owner.say("GAME", "nonsense")
    owner.say("GAME", {"seq": True})
    owner.say("ROOM")  # makes no sense in a game: ignored, as what came before it
    assert owner.events.empty()
    owner.say("GAME", {"seq": 1})
    assert owner.hears("GAME")[0]["seq"] == 2


def test_who_comes_back_gets_its_seat_and_the_kyoku_so_far(house: NetplayHouse) -> None:
    owner, number = owner_of(house)
    owner.say("START", number, {}, None)
    before = owner.play(until="dapai")
    twin = owner.again()
    assert twin.hears("HELLO") and twin.hears("ERROR") == ("既に接続済みです",)
    twin.until("disconnect")
    guest = house.log_in("late")
    guest.say("ROOM", number)
    assert guest.until("ERROR") == ("既に対局中です",)
    owner.break_off()
    back = owner.again()
    back.until("START")
    assert "players" in back.hears("GAME")[0]
    kaiju = back.hears("GAME")[0]
    assert "seq" not in kaiju and kaiju["kaiju"]["id"] == before[1]["kaiju"]["id"]
    (log,) = kaiju["kaiju"]["log"]
    assert "qipai" in log[0] and all("seq" not in one and "timer" not in one for one in log)
    assert sum(bool(hand) for hand in log[0]["qipai"]["shoupai"]) == 1, "others' hands are hidden"
    assert back.hears("GAME")[0]["seq"] == before[-1]["seq"], "what was open is asked once more"
    back.say("GAME", {"seq": before[-1]["seq"]})
    back.play()
    assert "自分" in outcome(house).names


def test_a_room_ends_with_its_owner_and_goes_on_without_a_guest(house: NetplayHouse) -> None:
    owner, number = owner_of(house)
    guest = house.log_in("b")
    guest.say("ROOM", number)
    uid = guest.until("ROOM")[0]["user"][1]["uid"]
    owner.say("ROOM", number, uid)
    assert guest.hears("HELLO")[0]["name"] == "b"
    guest.say("ROOM", number)
    guest.hears("ROOM")
    owner.say("ROOM", number, owner_uid(owner))
    assert guest.hears("HELLO")[0]["name"] == "b"
    guest.say("ROOM", number)
    assert guest.hears("ROOM")[0]["user"][0]["name"] == "b", "that room is gone: this one is new"


def owner_uid(owner: NetplayClient) -> str:
    return str(owner.until("ROOM")[0]["user"][0]["uid"])


def test_four_who_name_one_room_sit_down_at_once(tmp_path: Path) -> None:
    with netplay_in(tmp_path / "rec", rooms=("club",)) as house:
        clients = [house.log_in("same") for _ in range(4)]
        for client in clients:
            client.say("ROOM", "club")
        for client in clients:
            client.until("START")
        names = clients[0].play(until="kaiju")[-1]["kaiju"]["player"]
        assert sorted(names) == ["same", "same-2", "same-3", "same-4"]
        stranger = house.log_in("c")
        stranger.say("ROOM", "elsewhere")
        assert stranger.until("ERROR") == ("ルーム elsewhere は存在しません",)
        stranger.say("ROOM")
        assert "club" in stranger.until("ERROR")[0]


def test_who_heard_the_end_enters_the_room_again_while_others_still_look_at_it(tmp_path: Path) -> None:
    with netplay_in(tmp_path / "rec", "ws,ws,tsumogiri,tsumogiri", rooms=("club",)) as house:
        quick, slow = house.log_in("a"), house.log_in("b")
        for client in (quick, slow):
            client.say("ROOM", "club")
        looking = Thread(target=slow.play, kwargs={"until": "jieju"})
        looking.start()
        quick.play()
        looking.join()
        quick.say("ROOM", "club")
        assert [user["name"] for user in quick.hears("ROOM")[0]["user"]] == ["a"]


def test_a_server_that_ends_takes_the_logout_of_who_heard_the_end_and_waits_for_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jantaku.table.serve.netplay.server._GOODBYE", SOON)
    with netplay_in(tmp_path / "rec", f"ws,{BOTS}", rooms=("club",)) as house:
        client, idle = house.log_in("a"), house.log_in("b")
        client.say("ROOM", "club")
        client.play()
        ending = house.begin_to_close()
        monkeypatch.setattr(house.server, "_close", partial(asyncio.sleep, 0))  # it has ended when the block ends it
        assert house.post("/logout", cookie=client.cookie)[0] == HTTPStatus.FOUND
        ending.result(SOON / 2)
        idle.until("disconnect")
        with pytest.raises(ConnectionRefusedError):
            house.post("/auth/", name="c", passwd="*")


def test_only_who_navigates_is_sent_on_to_a_page_after_logging_out(house: NetplayHouse) -> None:
    for mode, status in {"navigate": HTTPStatus.FOUND, "cors": HTTPStatus.OK}.items():
        with closing(HTTPConnection("127.0.0.1", house.server.port, timeout=SOON)) as connection:
            headers = {"Cookie": f"MAJIANG={house.log_in(mode).cookie}", "Sec-Fetch-Mode": mode}
            connection.request("POST", "/server/logout", headers=headers)
            assert connection.getresponse().status == status


def test_pages_are_served_beside_it_and_by_its_own_name_only(tmp_path: Path) -> None:
    pages = {path: Page("text/plain", b"here") for path in ("/netplay.html", "/server/socket.io/socket.io.js")}
    with netplay_in(tmp_path / "rec", pages=pages) as house:
        assert all(get(house, path) == (HTTPStatus.OK, "here") for path in pages)
        assert get(house, "/%2e%2e/secret")[0] == HTTPStatus.NOT_FOUND
        assert get(house, "/netplay.html", host="evil.example")[0] == HTTPStatus.FORBIDDEN


def get(house: NetplayHouse, path: str, host: str = "127.0.0.1") -> tuple[int, str]:
    with closing(HTTPConnection("127.0.0.1", house.server.port, timeout=SOON)) as connection:
        connection.request("GET", path, headers={"Host": f"{host}:{house.server.port}"})
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


@pytest.mark.parametrize(("pong", "stays"), [(5 * UNIT, False), (SOON, True)])
def test_a_client_that_answers_no_ping_while_it_thinks_stays_as_long_as_a_pong_may_take(
    pong: float, stays: bool, tmp_path: Path
) -> None:
    limits = msgspec.structs.replace(WATCHED, ping=UNIT, pong=pong)
    with netplay_in(tmp_path / "rec", limits=limits) as house:
        owner = house.log_in("a")
        uid = owner.hears("HELLO")[0]["uid"]
        owner.say("ROOM")
        number = owner.hears("ROOM")[0]["room_no"]
        house.block(12 * UNIT)
        owner.say("ROOM", number, uid)  # it leaves its room
        assert (owner.next()[0] == "HELLO") is stays
