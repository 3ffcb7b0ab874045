"""The page of what changed in a browser: it fits the screen, light and dark, and axe finds nothing."""

from pathlib import Path

import pytest

from jantaku.table.arena.comparing.words import change_parts
from jantaku.table.arena.forks.gains import JudgedFork
from jantaku.table.arena.match.report.document import Document, page_of
from jantaku.table.languages.majiang.rule import Item
from tests.kit.chromium import Browser
from tests.records.view.chromium import IN_A_BROWSER
from tests.records.view.test_report_page import CUT, OUTSIDE
from tests.records.view.test_shell import violations

pytestmark = IN_A_BROWSER
REPLIES: tuple[tuple[Item, Item], ...] = (
    ({"dapai": "m4*"}, {"dapai": "m4_"}),
    ({}, {"fulou": "m1-23"}),
    ({"gang": "m1111"}, {"hule": "-"}),
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    found = [
        JudgedFork(
            game=number,
            kyoku=1,
            name="東1局0本場",
            turn=17,
            event=34,
            before=0,
            player=0,
            kind="discard",
            hand="m477p89s11134z666p7",
            played=played,
            said=said,
            rank=0.3 - number / 8,
            half=0.2,
            points=9.0,
            walls=8,
            verdict="ok",
        )
        for number, (played, said) in enumerate(REPLIES * 2)
    ]
    parts = change_parts(("a" * 70, "<b>"), found, 8.0, 100, (1, 3, 5), "A link opens the game.")
    path = tmp_path_factory.mktemp("changes") / "report.html"
    path.write_bytes(page_of(Document("a → b", ["b is better."], {}, parts)).content)
    return path.as_uri()


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_nothing_is_pushed_off_the_page(browser: Browser, page: str, width: int) -> None:
    browser.open(page, width, 900)
    assert (browser.ask(OUTSIDE), browser.ask(CUT), browser.errors) == (0, 0, [])
    kinds = "[...document.querySelectorAll('section:nth-of-type(2) tbody th')].map(one => one.textContent)"
    assert browser.ask(kinds) == ["kan → win", "riichi → discard", "pass → call"]
    first = "[...document.querySelectorAll('section:nth-of-type(3) tbody tr:first-child *')].map(p => p.textContent)"
    assert browser.ask(first)[:4] == ["+0.300 ± 0.200", "+9.00", "riichi with m4", "discard the drawn m4"]


@pytest.mark.peer
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, page: str, peer_modules: Path, scheme: str) -> None:
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.open(page, 390, 844)
    assert violations(browser, peer_modules) == []
    browser.call("Emulation.setEmulatedMedia", features=[])
