"""A person's seat over the wire: who comes back finds it, and no tap of another tab or moment plays a tile."""

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import chain, repeat
from pathlib import Path
from typing import Any, cast

import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import DefaultPlayed
from jantaku.table.play.seating.spec import OwnClock
from jantaku.table.records.journal.writer import journal_of
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.riichi import looking_back, person_seat
from jantaku.table.serve.riichi.looking_back import BUSY, GONE, PLAYING, QUEUE, TOO_LONG, Form, LookingBack, Wish, made
from jantaku.table.serve.riichi.person_seat import CLOCK, PersonSeat
from tests.kit.pace import SOON, UNIT
from tests.serve.serving import Client, Item, Served, plan_of
from tests.serve.test_seats import KEYED, START, PaperLine, line

PATIENT = OwnClock(turn=SOON, reaction=SOON, margin=0.1, max_faults=0)


class Listener(PaperLine):
    """Who waits for what cost most."""

    def __init__(self) -> None:
        super().__init__()
        self.is_closing = False
        self.hung_up = threading.Event()

    def hang_up(self, code: int, reason: str, awaited: Callable[[], bool] | None = None) -> None:
        if not self.is_closing:
            super().hang_up(code, reason, awaited)
        self.is_closing = True
        self.hung_up.set()


Begun = queue.Queue[subprocess.Popen[bytes]]


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Begun:
    """The processes that look back. They say nothing and do not end by themselves."""
    found: Begun = queue.Queue()

    def begin(*command: Any, **more: Any) -> subprocess.Popen[bytes]:
        found.put(process := popen(*command, **more))
        return process

    popen, endless = subprocess.Popen, [sys.executable, "-c", "import threading; threading.Event().wait()"]
    monkeypatch.setattr(looking_back, "command_of", lambda *words: endless)
    monkeypatch.setattr(subprocess, "Popen", begin)
    return found


def asked(back: LookingBack, journal: str = "") -> tuple[Listener, Callable[[], None]]:
    """Somebody asks what cost most; and what tells that it has left."""
    listener = Listener()
    return listener, back.show(Wish(journal, Form.COSTLY), cast(Line, listener)).leave


class Person(Client):
    def __init__(self, served: Served, key: str = "k", name: str = "p") -> None:
        super().__init__(served.at(f"/play/r?name={name}&dialect=person&key={key}"))

    def until(self, key: str) -> Item:
        while key not in (message := self.get()):
            pass
        return message

    def choice(self) -> Item:
        asked: Item = self.until("choice")["choice"]
        return asked

    def reply(self, choice: Item, reply: Item | None = None) -> None:
        self.send({"question": choice["question"], "reply": choice["default"] if reply is None else reply})

    def play_out(self) -> list[str]:
        while "jieju" not in (message := self.get()):
            if "choice" in message:
                self.reply(message["choice"])
        return self.rest()


@contextmanager
def table(folder: Path, clock: OwnClock = PATIENT, **more: Any) -> Iterator[Served]:
    """A room in which one person is waited for, for one game of a kyoku."""
    plan = plan_of(folder, "ws,tsumogiri,tsumogiri,tsumogiri", person=clock, **more)
    with Served(plan, rooms=("r",), games=1) as served:
        yield served


def answers(folder: Path) -> list[tuple[str, Item]]:
    lines = [json.loads(line) for line in journal_of(folder, 0).read_text("utf-8").splitlines()]
    me = lines[0]["player"].index("p")
    told = [answer for line in lines for answer in line.get("answers", ())]
    return [(answer["verdict"], answer["reply"]) for answer in told if answer["seat"] == me]


def test_a_person_plays_a_game_and_no_answer_is_anything_but_good(tmp_path: Path) -> None:
    with table(tmp_path) as served:
        guest = Person(served)
        head = guest.get()
        assert head["player"][head["you"]] == "p"
        frames = guest.play_out()
        assert "jieju" in frames[-2] and guest.farewell == (1000, "the game is over")
        assert served.outcome().faults == ({}, {}, {}, {})
    assert {verdict for verdict, _ in answers(tmp_path)} == {"ok"}


def test_who_played_may_see_every_hand_when_the_game_is_over_and_what_a_bot_would_have_done(tmp_path: Path) -> None:
    with table(tmp_path) as served:
        guest = Person(served)
        me = guest.get()["you"]
        assert Client(served.at("/record/0")).farewell[1].startswith("game 0 is not kept here")
        *before, last = guest.play_out()
        over = json.loads(last)["over"]
        assert over["game"] == 0 and over["ticket"] not in "".join(before)
        served.outcome()
        for wrong in ("x", over["ticket"][:-1]):
            assert "not the operator's" in Client(served.at(f"/record/0?token={wrong}")).farewell[1]
        at = f"/record/0?token={over['ticket']}"
        told: Any = Client(served.at(f"{at}&by=shanten&seat={me}")).get(30)
        head, *items = told
        assert head["review"] == "shanten"
        assert all(next(item["qipai"]["shoupai"] for item in items if "qipai" in item))
        reviewed = [one["seat"] for item in items for one in item.get("answers", ()) if "review" in one]
        assert len(reviewed) > 10 and set(reviewed) == {me}
        paifu = Client(served.at(f"{at}&as=paifu")).get(30)
        assert paifu["player"] == head["player"] and "seed" not in paifu
        assert made(Wish(str(journal_of(tmp_path, 0)), Form.PAGE)).startswith(b"<!doctype html>")
        for wrong, why in (
            ("by=crash", "by=crash: allowed are shanten, caller, allround"),
            ("seat=4", "seat=4"),
            ("as=zip", "as=zip"),
        ):
            assert why in Client(served.at(f"{at}&{wrong}")).farewell[1]


def test_who_played_is_told_what_cost_most_when_no_game_is_running(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, "ws,tsumogiri,tsumogiri,tsumogiri", person=PATIENT)
    with Served(plan, rooms=("r",), games=2) as served:
        guest = Person(served)
        me = guest.get()["you"]
        ticket = json.loads(guest.play_out()[-1])["over"]["ticket"]
        served.outcome()
        at = served.at(f"/record/0?token={ticket}&as=costly&seat={me}")
        again = Person(served, name="q")
        asked = again.choice()
        refused = Client(at)
        assert refused.farewell == (1008, PLAYING) and refused.frames == []
        again.reply(asked)
        again.play_out()
        served.outcome()
        room = served.house.get("r")
        assert room is not None and room.wait(SOON)
        *looked, last = [json.loads(frame) for frame in Client(at).rest()]
        assert {tuple(one["looked"]) for one in looked} == {(1, 1)} and len(last["costly"]) <= 3
        assert all(one["worth"] > one["margin"] and one["played"] != one["choice"] for one in last["costly"])
        assert [json.loads(frame) for frame in Client(at).rest()] == [last]  # it is not looked for again


def test_the_search_for_what_cost_most_is_killed_when_a_game_begins(begun: Begun) -> None:
    listener, _ = asked(LookingBack(chain([False], repeat(True)).__next__))
    assert begun.get(timeout=SOON).wait(SOON) != 0
    assert listener.hung_up.wait(SOON) and (listener.ended, listener.said) == (PLAYING, [])


def test_the_search_for_what_cost_most_is_killed_when_nobody_listens(begun: Begun) -> None:
    _, leave = asked(LookingBack())
    process = begun.get(timeout=SOON)
    leave()
    assert process.wait(SOON) != 0


def test_who_waits_too_long_is_told_so(begun: Begun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking_back, "LONGEST_LOOKED", UNIT)
    listener, _ = asked(LookingBack())
    assert listener.hung_up.wait(SOON) and listener.ended == TOO_LONG
    assert begun.get(timeout=SOON).returncode != 0


def test_a_request_that_nobody_waits_for_keeps_no_place(begun: Begun) -> None:
    back = LookingBack()
    _, (_, leave), *_ = [asked(back) for _ in range(QUEUE + 1)]
    with pytest.raises(BadInput, match=BUSY):
        asked(back)
    leave()
    last, _ = asked(back)
    back.close()
    assert last.hung_up.wait(SOON) and last.ended == GONE and begun.qsize() <= 1


def test_what_cost_most_is_kept_for_as_many_games_as_are_kept(begun: Begun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking_back, "command_of", lambda *words: [sys.executable, "-c", "print('[]')"])
    monkeypatch.setattr(looking_back, "KEPT", 0.5)
    back = LookingBack()
    for journal, processes in zip("abbcab", (1, 2, 2, 3, 4, 5), strict=True):
        listener, _ = asked(back, journal)
        assert listener.hung_up.wait(SOON) and listener.said == [b"[]"] and begun.qsize() == processes


def test_who_comes_back_is_told_the_kyoku_that_are_over_in_one_message(tmp_path: Path) -> None:
    with table(tmp_path, length="tonpu") as served:
        guest = Person(served)
        while sum('"qipai"' in frame for frame in guest.frames) < 2:
            if (choice := guest.get().get("choice")) is not None:
                guest.reply(choice)
        again = Person(served)
        head, told = again.get(), again.get()
        heard = [json.loads(frame) for frame in guest.frames]
        items = [one for one in heard if not one.keys() & {"choice", "player"}]
        assert head == heard[0] and told == {"past": items[:-1]} and again.get() == items[-1]
        again.close()


def test_stale_doubled_forged_and_unreadable_messages_play_nothing(tmp_path: Path) -> None:
    with table(tmp_path) as served:
        guest = Person(served)
        first = guest.choice()
        for message, why in [
            ({"question": first["question"] - 4, "reply": first["default"]}, "late"),
            ({"question": first["question"], "reply": {"hule": "-"}}, "forbidden"),
            ({"question": first["question"], "reply": {"dapai": "z9"}}, "forbidden"),
            ({"dapai": "m1"}, "unreadable"),
        ]:
            guest.send(message)
            assert guest.until("refused") == {"refused": why}
        guest.reply(first)
        guest.reply(first, first["options"][-1])
        second = guest.choice()
        guest.reply(first)
        assert guest.until("refused") == {"refused": "late"}
        guest.reply(second)
        guest.play_out()
        served.outcome()
    mine = answers(tmp_path)
    assert [reply for _, reply in mine[:2]] == [first["default"], second["default"]]
    assert {verdict for verdict, _ in mine} == {"ok"}


def test_a_second_tab_takes_the_seat_with_the_open_question_and_the_first_one_is_told(tmp_path: Path) -> None:
    with table(tmp_path) as served:
        first = Person(served)
        asked = first.choice()
        second = Person(served)
        again = second.choice()
        assert {**again, "timer": 0} == {**asked, "timer": 0} and again["timer"]["left"] <= asked["timer"]["left"]
        first.reply(asked)  # it has been sent away: nothing of it counts
        assert first.farewell == (1000, "this seat was opened elsewhere")
        assert [json.loads(frame) for frame in second.frames] == [json.loads(frame) for frame in first.frames[:-1]] + [
            {"choice": again}
        ]
        second.reply(again, again["options"][0])
        second.play_out()
        served.outcome()
    assert answers(tmp_path)[0] == ("ok", again["options"][0])


def test_nobody_without_the_key_and_no_program_gets_the_seat_of_a_person(tmp_path: Path) -> None:
    with table(tmp_path) as served:
        guest = Person(served)
        asked = guest.choice()
        assert Person(served, key="other").farewell == (1008, "this seat is taken from another browser")
        code, why = Client(served.at("/play/r?name=p&key=k")).farewell
        assert code == 1008 and why == "the name p is taken, by a person"
        guest.reply(asked)
        guest.play_out()


@pytest.mark.parametrize("after", [2, 3, 9, 30])
def test_a_connection_that_breaks_costs_no_question(tmp_path: Path, after: int) -> None:
    with table(tmp_path) as served:
        guest = Person(served)
        for _ in range(after):
            message = guest.get()
            if "choice" in message and after != 2 + len(guest.frames):
                guest.reply(message["choice"])
        guest.close()
        Person(served).play_out()
        assert served.outcome().faults == ({}, {}, {}, {})
    assert {verdict for verdict, _ in answers(tmp_path)} == {"ok"}


def test_who_stays_away_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person_seat, "RELOADING", 0.0)
    with table(tmp_path) as served:
        guest = Person(served)
        guest.choice()
        guest.close()
        served.outcome()
    assert {verdict for verdict, _ in answers(tmp_path)} == {"gone"}


def test_who_comes_back_is_told_how_often_the_table_played_for_it() -> None:
    seat, identity = PersonSeat(), KEYED._replace(dialect="person")
    first = line()
    assert seat.take(identity, first) == ""
    seat.hear(START)
    seat.leave(first)
    for number in (4, 8):
        seat.defaulted(DefaultPlayed(number, "gone", "its connection has ended"))
    for meanwhile in (2, None):
        again = line()
        assert seat.take(identity, again) == ""
        told = [json.loads(message) for message in again.said]
        seat.defaulted(DefaultPlayed(12, "gone", "its connection has ended"))  # it was not there when it was asked
        assert json.loads(again.said[-1])["defaulted"] == {"question": 12, "verdict": "gone", "why": "away"}
        assert [one["meanwhile"] for one in told if "meanwhile" in one] == [meanwhile] * (meanwhile is not None)


def test_who_wishes_for_facts_is_told_what_its_own_seat_can_know(tmp_path: Path) -> None:
    with table(tmp_path) as served:
        guest = Person(served)
        asked = guest.choice()
        guest.send({"facts": 7})
        facts = guest.until("facts")["facts"]
        assert facts["wish"] == 7
        tiles = {option["dapai"][:2] for option in asked["options"] if "dapai" in option}
        assert {one["tile"] for one in facts["told"]["discards"]} == tiles
        guest.reply(asked)
        guest.play_out()
        served.outcome()
    assert {verdict for verdict, _ in answers(tmp_path)} == {"ok"}


def test_where_no_hints_are_given_a_wish_is_told_nothing(tmp_path: Path) -> None:
    with table(tmp_path, hints=False) as served:
        guest = Person(served)
        asked = guest.choice()
        guest.send({"facts": 0})
        assert guest.until("facts")["facts"] == {"wish": 0, "told": None}
        for wrong in ({"facts": -1}, {"facts": "7"}, {"facts": 7, "more": 1}):
            guest.send(wrong)
            assert guest.until("refused")["refused"] == "unreadable"
        guest.reply(asked)
        guest.play_out()
        served.outcome()


def test_time_that_runs_out_plays_the_default_with_a_word_and_nobody_waits_for_an_open_page(tmp_path: Path) -> None:
    with table(tmp_path, OwnClock(turn=0.05, reaction=0.05, bank=0.0, margin=0.0, max_faults=0)) as served:
        guest = Person(served)
        asked = guest.choice()
        played = guest.until("defaulted")["defaulted"]
        assert played == {"question": asked["question"], "verdict": "silent", "why": "timeUp"}
        guest.until("resting")
        while (later := guest.until("defaulted")["defaulted"])["why"] == "timeUp":
            pass
        assert (later["verdict"], later["why"], later["count"]) == ("gone", "unanswered", 2)
        guest.rest()
        served.outcome()
    assert {verdict for verdict, _ in answers(tmp_path)} == {"silent", "gone"}


def test_who_says_that_it_is_back_is_asked_again(tmp_path: Path) -> None:
    clock = OwnClock(turn=0.05, reaction=0.05, bank=0.0, margin=0.0, max_faults=0)
    with table(tmp_path, clock, pace=0.01) as served:
        guest = Person(served)
        guest.until("resting")
        guest.connection.send('{"back":true}')
        guest.choice()
        guest.rest()
        served.outcome()


def test_a_person_has_a_clock_of_its_own_and_bots_take_their_time(tmp_path: Path) -> None:
    with table(tmp_path, CLOCK) as served:
        guest = Person(served)
        timer = guest.choice()["timer"]
        assert timer["limit"] in (60.0, 30.0) and (timer["bank"], timer["margin"]) == (60.0, 1.0)
        room = served.house.get("r")
        assert room is not None and room.has_people and room.stays > 60
        guest.close()
        served.house.close()
