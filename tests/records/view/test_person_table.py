"""The table of a person: rivers are large, closed tiles small, and no tile lies over another one."""

from pathlib import Path

import pytest

from tests.kit.cases import text_of
from tests.kit.chromium import Browser
from tests.records.view.chromium import IN_A_BROWSER
from tests.records.view.screen import DESK, PHONE
from tests.records.view.test_person import seated

pytestmark = IN_A_BROWSER

FULL = text_of("pages/full_table.js")
"""Lay as much as there can be at every seat; return what lies over what."""


@pytest.mark.long
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_no_tile_lies_over_another_however_many_lie(browser: Browser, tmp_path: Path, size: tuple[int, int]) -> None:
    with seated(browser, tmp_path, size):
        for hand, back, meld, count in (
            (13, "back", "kan", 0),
            (13, "", "kan", 0),
            (1, "back", "kan", 4),
            (1, "back", "added", 4),
            (1, "", "added", 4),
            (1, "", "kan", 4),
            (7, "", "added", 2),
        ):
            assert browser.ask(f"{FULL}({hand}, '{back}', '{meld}', {count})") == []


@pytest.mark.long
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_a_discard_is_larger_than_a_closed_tile_and_no_wall_takes_its_room(
    browser: Browser, tmp_path: Path, size: tuple[int, int]
) -> None:
    width = "(one => document.querySelector(one).offsetWidth)"
    with seated(browser, tmp_path, size):
        browser.ask(f"{FULL}(13, 'back', 'kan', 0)")
        river, closed, table = (
            browser.ask(f"{width}('{one}')")
            for one in (".place2 .river .tile:not(.bent)", ".place2 .hand .tile", "#table")
        )
        assert river > 1.4 * closed and river > table / 21
        assert browser.ask("document.querySelector('.wall').offsetHeight") == 0
