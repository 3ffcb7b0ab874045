"""Strangers' texts in a real browser: nothing of them runs or becomes markup."""

from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.serving import Failed
from tests.records.view import strangers
from tests.records.view.payloads import PAYLOADS
from tests.records.view.screen import IN_A_BROWSER
from tests.records.view.strangers import ROUND, browsing, clean, exported, live, report, rooms, series, served

pytestmark = IN_A_BROWSER


@pytest.mark.long
def test_what_strangers_write_does_not_run_in_a_record_that_is_viewed(tmp_path: Path) -> None:
    assert served(tmp_path) == f"{5 * len(PAYLOADS)} pictures"


@pytest.mark.long
def test_what_strangers_write_does_not_run_in_a_daifugo_series(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fields whose value can be any text."""
    monkeypatch.setattr(strangers, "SERIES_FIELDS", ("name", "title", "note", "verdict", "reason", "foul"))
    assert series(tmp_path) == f"{6 * len(ROUND) * len(PAYLOADS)} pictures"


@pytest.mark.hostile
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("page", [exported, live, rooms, series])
def test_what_strangers_write_does_not_run_on_any_page(page: Callable[[Path], str], tmp_path: Path) -> None:
    assert page(tmp_path)


@pytest.mark.long
def test_what_strangers_write_does_not_run_in_a_report(tmp_path: Path) -> None:
    assert report(tmp_path) == f"{len(PAYLOADS)} players"


@pytest.mark.long
@pytest.mark.parametrize("payload", ["<img src=x onerror=hit(3)>", "<details open ontoggle=hit(14)>"])
def test_a_page_that_makes_markup_of_a_name_is_found_out(tmp_path: Path, payload: str) -> None:
    """Else nothing would follow from the others."""
    path = tmp_path / "page.html"
    path.write_text(f"<!doctype html><meta charset=utf-8><p>{payload}</p>")
    with browsing(tmp_path) as browser:
        browser.open(path.as_uri(), 800, 600)
        with pytest.raises(Failed, match="markup"):
            clean(browser)
