"""The words of a page in a real browser: one text for a key, all of them in the language that is spoken."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from jantaku.table.play.seating.spec import OwnClock
from jantaku.table.records.journal.read import Record
from jantaku.table.serve.riichi.person_seat import TAKEN, PersonSeat
from tests.kit.chromium import Browser
from tests.kit.pace import UNIT
from tests.records.view.screen import DESK, IN_A_BROWSER, PHONE, exported, wait_for
from tests.records.view.test_person import CALLS, READY, SMALL, WIN, click, entering, seated
from tests.serve.serving import Served, plan_of
from tests.serve.test_person import Person

pytestmark = IN_A_BROWSER

HURRIED = OwnClock(turn=UNIT, reaction=UNIT, bank=0.0, margin=0.0, max_faults=0)
WORD, WHY, NEWS, STATE = (f"document.getElementById('{line}').textContent" for line in ("word", "why", "news", "state"))
BACK = "document.querySelector('[data-act=back]')"
KEYS = "JSON.stringify(Object.keys(WORDS.en).sort()) === JSON.stringify(Object.keys(WORDS.ja).sort())"
COLLISION = """(() => {
    try { addWords({ en: { close: 'x' }, ja: {} }); } catch (error) { return error.message; }
})()"""


def test_a_key_of_the_viewer_stands_for_one_text_a_language(browser: Browser, record: Record, tmp_path: Path) -> None:
    browser.open(f"{exported(tmp_path, record)}#l=en", *DESK)
    assert browser.ask(KEYS)
    assert browser.ask(COLLISION) == "there is a word close already"
    assert browser.ask("word('close')") == "Close"


def test_a_key_of_a_persons_page_stands_for_one_text_in_each_language(browser: Browser, tmp_path: Path) -> None:
    with entering(browser, tmp_path, DESK):
        assert browser.ask(KEYS)
        assert browser.ask(COLLISION) == "there is a word close already"
        assert browser.ask("[word('back'), word('iAmBack')]") == ["Step back", "I am back"]


def in_japanese(browser: Browser) -> None:
    click(browser, "#language")
    wait_for(browser, "document.documentElement.lang === 'ja' && !table.due")


def test_another_language_is_spoken_at_once_in_every_line(browser: Browser, tmp_path: Path) -> None:
    with seated(browser, tmp_path, DESK):
        assert browser.ask(WORD) in ("Your turn", "Do you want this tile?")
        assert browser.ask(f"/[a-z]{{3}}/.test({NEWS})")
        browser.ask("send({question: hand.asked.question - 1, reply: {dapai: 'm1'}})")
        wait_for(browser, f"{WORD} === 'That came too late, nothing was played.'")
        browser.ask("defaulted({why: 'unanswered', count: 2}), take({resting: true}), redraw()")
        wait_for(browser, f"{BACK} && !table.due")
        assert browser.ask(WHY) == "The table played for you: 2 questions in a row went unanswered."
        assert browser.ask(f"{BACK}.textContent") == "I am back"
        assert browser.ask(STATE) == "You seem to be away: the table plays for you."
        in_japanese(browser)
        assert browser.ask(WORD) == "間に合いませんでした。何も打っていません。"
        assert browser.ask(WHY) == "2回続けて返事がなかったので、卓が代わりに打ちました。"
        assert browser.ask(f"{BACK}.textContent") == "戻りました"
        assert not browser.ask(f"/[a-z]{{3}}: |draw|wins/.test({NEWS})")
        browser.leave("location.reload()")
        wait_for(browser, "document.documentElement.lang === 'ja'")


@contextmanager
def left_alone(browser: Browser, folder: Path, others: int) -> Iterator[Served]:
    """A person who sits down and never answers, at a table with as many others who do."""
    seats = ",".join(["ws"] * (1 + others) + ["tsumogiri"] * (3 - others))
    with Served(plan_of(folder, seats, seed="9", person=HURRIED), rooms=("r",), games=1) as served:
        guests = [Person(served, name=f"p{number}", key=f"k{number}") for number in range(others)]
        players = [Thread(target=guest.play_out) for guest in guests]
        for player in players:
            player.start()
        browser.open(served.at("/sit/r").replace("ws:", "http:"), *PHONE)
        browser.ask("localStorage.clear(), document.getElementById('name').value = '花子'")
        browser.ask("document.getElementById('entry').requestSubmit()")
        yield served
        for player in players:
            player.join()


@pytest.mark.long
@pytest.mark.parametrize("others", [0, 1], ids=["alone", "two people"])
def test_who_was_away_at_the_end_is_offered_another_game_only(others: int, browser: Browser, tmp_path: Path) -> None:
    with left_alone(browser, tmp_path, others) as served:
        served.outcome()
        wait_for(browser, "table.door === 'over' && !table.due")
        buttons = "[...document.querySelectorAll('#actions button')].map(one => [one.dataset.act, one.textContent])"
        assert browser.ask("table.resting") and browser.ask(buttons) == [["again", "Play again"]]


def test_who_opens_the_page_in_a_second_browser_is_told_how_to_take_the_seat(browser: Browser, tmp_path: Path) -> None:
    with seated(browser, tmp_path, DESK):
        second = browser.another(apart=True)
        second.open(browser.ask("location.href") + "#name=%E8%8A%B1%E5%AD%90", *PHONE)
        wait_for(second, f"{STATE}.startsWith('花子 plays in another browser: press “Link to my seat” there')")
        assert second.ask("document.getElementById('link').hidden")
        assert second.ask("[OTHERWHERE, SEAT_TAKEN]") == [PersonSeat.back, TAKEN]
        second.ask("document.getElementById('language').click()")
        wait_for(second, f"{STATE}.startsWith('花子は別のブラウザで対局中です')")
        second.open(browser.ask("seatLink(ownSeat(sitRoom))"), *PHONE)
        wait_for(second, f"{READY} && {STATE} === ''")
        second.close()


LAST_TILE = "document.querySelector('#hand .pick:last-child')"


def test_a_call_lights_the_tile_it_is_asked_about_and_those_it_takes_alone(browser: Browser, tmp_path: Path) -> None:
    with seated(browser, tmp_path, DESK):
        browser.ask(f"{LAST_TILE}.focus()")
        browser.ask("item({dapai: {l: (game => game.seat(0, table.you) + 1)(table.game) % 4, p: 'p7'}})")
        browser.ask(f"ask({{question: 99, options: {CALLS}}}), redraw()")
        wait_for(browser, "document.body.classList.contains('my-call') && !table.due")
        assert browser.ask("document.getElementById('hand').contains(document.activeElement)") is False
        assert browser.ask("[...document.querySelectorAll('#table .tile.newest')].map(tile => tile.dataset.tile)") == [
            "p7"
        ]
        browser.press("Tab")  # goes on from the hand: to the first button, past the tiles
        wait_for(browser, "!table.due")
        assert browser.ask("document.activeElement.dataset.act") == "chi"
        held = browser.ask("[...document.querySelectorAll('#hand .pick')].map(tile => tile.dataset.tile)")
        used = browser.ask("[...document.querySelectorAll('#hand .used')].map(tile => tile.dataset.tile)")
        assert used == [tile for tile in ("p6", "p8") if tile in held]
        browser.ask(f"ask({{question: 100, options: {json.dumps([{'dapai': held[0]}])}}}), redraw()")
        wait_for(browser, "!document.body.classList.contains('my-call') && !table.due")
        assert browser.ask("document.querySelectorAll('#hand .used').length") == 0


def test_nothing_shines_through_a_result(browser: Browser, tmp_path: Path) -> None:
    colour = "getComputedStyle(document.getElementById('result')).backgroundColor"
    with seated(browser, tmp_path, SMALL):
        browser.ask(f"item({WIN}), redraw()")
        wait_for(browser, "document.getElementById('go-on')")
        for theme in ("light", "dark"):
            browser.ask(f"document.documentElement.dataset.theme = '{theme}'")
            assert browser.ask(colour).startswith("rgb("), theme  # of one that is not whole it says rgba(
        sides = """['result', 'go-on'].map(id => document.getElementById(id).closest('.go-on, #result'))
            .map(one => one.getBoundingClientRect()).map(({left, right, bottom}) => [left, right, bottom])"""
        (left, right, bottom), (first, last, below) = browser.ask(sides)
        assert (first - left, right - last, bottom - below) == pytest.approx((1, 1, 1), abs=16)
