"""The first page of a server of riichi rooms in a real browser: strangers' names, keys, no fault that axe finds."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from jantaku.players.bots.tsumogiri import Tsumogiri
from tests.kit.chromium import Browser
from tests.records.view.screen import IN_A_BROWSER, wait_for
from tests.records.view.test_shell import DESK, LYING, PHONE, violations
from tests.serve.serving import Client, Served, Tapped, plan_of

pytestmark = IN_A_BROWSER

HOSTILE = "<img src=x onerror=alert(1)>"
TITLE = "<b>雀友会</b> " + "W" * 45


@pytest.fixture(scope="module")
def lobby(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A game is over, somebody waits."""
    plan = plan_of(tmp_path_factory.mktemp("lobby"), "ws,tsumogiri,tsumogiri,tsumogiri")
    waiting = plan_of(Path(plan.keeping.folder), "ws,ws,tsumogiri,tsumogiri")
    with Served(plan, rooms=("club", "other"), titles={"club": TITLE}) as served:
        player = Tapped(served.at("/play/club"), quote(HOSTILE), "majiang", Tsumogiri)
        served.outcome()
        player.join()
        room = served.house.get("other")
        assert room is not None
        room.plan = waiting
        client = Client(served.at(f"/play/other?name={quote(HOSTILE)}&key=k"))
        yield served.at("/").replace("ws:", "http:")
        client.close()


@pytest.mark.peer
@pytest.mark.parametrize("size", [DESK, PHONE, LYING])
def test_all_is_on_the_page_as_text_and_axe_finds_nothing(
    browser: Browser, lobby: str, peer_modules: Path, size: tuple[int, int]
) -> None:
    browser.open(lobby, *size)
    wait_for(browser, "document.querySelector('.seats')?.textContent !== undefined")
    wait_for(browser, "document.querySelector('#ended a')?.getAttribute('href') === '/record/0'")
    text = browser.ask("document.body.innerText")
    assert text.count(HOSTILE) >= 3 and TITLE in text
    assert browser.ask("document.querySelectorAll('img, b').length") == 0
    assert browser.ask("document.documentElement.scrollWidth") <= size[0]
    for theme in ("light", "dark"):
        browser.ask(f"document.documentElement.dataset.theme = '{theme}'")
        assert violations(browser, peer_modules) == []


@pytest.mark.long
def test_a_theme_is_chosen_and_kept(browser: Browser, lobby: str) -> None:
    browser.open(lobby, *DESK)
    for theme in ("light", "dark"):
        browser.ask("document.getElementById('theme').click()")
        assert browser.ask("getComputedStyle(document.documentElement).colorScheme") == theme
    browser.open(lobby, *PHONE)
    assert browser.ask("document.documentElement.dataset.theme") == "dark"
    browser.ask("document.getElementById('theme').click()")
    assert browser.ask("getComputedStyle(document.documentElement).colorScheme") == "light dark"


def test_a_command_is_reached_with_keys_and_copied(browser: Browser, lobby: str) -> None:
    browser.open(lobby, *DESK)
    wait_for(browser, "document.querySelector('.copyable button')")
    browser.ask("document.querySelector('details:has(#ways)').open = true")
    passed = []
    while (label := browser.ask("document.activeElement.getAttribute('aria-label')")) != "Copy: join with a bot":
        passed.append(label)
        assert len(passed) < 20, passed
        browser.press("Tab")
    browser.press("Enter")
    wait_for(browser, "document.getElementById('copied').textContent !== ''")
    told = browser.ask("String(getSelection())")
    assert told == f"jantaku join {lobby.split('/')[2]} --name NAME --bot shanten"


LANGUAGES = {"en": "[\\u3040-\\u30ff]", "ja": "\\b(?!lang)[A-Za-z]{3,}"}
"""What no text has in the other language: kana in English; words in Japanese, but for commands and names."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_lobby_speaks_one_language_at_a_time(browser: Browser, lobby: str, language: str) -> None:
    browser.open(lobby, *DESK)
    browser.ask(f"localStorage.setItem('jantaku.language', '{language}')")
    browser.open(lobby, *DESK)
    wait_for(browser, "document.querySelector('#ended li a') && document.querySelector('#rooms .seats')")
    browser.ask("document.querySelectorAll('details').forEach(one => (one.open = true))")
    said = """[...document.querySelectorAll('h2, summary, label, p, th[scope=col], a, li small, button')]
        .map(one => [one.textContent, one.getAttribute('aria-label') ?? ''].join(' ')).join(' ')"""
    left = browser.ask(f"({said}).replaceAll(/日本語|English|雀卓 jantaku|club|other|Ctrl|Python|host|QR/g, '')")
    left = left.replace(HOSTILE, "").replace(TITLE, "")
    assert re.findall(LANGUAGES[language].replace("\\\\", "\\"), left) == []
    browser.ask("localStorage.removeItem('jantaku.language')")


@pytest.mark.long
@pytest.mark.parametrize(("size", "rooms"), [(DESK, ()), (PHONE, ("club",))], ids=["a new room", "a free room"])
def test_play_now_sits_a_person_down_with_bots_without_typing(
    browser: Browser, tmp_path: Path, size: tuple[int, int], rooms: tuple[str, ...]
) -> None:
    plan = plan_of(tmp_path, "ws,ws,ws,ws", seed="9")
    with Served(plan, rooms=rooms, games=1) as served:
        browser.open(served.at("/").replace("ws:", "http:"), *size)
        wait_for(browser, "!document.getElementById('now').hidden && document.getElementById('state').textContent")
        browser.leave("document.getElementById('go').click()")
        wait_for(browser, "table.game?.rounds.length && (offered().length || table.result)")
        assert browser.ask("table.game.names.filter(name => name === 'Guest').length") == 1
        assert "now" not in browser.ask("location.hash")
