"""What goes wrong at a person's end, in a real browser: no wrong discard, no stuck table, and a word each time."""

import contextlib
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jantaku.table.play.seating.spec import OwnClock
from jantaku.table.serve.riichi.looking_back import BUSY, GONE, PLAYING, TOO_LONG
from jantaku.table.serve.riichi.person_seat import CLOCK
from tests.kit.chromium import Browser
from tests.kit.pace import SOON, UNIT
from tests.records.view.person import ScriptedPerson
from tests.records.view.screen import IN_A_BROWSER, PHONE, wait_for
from tests.records.view.test_person_words import COSTLY
from tests.records.view.test_scripted_person import PLAYERS, http, played_well
from tests.serve.serving import WATCHED, Client, Served, plan_of

pytestmark = IN_A_BROWSER

HURRIED = OwnClock(turn=2 * UNIT, reaction=2 * UNIT, bank=0.0, margin=0.0, max_faults=0)
STATE, WHY, WORD = (f"document.getElementById('{name}').textContent" for name in ("state", "why", "word"))

RESTS = f"document.querySelector('[data-act=back]') && {WHY}.startsWith('The table played for you')"


@contextmanager
def seated(browser: Browser, folder: Path, **more: Any) -> Iterator[tuple[Served, ScriptedPerson]]:
    """A person on a phone of its own, at a table with three bots."""
    limits = more.pop("limits", WATCHED)
    with Served(plan_of(folder, PLAYERS, **{"person": CLOCK, **more}), rooms=("r",), games=1, limits=limits) as served:
        person = ScriptedPerson(browser.another(apart=True), size=PHONE, seed=5)
        try:
            yield served, person
        finally:
            person.page.close()
            served.house.close()


@pytest.mark.long
def test_who_is_late_reads_why_and_taps_play_nothing_until_it_says_it_is_back(browser: Browser, tmp_path: Path) -> None:
    with seated(browser, tmp_path, person=HURRIED, pace=3 * UNIT, length="hanchan") as (served, person):
        person.sit(http(served, "/sit/r"), "p")
        wait_for(person.page, RESTS)
        assert tuple(word["verdict"] for kind, word in person.heard if kind == "defaulted")[:2] == ("silent", "silent")
        late = person.choice
        person.forge({"question": late["question"], "reply": late["options"][-1]})
        wait_for(person.page, f"{WORD}.startsWith('That came too late')")
        before = person.choice["question"]
        person.reach("[data-act=back]")
        wait_for(person.page, f"spied.number > {before}")


@pytest.mark.long
def test_a_phone_that_slept_finds_its_question(browser: Browser, tmp_path: Path) -> None:
    with seated(browser, tmp_path) as (served, person):
        person.sit(http(served, "/sit/r"), "p")
        before = person.look()
        person.page.sleep()
        person.page.wake()
        assert person.look().asked == before.asked
        person.play()
        served.outcome()
    assert played_well(tmp_path, "p")


@pytest.mark.long
def test_the_back_button_leaves_the_seat_and_forward_takes_it_again(browser: Browser, tmp_path: Path) -> None:
    with seated(browser, tmp_path) as (served, person):
        person.page.open(http(served, "/"), *PHONE)
        person.sit(http(served, "/sit/r"), "p")
        before = person.look()
        history = person.page.call("Page.getNavigationHistory")
        assert "/sit/r" in history["entries"][history["currentIndex"]]["url"]
        for way in (-1, 1):
            person.page.leave(f"history.go({way})")
        assert person.look().asked == before.asked
        person.play()
        served.outcome()
    assert played_well(tmp_path, "p")


@pytest.mark.long
def test_a_network_that_is_lost_for_a_while_costs_no_tile(browser: Browser, tmp_path: Path) -> None:
    limits = msgspec.structs.replace(WATCHED, ping=2 * UNIT, pong=20 * UNIT)
    with seated(browser, tmp_path, limits=limits) as (served, person), LossyNetwork(served.server.port) as network:
        person.sit(http(served, "/sit/r").replace(str(served.server.port), str(network.port)), "p")
        person.step()
        before = person.look()
        rooms = Client(served.at("/rooms"))
        network.lose()
        person.step()  # its answer does not get through
        while not [seat for room in rooms.get(SOON)["rooms"] for seat in room["seats"] if seat.get("away")]:
            pass
        network.find()
        wait_for(person.page, f"{STATE}.startsWith('Connection lost')")
        again = person.look()
        assert again.asked == before.asked or again.question > before.question
        person.play()
        rooms.close()
        served.outcome()
    assert played_well(tmp_path, "p")


@pytest.mark.long
def test_a_browser_that_knows_that_it_is_offline_says_so_and_sits_down_again(browser: Browser, tmp_path: Path) -> None:
    network = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    with seated(browser, tmp_path) as (served, person):
        person.sit(http(served, "/sit/r"), "p")
        before = person.look()
        person.page.listen()
        person.page.call("Network.emulateNetworkConditions", offline=True, **network)
        wait_for(person.page, f"{STATE}.startsWith('Connection lost')")
        person.page.call("Network.emulateNetworkConditions", offline=False, **network)
        wait_for(person.page, f"{STATE} === ''")
        assert person.look().asked == before.asked


class LossyNetwork:
    """Carries connections to a port of this machine, to be used with `with`. Nobody is told when it is lost."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._there = threading.Event()
        self._there.set()

    @property
    def port(self) -> int:
        number: int = self._listening.getsockname()[1]
        return number

    def __enter__(self) -> "LossyNetwork":
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._there.set()
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def lose(self) -> None:
        """Nothing gets through from now on, not even that a side has hung up."""
        self._there.clear()

    def find(self) -> None:
        """What waited arrives."""
        self._there.set()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        with near, socket.create_connection(("127.0.0.1", self._port)) as far:
            back = threading.Thread(target=self._carry, args=(far, near), daemon=True)
            back.start()
            self._carry(near, far)
            back.join()

    def _carry(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                self._there.wait()
                sink.sendall(data)
        self._there.wait()
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


FAKED = """window.made = [], window.later = [],
    window.WebSocket = class { constructor(at) { at.includes('/record/') && made.push(this); } close() {} },
    window.setTimeout = (then, ms) => `${then}`.includes('costs.ticket') && later.push([then, ms]), redraw = () => {},
    window.past = {game: 0, ticket: 't', you: 0, reviewers: []}, lookFor(past)"""


def test_the_page_asks_what_cost_most_until_it_knows_or_the_game_is_not_kept(browser: Browser, tmp_path: Path) -> None:
    with Served(plan_of(tmp_path, PLAYERS), rooms=("r",), games=1) as served:
        not_kept = Client(served.at("/record/0")).farewell
        browser.open(http(served, "/sit/r"), *PHONE)
    browser.ask(FAKED)
    refusals = [*((1008, why) for why in (PLAYING, BUSY, GONE, TOO_LONG)), (1006, ""), (1006, "")]
    for code, reason in refusals:
        browser.ask(f"made.at(-1).onclose({{code: {code}, reason: {json.dumps(reason)}}})")
        browser.ask("later.at(-1)[0]()")
        assert browser.ask("costs.waits && costs.socket === made.at(-1)")
    assert browser.ask("later.map(([, ms]) => ms)") == [3000, 6000, 12000, 24000, 48000, 60000]
    browser.ask("""made.at(-1).onmessage({data: '{"looked": [1, 2]}'})""")
    assert browser.ask("costs.waits") is False
    browser.ask("made.at(-1).onclose({code: 1006, reason: ''}), later.at(-1)[0]()")
    assert browser.ask("later.at(-1)[1]") == 3000
    for end in ((1000, ""), not_kept):
        closed = json.dumps(dict(zip(("code", "reason"), end, strict=True)))
        browser.ask(f"lookFor(past), made.at(-1).onclose({closed})")
        assert browser.ask("[costs.waits, costs.socket, later.length]") == [False, None, len(refusals) + 1]


def test_decisions_at_the_same_event_of_two_kyoku_are_two_items(browser: Browser, tmp_path: Path) -> None:
    """An item goes where its decision goes."""
    with Served(plan_of(tmp_path, PLAYERS), rooms=("r",), games=1) as served:
        browser.open(http(served, "/sit/r"), *PHONE)
    show = "show('costly', costlyView(past))"
    one = json.dumps({**COSTLY, "played": {"dapai": "m1"}, "choice": {"dapai": "m2"}})
    browser.ask(f"{FAKED}, costs.found = [1, 2].map(kyoku => ({{...{one}, kyoku}})), {show}")
    browser.ask(f"window.first = document.querySelector('#costly li'), costs.found.reverse(), {show}")
    assert browser.ask("[...document.querySelectorAll('#costly li')].indexOf(first)") == 1
