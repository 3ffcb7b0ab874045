"""A reviewed game in a real browser: both choices at the options, and a key from one difference to the next."""

from pathlib import Path

import pytest

from jantaku.table.arena.forks.review import reviewed
from jantaku.table.play.seating.roster import enlist
from jantaku.table.records.journal.read import load
from jantaku.table.records.replay.reviewed import FORM, ReviewHead, WholeReview
from jantaku.table.records.view.riichi import viewed
from tests.kit.chromium import Browser
from tests.records.view.chromium import IN_A_BROWSER
from tests.records.view.pages import exported
from tests.records.view.screen import DESK, IN_SIGHT, PHONE
from tests.records.view.test_shell import violations

pytestmark = IN_A_BROWSER
NAME = "<b>tsumogiri</b>"
SMALL, LYING, TABLET = (360, 640), (844, 390), (820, 600)
POSITION = "document.getElementById('table').dataset.position"


@pytest.fixture(scope="module")
def review(game_folder: Path) -> WholeReview:
    record = load(game_folder / "game-0000.jsonl")
    assert record.rules is not None
    (entrant,) = enlist(["tsumogiri"])
    lines = [one.line for one in reviewed(record, record.rules, {1: entrant, 2: entrant})]
    head = ReviewHead(FORM, "1", "riichi", "game-0000.jsonl", "", NAME, record.names, [1, 2], record.rules)
    return WholeReview(head, lines)


@pytest.fixture(scope="module")
def export(game_folder: Path, review: WholeReview, tmp_path_factory: pytest.TempPathFactory) -> str:
    entry = viewed(load(game_folder / "game-0000.jsonl"), (), review).entry()
    return exported(tmp_path_factory.mktemp("export"), entry)


@pytest.mark.long
def test_a_key_leads_from_difference_to_difference(browser: Browser, export: str, review: WholeReview) -> None:
    browser.open(f"{export}#k=1&e=1&l=en", *DESK)
    count = browser.ask("document.querySelector('[data-jump=difference] small').textContent")
    assert 0 < int(count) <= len(review.differences)
    first = review.differences[0]
    browser.press("d")
    assert browser.ask(POSITION) == f"{first.kyoku}.{first.event}"
    assert browser.ask("document.querySelectorAll('.answer .review.differs').length") > 0
    assert browser.ask("document.querySelectorAll('.option.wished:not([aria-current=true])').length") > 0
    assert NAME in browser.ask("document.querySelector('.review.differs b').textContent")
    browser.press("d")
    assert browser.ask(POSITION) != f"{first.kyoku}.{first.event}"
    browser.press("D", shift=True)
    assert browser.ask(POSITION) == f"{first.kyoku}.{first.event}"


def in_sight(browser: Browser) -> list[bool]:
    """Of the decision that a link is about: who decided, both choices, and the hand."""
    seen: list[bool] = browser.ask(
        f"""(() => {{
            const said = [...document.querySelectorAll('#decisions .review.differs')].at(-1);
            const answer = document.querySelector('.answer.now:has(.differs)') ?? said.closest('.answer');
            const hand = document.querySelector(`.seat[data-player="${{answer.dataset.player}}"] .hand .tile`);
            const parts = ['header b', '.option.wished', '[aria-current=true]', '.review'];
            return [...parts.map(part => answer.querySelector(part)), hand].map({IN_SIGHT});
        }})()"""
    )
    return seen


@pytest.mark.long
@pytest.mark.parametrize("window", [SMALL, PHONE, LYING, DESK])
def test_a_link_to_a_decision_shows_it_at_once_with_the_hand_that_it_is_about(
    browser: Browser, export: str, review: WholeReview, window: tuple[int, int]
) -> None:
    for one in review.differences[:6]:
        browser.open(f"{export}#k={one.kyoku}&e={one.event}&l=en", *window)
        assert in_sight(browser) == [True] * 5, one
        assert browser.ask("document.documentElement.scrollWidth") <= window[0]
    for _ in range(6):
        browser.press("d")
        assert in_sight(browser) == [True] * 5


@pytest.mark.long
def test_a_link_on_a_tablet_scrolls_the_page_to_decisions(browser: Browser, export: str, review: WholeReview) -> None:
    for one in review.differences[:6]:
        browser.open(f"{export}#k={one.kyoku}&e={one.event}&l=en", *TABLET)
        assert in_sight(browser)[:4] == [True] * 4, one


def test_a_phone_shows_the_whole_page_again_and_the_next_difference_with_its_table(
    browser: Browser, export: str
) -> None:
    whole, view = (f"{IN_SIGHT}(document.getElementById('{name}'))" for name in ("whole", "view"))
    browser.open(f"{export}#k=1&e=1&l=en", *PHONE)  # where the page after a person's game leads to
    difference = "document.querySelector('[data-jump=difference]')"
    assert browser.ask(f"{IN_SIGHT}({difference})")
    browser.ask(f"{difference}.click()")
    assert in_sight(browser) == [True] * 5
    assert browser.ask(whole) and not browser.ask(view)
    browser.ask("document.getElementById('whole').click()")
    assert browser.ask(view) and not browser.ask(whole)
    browser.press("d")
    assert browser.ask(whole) and in_sight(browser) == [True] * 5


def test_a_game_that_nobody_reviewed_opens_as_a_whole_page_and_a_link_into_it_at_the_decision(
    browser: Browser, game_folder: Path, tmp_path: Path
) -> None:
    address = exported(tmp_path, load(game_folder / "game-0000.jsonl"))
    browser.open(f"{address}#k=1&e=1", *PHONE)
    assert browser.ask(f"{IN_SIGHT}(document.getElementById('view'))")
    browser.open(f"{address}#k=1&e=40", *PHONE)
    assert browser.ask(f"[...document.querySelectorAll('.answer header b, .seat.acting .hand .tile')].some({IN_SIGHT})")
    assert browser.ask(f"{IN_SIGHT}(document.querySelector('.answer header b'))")


@pytest.mark.peer
@pytest.mark.parametrize("window", [DESK, PHONE])
def test_axe_finds_nothing_at_a_difference(
    browser: Browser, export: str, peer_modules: Path, window: tuple[int, int]
) -> None:
    browser.open(f"{export}#k=1&e=1&l=en", *window)
    browser.press("d")
    assert violations(browser, peer_modules) == []
