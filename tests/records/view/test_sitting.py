"""A person sits down in a real browser and plays 大富豪 with programs: what is offered, what is not, coming back."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.daifugo import neof5
from jantaku.table.daifugo.cards import NAMES, cards_text, parse_cards
from jantaku.table.daifugo.journals.record import load, verify
from jantaku.table.daifugo.legal import Reason, legal_plays
from jantaku.table.daifugo.players import DaifugoGreedy
from jantaku.table.daifugo.rooms import room
from jantaku.table.daifugo.rooms.chairs import AWAY, VisitorChair
from jantaku.table.daifugo.rooms.notices import RoomState
from tests.daifugo.rooms.guests import PATIENCE, Client, House, house_of
from tests.daifugo.walk import rules
from tests.kit.chromium import Browser
from tests.kit.processes import wait_until
from tests.records.view.screen import DESK, IN_A_BROWSER, IN_SIGHT, PHONE, wait_for
from tests.records.view.test_shell import violations

pytestmark = IN_A_BROWSER

FOUR = rules("B", game__seats="4", series__rounds="2")
MINE = "document.body.classList.contains('my-turn')"
OVER = "document.querySelector('#state').textContent.includes('over')"
SCHEME = "getComputedStyle(document.documentElement).colorScheme"
ENGLISH, JAPANESE = "[A-Za-z]{3}", "[\\u3040-\\u30ff\\u4e00-\\u9fff]"
"""What only sentences in one language have."""
ALL_WORDS = """[document.body.innerText, ...[...document.querySelectorAll('body [aria-label], body [placeholder]')].map(
    one => `${one.getAttribute('aria-label') ?? ''} ${one.getAttribute('placeholder') ?? ''}`)].join(' ')
    .replaceAll(/大富豪|花子|日本語|English|bot|Space|Enter|Esc/g, '')"""
"""Everything that the page says, seen or heard, but for names."""
HAND = """[...document.querySelectorAll('#hand button')].map(card =>
    ({card: card.dataset.card, can: card.getAttribute('aria-disabled') === 'false',
      marked: card.classList.contains('cannot'), chosen: card.getAttribute('aria-pressed') === 'true'}))"""


def http(house: House, path: str) -> str:
    return house.url(path).replace("ws:", "http:")


def click(browser: Browser, selector: str) -> None:
    browser.ask(f"document.querySelector({json.dumps(selector)}).click()")


def word(browser: Browser) -> str:
    text: str = browser.ask("document.getElementById('word').textContent")
    return text


def hand(browser: Browser) -> list[dict[str, Any]]:
    cards: list[dict[str, Any]] = browser.ask(HAND)
    return cards


def chosen(browser: Browser) -> list[str]:
    return [card["card"] for card in hand(browser) if card["chosen"]]


@contextmanager
def with_three_bots(browser: Browser, size: tuple[int, int], **more: Any) -> Iterator[House]:
    """A room of four, three programs in it, and a person who sits down on the page of the room."""
    with house_of(FOUR, **more) as house:
        for number in range(3):
            Client(house.url("/play/B/R?name=bot"), FOUR, DaifugoGreedy()).started()
            house.seated("R", number + 1)
        browser.open(http(house, "/"), *size)
        wait_for(browser, "document.querySelector('a[href=\"/watch/R\"]')")
        browser.open(http(house, "/watch/R"), *size)
        wait_for(browser, "!document.getElementById('entry').hidden")
        browser.ask("document.getElementById('name').value = '花子'")
        browser.leave("document.getElementById('entry').requestSubmit()")
        house.seated("R", 4)
        yield house


def is_next_turn(browser: Browser) -> bool:
    """Wait for the person's turn, or for the end of the series."""
    wait_for(browser, f"{MINE} || {OVER}")
    return not browser.ask(OVER)


def offered(browser: Browser) -> list[tuple[int, ...]]:
    """What the rules allow, found without the page; the marks of the cards say the same."""
    shown = browser.ask("table.shown")
    held = parse_cards(shown["Deck"])
    top = parse_cards(shown["Ba"][-1]) if shown["Ba"] else ()
    plays = legal_plays(FOUR, held, top, shown["IsKakumei"])
    useful = {NAMES[card] for play in plays for card in play}
    assert {card["card"] for card in hand(browser)} == {NAMES[card] for card in held}
    for card in hand(browser):
        assert card["can"] is (card["card"] in useful) is not card["marked"]
    passing = browser.ask("document.getElementById('pass').getAttribute('aria-disabled')") == "false"
    assert passing is (() in plays)
    return plays


def try_what_is_forbidden(browser: Browser) -> None:
    before = browser.ask("hand.choice.Question")
    click(browser, "#put")
    assert word(browser) == "Choose cards first."
    if browser.ask("document.getElementById('pass').getAttribute('aria-disabled')") == "true":
        click(browser, "#pass")
        assert word(browser) == "The leader may not pass."
    for card in hand(browser):
        if not card["can"]:
            click(browser, f"#hand [data-card={card['card']}]")
            assert word(browser).endswith(" cannot be played now.") and chosen(browser) == []
            break
    assert browser.ask("hand.choice.Question") == before


def play(browser: Browser, cards: tuple[int, ...], *, keys: bool) -> None:
    question = browser.ask("hand.choice.Question")
    if not cards:
        browser.press("p") if keys else click(browser, "#pass")
    for card in cards_text(cards).split():
        if keys:
            browser.ask(f"document.querySelector('#hand [data-card={card}]').focus()")
            browser.press(" ")
        else:
            click(browser, f"#hand [data-card={card}]")
    if cards:
        assert set(chosen(browser)) == set(cards_text(cards).split())
        browser.press("Enter") if keys else click(browser, "#put")
    wait_for(browser, f"hand.choice?.Question !== {question}")


@pytest.mark.long
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["1280", "390"])
def test_a_person_plays_a_series_with_three_bots_and_finds_back_to_the_seat(
    size: tuple[int, int], browser: Browser, tmp_path: Path
) -> None:
    with with_three_bots(browser, size, folder=tmp_path) as house:
        turns = 0
        while is_next_turn(browser):
            plays = offered(browser)
            for parts in ("#hand button, #buttons button:not([hidden])", ".play:last-child .card"):
                assert browser.ask(f"[...document.querySelectorAll('{parts}')].every({IN_SIGHT})"), parts
            try_what_is_forbidden(browser)
            if turns == 1:
                leave_and_come_back(browser, house, size)
            # Whole sets where there are any, so that a set is tried; then a pass now and then, and weak cards.
            play(browser, plays[-1] if turns % 3 else plays[0], keys=turns % 2 == 1)
            turns += 1
        assert turns > 4
        assert browser.ask("document.querySelectorAll('#standings tbody tr').length") == 4
        assert browser.ask("document.documentElement.scrollWidth") <= size[0]
        assert house.room("R").wait(PATIENCE)
    record = load(next(tmp_path.glob("R-*.jsonl")))
    assert record.header.player == ("bot", "bot (2)", "bot (3)", "花子")
    done = verify(record, record.rules)
    assert done.complete and done.rounds == 2
    answers = [answer for _, line in record.lines for answer in line.get("answers", [])]
    assert {answer["verdict"] for answer in answers} == {"ok"}


@pytest.mark.peer
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["1280", "390"])
def test_axe_accepts_the_lobby_a_turn_and_the_end(size: tuple[int, int], browser: Browser, peer_modules: Path) -> None:
    with house_of(FOUR) as house:
        browser.open(http(house, "/"), *size)
        for theme in ("light", "dark"):
            click(browser, "#theme")
            assert browser.ask(SCHEME) == theme
            assert violations(browser, peer_modules) == []
    with with_three_bots(browser, size):
        turns = 0
        while is_next_turn(browser):
            if turns < 2:
                click(browser, "#theme")
                assert browser.ask(SCHEME) == ("light", "dark")[turns]
                assert violations(browser, peer_modules) == []
            play(browser, offered(browser)[-1], keys=False)
            turns += 1
        assert turns and violations(browser, peer_modules) == []


def leave_and_come_back(browser: Browser, house: House, size: tuple[int, int]) -> None:
    """In the middle of a turn. No secret is in an address, and nobody else could come back here."""
    address, before = browser.ask("location.href"), browser.ask("table.shown")
    assert address == http(house, "/sit/B/R")
    browser.open("about:blank", *size)
    wait_until(lambda: house.room("R").chairs[3].shown == "花子(離脱)")
    browser.open(http(house, "/watch/R"), *size)
    wait_for(browser, "!document.getElementById('back').hidden")
    browser.leave("document.getElementById('back').click()")
    wait_for(browser, MINE)
    assert browser.ask("table.shown") == before and browser.ask("hand.choice.Seconds < hand.choice.Allowed")


def test_a_person_is_told_why_when_the_time_was_up(browser: Browser) -> None:
    with with_three_bots(browser, PHONE, limit=0.5):
        wait_for(browser, "document.getElementById('why').textContent.startsWith('Time was up: the table')")


@pytest.mark.long
def test_a_person_who_lets_all_time_pass_is_stuck_nowhere_and_starts_the_next_series(browser: Browser) -> None:
    with with_three_bots(browser, PHONE, limit=0.03) as house:
        wait_for(browser, f"{OVER} && !document.getElementById('start').hidden")
        click(browser, "#start")
        wait_until(lambda: house.room("R").notice.series == 2 and house.room("R").notice.state is RoomState.OVER)
        wait_for(browser, OVER)
        assert len(house.room("R").notice.standings) == 4


def test_a_room_that_cannot_be_says_why(browser: Browser) -> None:
    with house_of(FOUR) as house:
        browser.open(http(house, "/watch/a%3Cb"), *PHONE)
        wait_for(browser, "document.getElementById('state').textContent.startsWith(\"room 'a<b' is not a valid name\")")


def test_a_quick_play_begins_at_once_and_a_second_tab_takes_the_seat_over(browser: Browser) -> None:
    with house_of(FOUR) as house:
        browser.open(http(house, "/"), *PHONE)
        browser.leave("document.getElementById('quick').requestSubmit()")
        wait_for(browser, MINE)
        address = browser.ask("location.href")
        assert address.startswith(http(house, "/sit/A/Q-"))
        key, room = browser.ask("[ownSeat(sitRoom).key, sitRoom]")
        with house.guest(f"/play/A/{room}?name=Guest&key={key}") as tab:
            assert tab.next()["Kind"] == "ProcessTurn"
            wait_for(
                browser, "document.getElementById('word').textContent.startsWith('This seat was opened in another tab')"
            )
            click(browser, "#again")
            wait_for(browser, MINE)
            assert tab.closed() == (1000, "the same program has connected once more")


def test_a_link_brings_a_seat_from_another_device_and_is_given_on(browser: Browser) -> None:
    with house_of(FOUR) as house:
        browser.open(http(house, "/sit/B/R#name=%E8%8A%B1%E5%AD%90&key=secret"), *PHONE)
        house.seated("R", 1)
        assert house.room("R").chairs[0].name == "花子" and browser.ask("location.hash") == ""
        assert browser.ask("ownSeat('R').key") == "secret"
        click(browser, "#link")
        wait_for(browser, "/your (seat|other)|^Copy this: /.test(document.getElementById('why').textContent)")


def settled(browser: Browser, size: tuple[int, int]) -> None:
    """A page in English, then in Japanese, says nothing in the other language."""
    for language, foreign in (("en", JAPANESE), ("ja", ENGLISH)):
        if browser.ask("LANGUAGE") != language:
            click(browser, "#language")
        assert browser.ask("document.documentElement.lang") == language
        assert browser.ask(f"{ALL_WORDS}.match(new RegExp('.{{0,9}}{foreign}.{{0,9}}'))?.[0]") is None
        assert "undefined" not in browser.ask(ALL_WORDS)
        assert browser.ask("document.documentElement.scrollWidth") <= size[0]
    click(browser, "#language")


@pytest.mark.long
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["1280", "390"])
def test_every_page_speaks_one_language_at_a_time(size: tuple[int, int], browser: Browser) -> None:
    said = {"Kind": "Tweet", "PlayerNum": 0, "Message": "（サーバ処理：タイムアウト）"}
    with with_three_bots(browser, size) as house:
        turns = 0
        while is_next_turn(browser):
            if turns < 3:
                browser.ask(f"heardTweet({json.dumps(said)})")
                settled(browser, size)
                assert "(the time was up)" in browser.ask("document.getElementById('tweets').textContent")
            play(browser, offered(browser)[-1], keys=False)
            turns += 1
        settled(browser, size)
        for path, ready in (("/watch/R", "#standings tr"), ("/", "#rooms-B li")):
            browser.open(http(house, path), *size)
            wait_for(browser, f"document.querySelector('{ready}')")
            settled(browser, size)


def test_the_language_that_was_chosen_is_kept_from_page_to_page(browser: Browser) -> None:
    with house_of(FOUR) as house:
        browser.open(http(house, "/"), *PHONE)
        assert browser.ask("document.documentElement.lang") == "en"  # as the browser has it
        click(browser, "#language")
        browser.leave("document.getElementById('quick').requestSubmit()")
        wait_for(browser, MINE)
        assert word(browser) == "あなたの番です"


def test_the_page_says_which_rules_are_on(browser: Browser) -> None:
    told = "[...document.querySelectorAll('#rules p')].map(line => line.textContent.replaceAll(/\\s+/g, ' '))"
    with house_of(rules("B", kaidan__length="any")) as house:
        shown = {}
        for letter in "AB":
            browser.open(http(house, f"/sit/{letter}/{letter}#name=x&key=k"), *PHONE)
            wait_for(browser, "document.querySelector('#rules p')")
            shown[letter] = browser.ask(told)
        with_a, without_a = shown["A"]
        assert "revolution" in with_a and "kaidan" not in with_a and "kaidan" in without_a and "8-cut" in without_a
        with_b, without_b = shown["B"]
        assert "kaidan (3 or more of a suit in a row), answered by any number" in with_b and "kaidan" not in without_b


def test_a_name_that_is_cut_is_told_whole_where_the_mouse_points(browser: Browser) -> None:
    with house_of(FOUR) as house:
        browser.open(http(house, "/sit/B/R#name=daifugo-weakest-of-all-of-them&key=k"), *PHONE)
        wait_for(browser, "document.querySelector('.name')")
        assert browser.ask("document.querySelector('.name').title") == "daifugo-weakest-of-all-of-them"


def test_the_page_knows_the_texts_that_the_server_sends_to_every_program(browser: Browser) -> None:
    with house_of(FOUR) as house:
        browser.open(http(house, "/sit/B/R#name=x&key=k"), *PHONE)
        assert browser.ask("[TIMED_OUT, AWAY, MOVED]") == [neof5.TIMED_OUT, AWAY, VisitorChair.back]
        texts = [Reason.NOT_YOUR_TURN, Reason.LEADER_PASSES, room.NOT_BEGUN, room.RUNNING, room.CLOSED]
        assert browser.ask("Object.keys(REFUSALS)") == texts
        assert browser.ask("Object.values(REFUSALS).every(key => word(key))")
