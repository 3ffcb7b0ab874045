"""The site of a league: what is in it, and that it can be looked at on any screen."""

import re
from html import escape
from pathlib import Path

import pytest

from jantaku.table.arena.league.file import newcomer
from jantaku.table.arena.league.pool import League
from jantaku.table.arena.league.site import write_site
from jantaku.table.ground.errors import BadInput
from scripts.people.chromium import Browser
from tests.arena.league.leagues import BOTS, begun, play
from tests.records.view.chromium import IN_A_BROWSER
from tests.records.view.conftest import browser as browser
from tests.records.view.test_report_page import CUT, OUTSIDE
from tests.records.view.test_shell import violations

LONG = f"dice?name=<b>{'long' * 10}"


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> League:
    """A league with a candidate and a name that is too long."""
    folder = tmp_path_factory.mktemp("league")
    league = begun(folder / "a.league", *BOTS, LONG)
    bot = folder / "mine.py"
    for kind in ("dice import Dice", "tsumogiri import Tsumogiri"):
        bot.write_text(f"from jantaku.players.bots.{kind} as Mine\n")
        league.add(*newcomer(f"{bot}:Mine?isolate=none"))
    league.reject("Mine@1")
    bot.write_text("from jantaku.players.bots.dice import Dice as Mine\n\n")
    play(league, 20, folder / "s")
    return league


@pytest.fixture(scope="module")
def site(league: League, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its site."""
    folder = tmp_path_factory.mktemp("site") / "public"
    assert write_site(league, folder) == 12
    return folder


def test_every_bot_and_game_to_watch_is_there_and_nothing_is_loaded(site: Path, league: League) -> None:
    text = (site / "index.html").read_text()
    assert all(escape(bot.label) in text for bot in league.bots[:5])
    assert set(re.findall(r'(?:src|href)="([^"#]+)', text)) == {"games.html"}
    assert sorted(int(number) for number in re.findall(r"#r=(\d+)", text)) == list(range(1, 13))
    assert b"hanchan 19" in (site / "games.html").read_bytes()
    assert league.terms.seed == 5 and "Ratings over hanchan" in text


def test_writing_it_again_changes_nothing(site: Path, league: League) -> None:
    before = (site / "index.html").read_bytes()
    write_site(league, site)
    assert (site / "index.html").read_bytes() == before


def test_without_a_hanchan_there_is_no_site(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no hanchan has a result; play some"):
        write_site(begun(tmp_path / "a.league"), tmp_path / "public")
    assert not (tmp_path / "public").exists()


class TestInABrowser:
    """Looked at."""

    pytestmark = IN_A_BROWSER

    @pytest.mark.parametrize("width", [390, 1280, 1920])
    def test_it_fits_any_screen(self, browser: Browser, site: Path, width: int) -> None:
        browser.open((site / "index.html").as_uri(), width, 800)
        assert (browser.ask(OUTSIDE), browser.ask(CUT), browser.errors) == (0, 0, [])

    @pytest.mark.peer
    def test_axe_finds_nothing(self, browser: Browser, site: Path, peer_modules: Path) -> None:
        browser.open((site / "index.html").as_uri(), 390, 800)
        assert violations(browser, peer_modules) == []
