"""The report of a match, the page of what changed and what a notebook shows, in a browser: whatever names are in
them, they fit the screen and are readable."""

from pathlib import Path

import pytest

from jantaku.table.arena.comparing.words import change_parts
from jantaku.table.arena.forks.gains import JudgedFork
from jantaku.table.arena.match.figures.games import PlayedGames
from jantaku.table.arena.match.figures.summary import TimeLine, Times
from jantaku.table.arena.match.figures.tally import MatchTally
from jantaku.table.arena.match.figures.timing import timing
from jantaku.table.arena.match.report.document import Document, page_of
from jantaku.table.arena.match.report.report import Content, write_report
from jantaku.table.languages.majiang.rule import Item
from jantaku.table.records.convert.readers import read_any
from tests.arena.match.matches import line
from tests.kit.cases import cases
from tests.kit.chromium import Browser
from tests.records.view.screen import IN_A_BROWSER
from tests.records.view.test_shell import violations

pytestmark = IN_A_BROWSER

NAMES = ("a" * 70, "長" * 40, "dice", "b-" * 40)
OUTSIDE = """[...document.querySelectorAll("h1, h2, p, dd, svg, .wide")].filter(element => {
    const { left, right } = element.getBoundingClientRect();
    return left < 0 || right > document.documentElement.clientWidth + 1;
}).length + (document.documentElement.scrollWidth > document.documentElement.clientWidth ? 1000 : 0)"""
CUT = """[...document.querySelectorAll("td")].filter(cell => cell.scrollWidth > cell.clientWidth + 1).length"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    tally, games = MatchTally(NAMES), PlayedGames()
    for number in range(12):
        played = line(
            number, number // 4, NAMES, (1, 2, 3, 4) if number % 3 else (2, 1, 4, 3), (63.2, 1.0, -20.0, -44.2)
        )
        tally.add(played)
        games.add_line(played, Path("game.jsonl"))
    times = [TimeLine(0, NAMES, tuple(Times(0.4, {"1.0e-03": 99, "3.0e-01": 1}) for _ in NAMES))]
    path = tmp_path_factory.mktemp("report") / "report.html"
    content = Content({"seed": "7" * 100}, tally.points, tally.figures(), timing(times, NAMES), games)
    assert write_report(path, content) == ""
    return path.as_uri()


@pytest.mark.long
@pytest.mark.parametrize("width", [390, 844, 1280])
def test_long_names_push_nothing_off_the_page(browser: Browser, page: str, width: int) -> None:
    browser.open(page, width, 800)
    assert (browser.ask(OUTSIDE), browser.ask(CUT), browser.errors) == (0, 0, [])


def test_what_scrolls_is_reached_by_the_keyboard_and_has_a_name(browser: Browser, page: str) -> None:
    browser.open(page, 390, 800)
    reached = "[...document.querySelectorAll('.wide')].every(one => one.tabIndex === 0 && one.ariaLabel)"
    assert browser.ask(reached) is True
    assert browser.ask("document.querySelectorAll('.wide').length") == 6


@pytest.mark.peer
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("of", ["match", "changes"])
def test_axe_finds_nothing(browser: Browser, page: str, changes: str, peer_modules: Path, of: str, scheme: str) -> None:
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.open(page if of == "match" else changes, 390, 844)
    assert violations(browser, peer_modules) == []
    browser.call("Emulation.setEmulatedMedia", features=[])


def test_the_reader_chooses_light_or_dark_without_a_script(browser: Browser, page: str) -> None:
    browser.open(page, 1280, 800)
    paper = "getComputedStyle(document.body).backgroundColor"
    choose = "document.querySelector('select').value = '{}', " + paper
    dark, light = "rgb(12, 31, 27)", "rgb(243, 239, 228)"
    assert [browser.ask(choose.format(theme)) for theme in ("dark", "light", "system")] == [dark, light, light]


def test_the_page_is_dark_where_the_reader_is_and_light_on_paper(browser: Browser, page: str) -> None:
    paper = "getComputedStyle(document.body).backgroundColor"
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    browser.call("Emulation.setEmulatedMedia", features=dark)
    browser.open(page, 1280, 800)
    assert browser.ask(paper) == "rgb(12, 31, 27)"
    browser.call("Emulation.setEmulatedMedia", media="print", features=dark)
    assert browser.ask(paper) == "rgb(255, 255, 255)"
    browser.call("Emulation.setEmulatedMedia", media="", features=[])


OUTPUT = """<!doctype html><html lang="en" {html}><title>notebook</title><body {body}><main><h1>Notebook</h1>
<table id="other"><tr><td>1</td></tr></table>{shown}</main></body></html>"""
LIGHT, DARK = "rgb(255, 253, 247)", "rgb(22, 48, 42)"


@pytest.mark.parametrize("system", ["light", "dark"])
@cases(
    "html, body, ground",
    ("", 'data-jp-theme-light="false"', DARK),
    ("", 'data-jp-theme-light="true"', LIGHT),
    ("", 'class="vscode-dark"', DARK),
    ("", 'class="vscode-light"', LIGHT),
    ('theme="dark"', "", DARK),
    ("", "", ""),
)
@pytest.mark.peer
def test_it_is_dark_where_the_notebook_is_and_else_as_the_system(
    browser: Browser,
    game_folder: Path,
    tmp_path: Path,
    peer_modules: Path,
    system: str,
    html: str,
    body: str,
    ground: str,
) -> None:
    shown = read_any(game_folder / "game-0000.jsonl")._repr_html_()
    (tmp_path / "notebook.html").write_text(OUTPUT.format(html=html, body=body, shown=shown))
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": system}])
    browser.open((tmp_path / "notebook.html").as_uri(), 900, 700)
    seen = browser.ask("getComputedStyle(document.querySelector('.jantaku')).backgroundColor")
    assert seen == (ground or {"light": LIGHT, "dark": DARK}[system])
    assert browser.ask("getComputedStyle(document.querySelector('#other td')).textAlign") in ("start", "left")
    assert violations(browser, peer_modules) == []
    browser.call("Emulation.setEmulatedMedia", features=[])


REPLIES: tuple[tuple[Item, Item], ...] = (
    ({"dapai": "m4*"}, {"dapai": "m4_"}),
    ({}, {"fulou": "m1-23"}),
    ({"gang": "m1111"}, {"hule": "-"}),
)


@pytest.fixture(scope="module")
def changes(tmp_path_factory: pytest.TempPathFactory) -> str:
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
    path.write_bytes(page_of(Document("a → b", ["b is better."], {}, parts)))
    return path.as_uri()


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_nothing_is_pushed_off_the_page_of_changes(browser: Browser, changes: str, width: int) -> None:
    browser.open(changes, width, 900)
    assert (browser.ask(OUTSIDE), browser.ask(CUT), browser.errors) == (0, 0, [])
    kinds = "[...document.querySelectorAll('section:nth-of-type(2) tbody th')].map(one => one.textContent)"
    assert browser.ask(kinds) == ["kan → win", "riichi → discard", "pass → call"]
    first = "[...document.querySelectorAll('section:nth-of-type(3) tbody tr:first-child *')].map(p => p.textContent)"
    assert browser.ask(first)[:4] == ["+0.300 ± 0.200", "+9.00", "riichi with m4", "discard the drawn m4"]
