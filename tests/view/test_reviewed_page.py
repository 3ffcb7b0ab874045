"""A reviewed game in a real browser: both choices at the options, and a key from one difference to the next."""

from pathlib import Path

import pytest

from table.forks.reviewing import reviewed
from table.play.roster import enlist
from table.record.read import load
from table.replay.reviewed import FORM, ReviewHead, WholeReview
from table.testing.chromium import Browser
from table.view.page import Book, page
from table.view.riichi import viewed
from tests.view.chromium import IN_A_BROWSER
from tests.view.screen import DESK, PHONE
from tests.view.test_shell import violations

pytestmark = IN_A_BROWSER
NAME = "<b>tsumogiri</b>"
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
    path = tmp_path_factory.mktemp("export") / "game.html"
    path.write_bytes(page(Book([viewed(load(game_folder / "game-0000.jsonl"), (), review).entry()])).content)
    return path.as_uri()


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


@pytest.mark.peer
@pytest.mark.parametrize("window", [DESK, PHONE])
def test_axe_finds_nothing_at_a_difference(
    browser: Browser, export: str, peer_modules: Path, window: tuple[int, int]
) -> None:
    browser.open(f"{export}#k=1&e=1&l=en", *window)
    browser.press("d")
    assert violations(browser, peer_modules) == []
