"""What stands around the table: names as long as strangers like, phones that lie, people without a mouse."""

from pathlib import Path

import pytest

from scripts.pages.chromium import Browser
from table.convert.reading import read_any
from table.view.page import Book, Entry, page
from table.view.riichi import viewed
from tests.view.chromium import IN_A_BROWSER

pytestmark = IN_A_BROWSER

DESK, PHONE, LYING = (1280, 800), (390, 844), (844, 390)
LONG = ["n" * 40, "雀" * 40, "W" * 40, "short"]


@pytest.fixture(scope="module")
def entry(game_folder: Path) -> Entry:
    """A game between people with long names."""
    made = viewed(read_any(game_folder / "game-0000.jsonl").record).entry()
    return Entry({**made.head, "player": LONG}, made.items)


@pytest.fixture(scope="module")
def export(entry: Entry, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("export") / "game.html"
    path.write_bytes(page(Book([entry])).content)
    return path.as_uri()


CUT = """[...document.querySelectorAll(SELECTOR)].filter(one => {
    const box = one.getBoundingClientRect(), around = one.closest(AROUND).getBoundingClientRect();
    return box.left < around.left || box.right > around.right || one.scrollWidth > one.clientWidth + 1;
}).map(one => one.textContent)"""


def cut(browser: Browser, selector: str, around: str) -> list[str]:
    """The texts of the elements that are cut, or stick out of what is around them."""
    told: list[str] = browser.ask(CUT.replace("SELECTOR", repr(selector)).replace("AROUND", repr(around)))
    return told


@pytest.mark.parametrize("size", [DESK, PHONE, LYING])
def test_no_name_pushes_an_amount_out(browser: Browser, export: str, size: tuple[int, int]) -> None:
    browser.open(f"{export}#k=1&e=9999&l=en", *size)
    assert browser.ask("document.querySelectorAll('#result b').length") >= 4
    assert cut(browser, "#result b", "#result") == []
    assert cut(browser, ".plate .score", "body") == []
    assert browser.ask("document.documentElement.scrollWidth") <= size[0]
    browser.ask("viewer.goto(99, 9999)")
    assert browser.ask("document.querySelectorAll('.final b').length") == 4
    assert cut(browser, ".final b, .final span:nth-child(2)", "#result") == []


def test_a_phone_that_lies_shows_the_whole_table_and_every_control(browser: Browser, export: str) -> None:
    width, height = LYING
    browser.open(f"{export}#k=1&e=60", *LYING)
    for what in ("#table", "#controls", "#bar", ".place0 .hand .tile:first-child"):
        box = browser.ask(f"document.querySelector('{what}').getBoundingClientRect().toJSON()")
        assert box["left"] >= 0, what
        assert box["top"] >= 0, what
        assert box["right"] <= width, what
        assert box["bottom"] <= height, what
    assert browser.ask("Math.min(...[...document.querySelectorAll('.hand .tile')].map(t => t.offsetWidth))") >= 18


AXE = "axe.run().then(told => told.violations.flatMap(one => one.nodes.map(node => `${one.id}: ${node.html}`)))"


def violations(browser: Browser, peer_modules: Path) -> list[str]:
    """What axe-core finds on the page as it stands."""
    browser.ask((peer_modules / "axe-core" / "axe.min.js").read_text("utf-8") + "; null")
    found: list[str] = browser.ask(AXE)
    return found


@pytest.mark.peer
@pytest.mark.parametrize("size", [DESK, PHONE, LYING])
def test_axe_finds_nothing_at_a_win_or_in_the_middle(
    browser: Browser, export: str, peer_modules: Path, size: tuple[int, int]
) -> None:
    for event in (30, 9999):
        browser.open(f"{export}#k=1&e={event}", *size)
        assert violations(browser, peer_modules) == []
