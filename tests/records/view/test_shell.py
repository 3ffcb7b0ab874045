"""What stands around the table: names as long as strangers like, phones that lie, people without a mouse."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from jantaku.table.cli.commands.view import command as view
from jantaku.table.records.journal.read import Record
from jantaku.table.records.view.page import Entry
from jantaku.table.records.view.riichi import viewed
from jantaku.table.riichi import events
from tests.kit.chromium import Browser
from tests.records.view.screen import IN_A_BROWSER, exported, wait_for

pytestmark = IN_A_BROWSER

DESK, PHONE, LYING = (1280, 800), (390, 844), (844, 390)
LONG = ["n" * 40, "雀" * 40, "W" * 40, "short"]


@pytest.fixture(scope="module")
def export(record: Record, tmp_path_factory: pytest.TempPathFactory) -> str:
    made = viewed(record).entry()
    return exported(tmp_path_factory.mktemp("export"), Entry({**made.head, "player": LONG}, made.items))


CUT = """[...document.querySelectorAll(SELECTOR)].filter(one => {
    const box = one.getBoundingClientRect(), around = one.closest(AROUND).getBoundingClientRect();
    return box.left < around.left || box.right > around.right || one.scrollWidth > one.clientWidth + 1;
}).map(one => one.textContent)"""


def cut(browser: Browser, selector: str, around: str) -> list[str]:
    """The texts of the elements that are cut, or stick out of what is around them."""
    told: list[str] = browser.ask(CUT.replace("SELECTOR", repr(selector)).replace("AROUND", repr(around)))
    return told


@pytest.mark.long
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
    size = "one => Number.parseFloat(getComputedStyle(one).fontSize)"
    for what, least in ((".known b", 10), (".plate .score", 10), (".plate .name", 9), (".centre .counts", 8)):
        assert browser.ask(f"Math.min(...[...document.querySelectorAll('{what}')].map({size}))") >= least, what
    assert cut(browser, ".centre > *", ".centre") == []


@pytest.mark.long
@pytest.mark.parametrize("size", [PHONE, LYING])
def test_the_answer_that_was_not_played_is_in_view_where_a_fault_is_shown(
    browser: Browser, record: Record, tmp_path: Path, size: tuple[int, int]
) -> None:
    entry = viewed(record).entry()
    turns = [item for item in entry.items or [] if "answers" in item]
    for turn in (turns[20], turns[30]):
        turn["answers"][0] |= {"verdict": "illegal", "reason": "not offered"}
    browser.open(f"{exported(tmp_path, entry)}#fault", *size)
    seen = """(() => {
        const reason = document.querySelector('#decisions .reason').getBoundingClientRect();
        const bar = document.getElementById('controls').getBoundingClientRect();
        return reason.top >= 0 && reason.bottom <= bar.top;
    })()"""
    assert browser.ask(seen)
    browser.ask("scrollTo(0, 0); document.getElementById('side').scrollTo(0, 0)")
    browser.press("x")
    assert browser.ask(seen)


def test_the_list_tells_what_moved_totals_dealers_declarers(browser: Browser, export: str, record: Record) -> None:
    browser.open(f"{export}#k=1&e=1&l=en", *DESK)
    sums = """[...document.querySelectorAll('#list button')].map(row =>
        [...row.querySelectorAll('.sum')].map(sum => [...sum.children].slice(1).map(part => part.textContent)))"""
    told = browser.ask(sums)
    assert len(told) == len(record.log)
    for row, kyoku, later in zip(told, record.log, [*record.log[1:], None], strict=True):
        deal = kyoku[0]
        assert isinstance(deal, events.KyokuStart)
        declared = {fact.seat for fact in kyoku if isinstance(fact, events.TileDiscard) and fact.riichi}
        for player, (moved, total) in enumerate(row):
            seat = (player - deal.dealer) % 4
            assert ("dealer" in moved) == (seat == 0)
            assert ("Riichi" in moved) == (seat in declared)
            after = int(total.replace(",", ""))
            gained = int(moved.split()[-1].lstrip("親● ").replace(",", "").replace("−", "-"))
            assert deal.scores[seat] + gained == after
            if later is not None:
                following = later[0]
                assert isinstance(following, events.KyokuStart)
                assert following.scores[(player - following.dealer) % 4] == after


@pytest.mark.long
def test_a_round_is_gone_to_by_keyboard_and_the_chart_says_in_words_how_it_ends(
    browser: Browser, export: str, record: Record
) -> None:
    browser.open(f"{export}#k=1&e=1&l=en", *DESK)
    browser.ask("document.querySelector('#list [data-round=\"2\"]').focus()")
    browser.press("Enter")
    assert browser.ask("document.getElementById('table').dataset.position") == "3.1"
    assert browser.ask("document.querySelector('#list [aria-current]').dataset.round") == "2"
    assert browser.ask("document.querySelectorAll('#chart > svg .course').length") == 4
    said = browser.ask("document.querySelector('#chart svg').getAttribute('aria-label')")
    assert all(name in said for name in LONG)


@pytest.mark.long
def test_a_finger_steps_by_swipes_and_taps_and_a_mouse_does_not(browser: Browser, export: str) -> None:
    browser.open(f"{export}#k=1&e=10", *PHONE)
    touch = """(from, to, type = 'touch') => {
        const table = document.getElementById('table'), {top} = table.getBoundingClientRect();
        const at = clientX => ({clientX, clientY: top + 80, bubbles: true, isPrimary: true, pointerType: type});
        table.dispatchEvent(new PointerEvent('pointerdown', at(from)));
        table.dispatchEvent(new PointerEvent('pointerup', at(to)));
        return viewer.at.event + 1;
    }"""
    for begins, ends, position in ((300, 100, 11), (100, 300, 10), (300, 302, 11), (50, 50, 10), (200, 230, 10)):
        assert browser.ask(f"({touch})({begins}, {ends})") == position
    assert browser.ask(f"({touch})(300, 100, 'mouse')") == 10


@pytest.mark.long
def test_every_key_is_told_and_escape_leads_back(browser: Browser, export: str) -> None:
    browser.open(f"{export}#k=1&e=10&l=en", *DESK)
    browser.press("?")
    told = browser.ask("[...document.querySelectorAll('#keys kbd')].map(one => one.textContent).join(' ')").split()
    named = {"ArrowRight": "→", "ArrowLeft": "←", "ArrowUp": "↑", "ArrowDown": "↓"}
    named |= {"Escape": "Esc", " ": "Space", "-": "−"}
    known = browser.ask("Object.keys(keys(viewer, false))")
    untold = {"PageUp", "PageDown"}  # as [ and ]
    assert {named.get(key, key.upper() if len(key) == 1 else key) for key in known} - untold <= set(told)
    browser.press("Escape")
    assert not browser.ask("document.getElementById('help-box').open")


@pytest.fixture(scope="module")
def tree(record: Record, game_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a page made of a folder: a game in three formats, the same below, and what is no record."""
    folder = tmp_path_factory.mktemp("tree")
    for inside in (folder / "a", folder / "b" / "c"):
        shutil.copytree(game_folder, inside)
    (folder / "b" / "notes.json").write_text("{}")
    target = folder / "games.html"
    done = CliRunner().invoke(view, [str(folder), "--export", str(target)])
    assert done.exit_code == 0, done.output
    assert f"not shown: {folder / 'b' / 'notes.json'}: not a record" in done.output
    assert "2 records" in done.output
    return target.as_uri()


@pytest.mark.long
def test_a_folder_is_a_list_of_games_with_results_and_ways_back(browser: Browser, tree: str, record: Record) -> None:
    browser.open(f"{tree}#l=en", *DESK)
    browser.press("g")
    assert browser.ask("document.getElementById('games-box').open")
    rows = browser.ask("[...document.querySelectorAll('#games-list tr')].map(one => one.textContent)")
    assert record.final is not None
    assert len(rows) == 2
    told = [*zip(record.final.scores, record.names, strict=True)]
    assert all(f"{points:,}" in row and name in row for row in rows for points, name in told)
    assert rows[0].startswith("a/game-0000.jsonl") and rows[1].startswith("b/c/game-0000.jsonl")
    assert "notes.json: not a record" in browser.ask("document.getElementById('troubles').textContent")
    browser.ask("document.querySelectorAll('#games-list a')[1].click()")
    wait_for(browser, "document.getElementById('games').textContent === 'Games 2/2'")
    assert not browser.ask("document.getElementById('games-box').open")
    browser.press("p")
    wait_for(browser, "document.getElementById('games').textContent === 'Games 1/2'")
    browser.press("n")
    wait_for(browser, "document.getElementById('games').textContent === 'Games 2/2'")


AXE = "axe.run().then(told => told.violations.flatMap(one => one.nodes.map(node => `${one.id}: ${node.html}`)))"


def violations(browser: Browser, peer_modules: Path) -> list[str]:
    """What axe-core finds on the page as it stands."""
    browser.ask((peer_modules / "axe-core" / "axe.min.js").read_text("utf-8") + "; null")
    found: list[str] = browser.ask(AXE)
    return found


@pytest.mark.peer
@pytest.mark.parametrize("size", [DESK, PHONE, LYING])
def test_axe_finds_nothing_in_the_middle_at_a_win_or_where_keys_are_told(
    browser: Browser, export: str, peer_modules: Path, size: tuple[int, int]
) -> None:
    for event in (30, 9999):
        browser.open(f"{export}#k=1&e={event}", *size)
        assert violations(browser, peer_modules) == []
    browser.press("?")
    assert violations(browser, peer_modules) == []


@pytest.mark.peer
@pytest.mark.parametrize("size", [DESK, PHONE])
def test_axe_accepts_the_list_of_games(browser: Browser, tree: str, peer_modules: Path, size: tuple[int, int]) -> None:
    browser.open(tree, *size)
    browser.press("g")
    assert violations(browser, peer_modules) == []
