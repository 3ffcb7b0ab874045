"""What the pages are told of rooms, and what a page on which a person plays is told besides (§4.4, §13)."""

import msgspec
import pytest
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from jantaku.table.daifugo.rooms.notices import TOURNAMENT
from jantaku.table.daifugo.rooms.room import COPIES
from tests.daifugo.rooms.guests import PATIENCE, SHORT, Guest, House, Message, begun, house_of
from tests.daifugo.walk import rules
from tests.serve.test_refusals import offer

LONG = rules("A", game__seats="2", series__rounds="2")


def news(guest: Guest) -> Message:
    notice: Message = msgspec.json.decode(guest.connection.recv(timeout=PATIENCE))
    return notice


def until(guest: Guest, **wanted: object) -> Message:
    while True:
        notice = news(guest)
        if all(notice.get(name) == value for name, value in wanted.items()):
            return notice


def listed(house: House) -> dict[str, Message]:
    with house.guest("/rooms") as visitor:
        rooms: list[Message] = msgspec.json.decode(visitor.connection.recv(timeout=PATIENCE))
        return {room["room"]: room for room in rooms}


def test_the_list_shows_rooms_that_are_free_open_and_playing() -> None:
    with house_of(SHORT) as house:
        assert {name: room["state"] for name, room in listed(house).items()} == dict.fromkeys(TOURNAMENT, "free")
        with house.guest("/play/A/A-02?name=a"), house.guest("/play/B/R?name=b") as b:
            house.seated("A-02", 1)
            b.say({"Kind": "Start"})
            b.until("Thinking")
            rooms = listed(house)
            assert (rooms["A-02"]["state"], rooms["A-02"]["players"]) == ("open", ["a"])
            assert (rooms["R"]["state"], rooms["R"]["letter"], rooms["R"]["players"]) == ("playing", "B", ["b", "COM1"])
            assert rooms["A-01"] == {"room": "A-01", "letter": "A", "state": "free"}
            with house.guest("/test/practice/P0001?name=x") as x:
                x.until("Start")
                assert "P0001" not in listed(house)


def test_a_room_tells_who_is_there_and_the_standings_of_its_series() -> None:
    with house_of(LONG) as house, house.guest("/play/A/R?name=a") as a, house.guest("/rooms/R") as page:
        assert until(page, state="open")["players"] == ["a"]
        with house.guest("/play/A/R?name=b") as b:
            first, _ = begun(house, a, b)
            assert until(page, round=1)["rounds"] == 2
        away = until(page, players=[f"{name}(離脱)" if guest is b else name for name, guest in (("a", a), ("b", b))])
        assert away["state"] == "playing" and "standings" not in away
        if first is a:
            a.put(a.heard[-1]["Deck"].split()[0])
        ends = [a.play_on()["PlayerInfo"] for _ in range(2)]
        over = until(page, state="over")
        ranks = [[info["Ranking"] for info in end] for end in ends]
        assert [row["times"] for row in over["standings"]] == [
            [sum(rank[seat] == of for rank in ranks) for of in (2, 1, 0, -1, -2)] for seat in range(2)
        ]
        places = [[info["OrderOfFinish"] for info in end] for end in ends]
        points = [[{1: 5, 2: 0}[place[seat]] for place in places] for seat in range(2)]
        assert [(row["total"], row["last"]) for row in over["standings"]] == [(sum(own), own[-1]) for own in points]


def test_a_room_that_is_not_there_is_told_to_be_free() -> None:
    with house_of(SHORT) as house:
        with house.guest("/rooms/A-03") as page:
            assert page.next() == {"room": "A-03", "letter": "A", "state": "free"}
            assert page.closed()[0] == 1000
        with house.guest("/rooms/a_b") as page:
            assert page.next()["Message"].startswith("room 'a_b' is not a valid name")


def test_copies_of_a_program_are_numbered() -> None:
    """Three of one name, one agent and one address all get a seat."""
    three, long = rules("A", game__seats="3"), "x" * 32
    for name, shown in (("a", ["a", "a (2)", "a (3)"]), (long, [long, f"{'x' * 28} (2)", f"{'x' * 28} (3)"])):
        with house_of(three) as house, house.guest(f"/play/A/R?name={name}") as a:
            house.seated("R", 1)
            with house.guest(f"/play/A/R?name={name}"), house.guest(f"/play/A/R?name={name}"):
                assert [info["Name"] for info in a.until("Start")["PlayerInfo"]] == shown


def test_a_computer_player_has_no_name_of_a_visitor() -> None:
    with house_of(SHORT) as house, house.guest("/play/A/R?name=COM1") as a:
        a.say({"Kind": "Start"})
        assert [info["Name"] for info in a.until("Start")["PlayerInfo"]] == ["COM1", "COM1 (2)"]


def test_one_of_several_copies_gets_its_seat_back_by_its_key_only() -> None:
    """Without one it might get the hand of another."""
    with house_of(rules("A", game__seats="3")) as house, house.guest("/play/A/R?name=a") as a:
        house.seated("R", 1)
        with house.guest("/play/A/R?name=a"), house.guest("/play/A/R?name=a&key=k"):
            a.until("Thinking")
        with house.guest("/play/A/R?name=a") as copy:
            assert copy.next() == {"Kind": "Exception", "Message": COPIES}
            assert copy.closed()[0] == 1000
        with house.guest("/play/A/R?name=a&key=k") as back:
            assert back.next()["PlayerInfo"][back.heard[-1]["YourNum"]]["Name"].startswith("a (")


def test_who_asks_for_it_is_told_what_may_be_played_and_for_how_long() -> None:
    with house_of(SHORT) as house, house.guest("/play/A/R?name=a&dialect=person") as a:
        a.say({"Kind": "Start"})
        shown = a.until("ProcessTurn")
        choice = a.next()
        assert choice["Kind"] == "Choice" and choice["Allowed"] == PATIENCE and 0 < choice["Seconds"] <= PATIENCE
        assert ("" in choice["Plays"]) is bool(shown["Ba"])
        held = set(shown["Deck"].split())
        assert all(set(play.split()) <= held for play in choice["Plays"])
        best = choice["Plays"][-1]
        a.say({"Kind": "Put", "Cards": best, "Question": choice["Question"] - 1})
        assert a.until("Exception")["Message"] == "手番が違います。"
        a.say({"Kind": "Put", "Cards": best, "Question": choice["Question"]})
        assert a.until("CardsArePut")["Ba"][-1] == best


def test_who_comes_back_during_a_turn_is_told_the_rest_of_its_time() -> None:
    with house_of(SHORT) as house, house.guest("/play/A/R?name=b") as b:
        house.seated("R", 1)
        with house.guest("/play/A/R?name=a&dialect=person&key=k") as a:
            first, _ = begun(house, a, b)
            if first is b:
                b.put(b.heard[-1]["Deck"].split()[0])
            choice = a.until("Choice")
        with house.guest("/play/A/R?name=a&dialect=person&key=k") as back:
            assert back.next()["Kind"] == "ProcessTurn"
            again = back.next()
            assert again.pop("Seconds") < choice.pop("Seconds") and again == choice


def test_a_person_whose_page_is_loaded_anew_is_waited_for() -> None:
    """Its turn comes while nobody is connected, and is open when the page is there again."""
    with house_of(SHORT) as house, house.guest("/play/A/R?name=b") as b:
        house.seated("R", 1)
        with house.guest("/play/A/R?name=a&dialect=person&key=k") as a:
            first, _ = begun(house, a, b)
            assert first is b
        b.put(b.heard[-1]["Deck"].split()[0])
        b.until("CardsArePut")
        with house.guest("/play/A/R?name=a&dialect=person&key=k") as back:
            assert back.until("Choice")["Plays"]


def test_a_dialect_that_is_not_known_is_refused() -> None:
    with house_of(SHORT) as house, house.guest("/play/A/R?name=a&dialect=mjai") as a:
        assert a.next()["Message"] == "dialect: 'mjai' is not known; allowed are neof5, person"


@pytest.mark.parametrize("given", ["k ey", "鍵"])
def test_a_page_says_its_key_as_a_subprotocol(given: str) -> None:
    with house_of(SHORT) as house:
        offers = [Subprotocol("jantaku"), Subprotocol(offer(given).replace("token", "key"))]
        address = house.url("/play/A/R?name=a")
        with connect(address, subprotocols=offers) as first, connect(address, subprotocols=offers) as second:
            assert second.subprotocol == "jantaku"
            assert Guest(first).closed() == (1000, "the same program has connected once more")
