"""A series of 大富豪 in a real browser: the screen shows what the record says, and a room's page hides hands until the
round is over."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.daifugo import events
from jantaku.table.daifugo.journals.record import Record, lines_of
from jantaku.table.daifugo.journals.shown import viewed
from jantaku.table.ground.port import Answer
from jantaku.table.serve.watching import WatchPage
from tests.daifugo.rooms.guests import SHORT, house_of
from tests.kit.chromium import Browser
from tests.records.view.screen import (
    DESK,
    IN_A_BROWSER,
    PHONE,
    STATE,
    exported,
    type_token,
    wait_for,
    wait_for_position,
)
from tests.records.view.series import Screen, expected, played, shown, stepped

pytestmark = IN_A_BROWSER


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    """Three rounds of class B with exchanges, a revolution and a forbidden finish."""
    return played(tmp_path_factory.mktemp("series"), 3, seats=4, letter="B", rounds=3)


@pytest.fixture(scope="module")
def export(record: Record, tmp_path_factory: pytest.TempPathFactory) -> str:
    return exported(tmp_path_factory.mktemp("export"), viewed(record, record.rules).entry(), "daifugo")


@pytest.mark.long
def test_stepping_to_the_end_by_keyboard_shows_all_of_the_series(browser: Browser, export: str, record: Record) -> None:
    wanted = expected(record)
    assert any(one["revolution"] for one in wanted) and any(one["gifts"] for one in wanted)
    browser.open(f"{export}#k=1&e=1", *DESK)
    assert stepped(browser) == wanted


@pytest.mark.long
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_one_seats_view_hides_every_other_hand_and_what_it_has_no_part_in(
    browser: Browser, export: str, record: Record, size: tuple[int, int]
) -> None:
    for seat in range(4):
        browser.open(f"{export}#k=2&e=1&v={seat}", *size)
        shown = stepped(browser)
        wanted = [one for one in expected(record) if not one["position"].startswith("1.")]
        for seen, one in zip(shown, wanted, strict=True):
            for number, (hand, open_hand) in enumerate(zip(seen["seats"], one["seats"], strict=True)):
                own = number == seat
                assert hand["hand"] == (open_hand["hand"] if own else [])
                assert hand["backs"] == (0 if own else len(open_hand["hand"]))
            for told, whole in zip(seen["gifts"], one["gifts"], strict=True):
                assert told == (whole if str(seat) in whole.split()[:2] else " ".join([*whole.split()[:2], ""]))


@pytest.mark.long
@pytest.mark.parametrize("size", [DESK, PHONE])
@pytest.mark.parametrize("event", [1, 3, 40])
def test_nothing_sticks_out_cards_can_be_read(browser: Browser, export: str, size: tuple[int, int], event: int) -> None:
    browser.open(f"{export}#k=2&e={event}", *size)
    assert browser.ask("document.documentElement.scrollWidth") <= size[0]
    assert browser.ask("Math.min(...[...document.querySelectorAll('.hand .card')].map(card => card.offsetWidth))") >= 24
    within = "[...document.querySelectorAll('.seat, .centre')].every(one => one.scrollWidth <= one.clientWidth)"
    assert browser.ask(within)


def test_the_page_is_steered_as_that_of_riichi(browser: Browser, export: str, record: Record) -> None:
    browser.open(f"{export}#k=2&e=30&l=ja", *DESK)
    position = "document.getElementById('table').dataset.position"
    assert browser.ask(position) == "2.30" and browser.ask("document.documentElement.lang") == "ja"
    browser.press("[")
    assert browser.ask(position) == "2.1"
    browser.press("]")
    assert browser.ask(position) == "3.1"
    browser.press("ArrowRight", shift=True)
    assert browser.ask("'play' in viewer.items[viewer.at.event]")
    browser.press("v")
    assert browser.ask("document.querySelector('#table > .seat').dataset.seat") == "0"
    browser.press("r")
    assert browser.ask("document.querySelector('#table > .seat').dataset.seat") == "1"
    assert browser.ask("viewer.sees") == 1
    browser.ask("control('position').value = '4'; control('position').dispatchEvent(new Event('input'))")
    assert browser.ask(position) == "3.5"
    assert browser.ask("document.querySelectorAll('#list button').length") == 3


def test_the_heads_of_the_list_tell_long_names_apart_and_stay_as_it_scrolls(browser: Browser, export: str) -> None:
    browser.open(f"{export}#k=3&e=1&l=en", 1280, 800)
    browser.ask("viewer.game.names = [1, 2, 3, 4].map(n => `daifugo-greedy-player-${n}`); viewer.draw()")
    whole = "[...document.querySelectorAll('#heads span')].every(one => one.scrollHeight <= one.clientHeight)"
    assert browser.ask(whole)
    browser.ask("document.getElementById('list').scrollTo(0, 9999)")
    tops = "['rounds', 'heads', 'list'].map(id => document.getElementById(id).getBoundingClientRect().top)"
    assert browser.ask(tops) == sorted(browser.ask(tops))
    assert browser.ask("document.querySelector('#rounds h2').getBoundingClientRect().top") > browser.ask(tops)[0]


def test_an_answer_is_shown_with_its_options_time_and_verdict(browser: Browser, export: str, record: Record) -> None:
    browser.open(f"{export}#k=1&e=3&l=en", *DESK)
    answer = next(line for _, line in record.lines if "turn" in line)["answers"][0]
    who = browser.ask("document.querySelector('#decisions .answer b').textContent")
    assert who == record.header.player[answer["seat"]]
    assert browser.ask("document.querySelector('#decisions .verdict').textContent") == answer["verdict"]
    assert browser.ask("document.querySelectorAll('#decisions .option').length") > 5
    assert browser.ask("document.querySelectorAll('#decisions .option[aria-current=true]').length") == 1


class HeldSeries:
    """Looks at the page at some moments while the table waits: what it shows is kept. Implements `Looker`."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._round = self._items = self._turns = 0
        self.seen: list[Screen] = []

    def events(self, new: Sequence[Any]) -> None:
        for event in new:
            if isinstance(event, events.RoundStart):
                self._round, self._items = self._round + 1, 0
            else:
                self._items += len(list(lines_of(event)))
        self._turns += 1
        if self._turns % 25 == 0:
            wait_for_position(self._browser, f"{self._round}.{self._items}")
            self.seen.append(shown(self._browser))

    def answers(self, turn: int, answers: Sequence[Answer]) -> None: ...

    def close(self) -> None: ...


@pytest.mark.long
def test_a_running_series_is_watched_to_its_end(browser: Browser, tmp_path: Path) -> None:
    held = HeldSeries(browser)
    with WatchPage(tmp_path, 0, "daifugo") as viewer:
        browser.open(viewer.address, *DESK)
        wait_for(browser, f"{STATE} === 'liveWaiting'")
        record = played(tmp_path, 3, seats=4, letter="B", rounds=2, look=lambda: held)
    wait_for(browser, f"{STATE} === 'liveOver'")
    wanted = expected(record)
    at = {one["position"]: one for one in wanted}
    assert len(held.seen) > 4 and held.seen == [at[one["position"]] for one in held.seen]
    browser.ask("viewer.goto(0, 0)")
    assert stepped(browser) == wanted


@pytest.mark.long
@pytest.mark.parametrize("operator", ["", "by a link", "by typing"])
def test_the_page_shows_hands_to_the_operator_only_and_hides_the_token(operator: str, browser: Browser) -> None:
    token = "boss & 雀"
    with house_of(SHORT, operator_token=token) as house, house.guest("/play/A/R?name=a") as a:
        a.say({"Kind": "Start"})
        a.until("Thinking")
        address = house.url("/watch/R").replace("ws:", "http:")
        browser.open(address + ("#token=boss+%26+%E9%9B%80" if operator == "by a link" else ""), *DESK)
        if operator == "by typing":
            type_token(browser, token)
            browser.open(address, *DESK)
        wait_for(browser, "document.querySelectorAll('.seat').length === 2")
        assert (browser.ask("document.querySelectorAll('.hand .card').length") > 0) is bool(operator)
        assert "boss" not in browser.ask("location.href")
