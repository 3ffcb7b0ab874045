"""How many rooms there are, who opens them, and when they are let go."""

import contextlib
import json
import socket
import threading
from collections import deque
from pathlib import Path
from typing import Any

import pytest
from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.uri import parse_uri

from jantaku.table.daifugo.players import DaifugoWeakest
from jantaku.table.daifugo.rooms.chairs import VisitorChair
from jantaku.table.daifugo.rooms.room import CLOSED, FULL, RUNNING
from jantaku.table.ground.port import Player
from jantaku.table.play import seeds
from jantaku.table.play.seating.roster import enlist
from jantaku.table.serve.room import Disk
from tests.daifugo.rooms.guests import PATIENCE, SHORT, Client, House, begun, house_of
from tests.daifugo.walk import rules
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


def test_who_knows_the_key_of_a_chair_takes_it_over() -> None:
    """§7.1 #17: the original leaves it without a seat for ever."""
    with house_of(SHORT) as house, house.guest("/play/A/R?name=a&key=secret") as old:
        house.seated("R", 1)
        with house.guest("/play/A/R?name=a&key=secret", agent="another") as new:
            assert old.closed() == (1000, "the same program has connected once more")
            assert len(house.room("R").chairs) == 1
            with house.guest("/play/A/R?name=b") as other:
                first, _ = begun(house, new, other)
                assert first in (new, other)


@pytest.mark.parametrize("mine", ["", "&key=secret"])
@pytest.mark.parametrize("theirs", ["", "&key=guess"])
def test_a_chair_on_which_somebody_sits_is_not_given_to_who_has_the_same_name(mine: str, theirs: str) -> None:
    """Behind one address there may be a whole class, with the same program."""
    with house_of(SHORT) as house, house.guest(f"/play/A/R?name=a{mine}") as a:
        house.seated("R", 1)
        with house.guest(f"/play/A/R?name=a{theirs}") as b:
            begun(house, a, b)
            assert {a.heard[-1]["YourNum"], b.heard[-1]["YourNum"]} == {0, 1}


def test_a_chair_with_a_key_is_not_given_back_without_it() -> None:
    with house_of(SHORT) as house, house.guest("/play/A/R?name=a") as a:
        house.seated("R", 1)
        with house.guest("/play/A/R?name=b&key=secret") as b:
            begun(house, a, b)
        for query in ("name=b", "name=b&key=Secret"):
            with house.guest(f"/play/A/R?{query}") as stranger:
                assert stranger.next() == {"Kind": "Exception", "Message": CLOSED}
        with house.guest("/play/A/R?name=b&key=secret") as back:
            assert back.next()["YourNum"] == 1


def test_who_leaves_before_the_series_leaves_no_chair_behind() -> None:
    with house_of(SHORT) as house, house.guest("/play/A/R?name=a") as a:
        house.seated("R", 1)
        with house.guest("/test/connection?name=x"):
            pass
        with house.guest("/play/A/S?name=b"), house.guest("/play/A/S?name=c"):
            house.seated("S", 2)
        with house.guest("/play/A/R?name=b") as b:
            begun(house, a, b)


class Thinker:
    """A program of one thread: it answers pings where it reads, and does not read while it thinks."""

    def __init__(self, house: House, path: str) -> None:
        self._protocol = ClientProtocol(parse_uri(house.url(path)))
        self._kept: deque[dict[str, Any]] = deque()
        self._socket = socket.create_connection(("127.0.0.1", house.server.port), PATIENCE)
        self._protocol.send_request(self._protocol.connect())
        self._flush()

    def _flush(self) -> None:
        for data in self._protocol.data_to_send():
            self._socket.sendall(data)

    def until(self, kind: str) -> dict[str, Any]:
        while True:
            for event in self._protocol.events_received():
                if isinstance(event, Frame) and event.opcode is Opcode.TEXT:
                    message: dict[str, Any] = json.loads(bytes(event.data))
                    self._kept.append(message)
            while self._kept:
                if (message := self._kept.popleft())["Kind"] == kind:
                    return message
            self._protocol.receive_data(self._socket.recv(4096))
            self._flush()

    def put(self, cards: str) -> None:
        self._protocol.send_text(json.dumps({"Kind": "Put", "Cards": cards}).encode())
        self._flush()

    def close(self) -> None:
        self._socket.close()


@pytest.mark.long
def test_a_put_that_comes_too_late_is_no_answer_to_the_next_question(capsys: pytest.CaptureFixture[str]) -> None:
    """neof5 numbers no questions. A ping in front of each tells what was sent before it was read."""
    with (
        house_of(rules("A", game__seats="2"), limit=0.3) as house,
        contextlib.closing(Thinker(house, "/play/A/R?name=a")) as a,
    ):
        house.seated("R", 1)
        with house.guest("/play/A/R?name=b") as b:
            late = a.until("ProcessTurn")["Deck"].split()[-1]
            chair = house.room("R").chairs[0]
            assert isinstance(chair, VisitorChair)
            line = chair.line
            assert line is not None
            wait_until(lambda: line.answers_pings and not line.is_behind)
            wait_until(lambda: line.is_behind and chair.asked)  # the second question
            a.put(late)
            assert a.until("Exception")["Message"] == "手番が違います。" and chair.stale == 1
            history = a.until("ProcessTurn")["History"]
            assert f"0-[{late}]" not in history and b.heard == []
            log = capsys.readouterr().err
            assert "Put refused" in log and "sent before its question was read" in log
