"""How many rooms there are, who opens them, and when they are let go."""

import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from jantaku.table.daifugo.players import DaifugoWeakest
from jantaku.table.daifugo.rooms.room import CLOSED, FULL, RUNNING
from jantaku.table.ground.port import Player
from jantaku.table.play import seeds
from jantaku.table.play.seating.roster import enlist
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.room import Disk
from tests.daifugo.deck import rules
from tests.daifugo.rooms.guests import PATIENCE, SHORT, Client, house_of
from tests.kit.processes import wait_until


def test_a_room_that_everybody_has_left_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """A series there is ended; who looks on is sent away."""
    monkeypatch.setattr("jantaku.table.serve.rooms.SITTING_DOWN", 0.2)
    monkeypatch.setattr("jantaku.table.serve.rooms.COMING_BACK", 0.2)
    with house_of(SHORT) as house:
        with house.guest("/play/A/R?name=a") as a, house.guest("/play/A/S?name=a"):
            house.seated("R", 1)
            house.seated("S", 1)
            a.say({"Kind": "Start"})
            a.until("ProcessTurn")
            watcher = house.guest("/monitor/R")
            looking = watcher.__enter__()
            looking.next()
        assert looking.closed()[0] == 1001
        watcher.__exit__(None, None, None)
        wait_until(lambda: list(house.rooms) == [])


def test_one_visitor_does_not_take_all_rooms() -> None:
    """And a room that everybody has left makes room."""
    with house_of(SHORT, limits=Limits(rooms=3, rooms_per_address=2)) as house, ExitStack() as stack:
        for name in "ab":
            stack.enter_context(house.guest(f"/play/A/{name}?name=x"))
            house.seated(name, 1)
        with house.guest("/play/A/c?name=x") as third:
            assert third.next()["Message"].startswith("your address has too many rooms open")
        stack.close()
        for name in "cdefghijk":  # each was left by the one before, in an instant
            wait_until(lambda: all(room is None or room.left_at for room in map(house.rooms.get, house.rooms)))
            with house.guest(f"/play/A/{name}?name=x") as guest:
                house.seated(name, 1)
                assert guest.heard == []


def test_no_series_begins_when_the_records_take_all_the_room_that_they_may(tmp_path: Path) -> None:
    with house_of(SHORT, folder=tmp_path, disk=Disk(100)) as house, house.guest("/play/A/R?name=a") as a:
        a.say({"Kind": "Start"})
        a.play_on()
        assert house.room("R").wait(PATIENCE)
        assert a.refused({"Kind": "Start"}) == FULL


@pytest.mark.long
def test_a_room_that_was_left_and_opened_again_deals_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has played there has seen all hands of it."""
    monkeypatch.setattr("jantaku.table.serve.rooms.SITTING_DOWN", 0.0)
    monkeypatch.setattr("jantaku.table.serve.rooms.COMING_BACK", 0.0)
    hands = []
    with house_of(SHORT, seed=seeds.fresh()) as house:
        for _ in range(3):
            with house.guest("/play/A/R?name=a") as a:
                a.say({"Kind": "Start"})
                hands.append(a.until("ProcessTurn")["Deck"])
            wait_until(lambda: list(house.rooms) == [])
    assert len(set(hands)) == 3


def test_a_room_answers_while_its_computer_players_are_made() -> None:
    """What a constructor does takes as long as it takes: no lock of the room is held meanwhile."""
    being_made, go_on = threading.Event(), threading.Event()

    def slow(seed: int) -> Player:
        being_made.set()
        assert go_on.wait(PATIENCE)
        return DaifugoWeakest(seed=seed)

    with house_of(SHORT, com=slow) as house, house.guest("/play/A/R?name=a") as a:
        a.say({"Kind": "Start"})
        assert being_made.wait(PATIENCE)
        assert a.refused({"Kind": "Start"}) == RUNNING
        with house.guest("/play/A/R?name=b") as late:
            assert late.next()["Message"] == CLOSED
        go_on.set()
        a.play_on()


def test_a_computer_player_that_cannot_be_made_keeps_nobody_from_the_series() -> None:
    def broken(seed: int) -> Player:
        raise ValueError("no weights")

    with house_of(SHORT, com=broken) as house, house.guest("/play/A/R?name=a") as a:
        a.say({"Kind": "Start"})
        assert [info["Name"] for info in a.play_on()["PlayerInfo"]] == ["a", "COM1"]


def test_a_series_begins_when_the_clients_are_there_for_whom_bots_leave_seats() -> None:
    """Each room has bots of its own, and a client may have the name of one."""
    three = rules("A", game__seats="3", series__rounds="1")
    with house_of(three, bots=enlist(["daifugo-greedy", "dice"], game="daifugo")) as house:
        for room in "RS":
            client = Client(house.url(f"/play/A/{room}?name=dice"), three).started()
            assert client.finished.acquire(timeout=PATIENCE)
            assert [chair.name for chair in house.room(room).chairs] == ["dice", "daifugo-greedy", "dice (2)"]
