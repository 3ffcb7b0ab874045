"""Strangers' texts in a real browser: nothing of them runs or becomes markup. All: `scripts/checks attacks`."""

from pathlib import Path

import pytest

from scripts.attacks import pages
from scripts.attacks.kit.attack import Failed
from scripts.attacks.pages import ROUND, browsing, clean, report, series, served
from scripts.pages.payloads import PAYLOADS
from tests.records.view.chromium import IN_A_BROWSER

pytestmark = IN_A_BROWSER


def test_what_strangers_write_does_not_run_in_a_record_that_is_viewed(tmp_path: Path) -> None:
    assert served(tmp_path) == f"{5 * len(PAYLOADS)} pictures"


def test_what_strangers_write_does_not_run_in_a_series_of_daifugo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fields whose value can be any text; all others are tried by scripts/attacks."""
    monkeypatch.setattr(pages, "SERIES_FIELDS", ("name", "title", "note", "verdict", "reason", "foul"))
    assert series(tmp_path) == f"{6 * len(ROUND) * len(PAYLOADS)} pictures"


def test_what_strangers_write_does_not_run_in_a_report(tmp_path: Path) -> None:
    assert report(tmp_path) == f"{len(PAYLOADS)} players"


@pytest.mark.parametrize("payload", ["<img src=x onerror=hit(3)>", "<details open ontoggle=hit(14)>"])
def test_a_page_that_makes_markup_of_a_name_is_found_out(tmp_path: Path, payload: str) -> None:
    """Else nothing would follow from the others."""
    path = tmp_path / "page.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><p>{payload}</p>")
    with browsing(tmp_path) as browser:
        browser.open(path.as_uri(), 800, 600)
        with pytest.raises(Failed, match="markup"):
            clean(browser)
