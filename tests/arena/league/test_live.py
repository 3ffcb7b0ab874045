"""The page for a projector: served while the league is played, at its own pace."""

import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from jantaku.table.arena.league.live import LiveServer, live_document
from jantaku.table.arena.league.pool import League
from jantaku.table.arena.match.report.document import page_of
from scripts.people.chromium import PROGRAM, Browser
from tests.arena.league.leagues import BOTS, begun, play
from tests.records.view.chromium import IN_A_BROWSER
from tests.records.view.test_report_page import CUT, OUTSIDE
from tests.records.view.test_shell import violations


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> League:
    """A league that is between two hanchan of a unit."""
    folder = tmp_path_factory.mktemp("league")
    league = begun(folder / "a.league", *BOTS, f"dice?name=<b>{'long' * 10}")
    play(league, 10, folder / "s")
    return league


@pytest.fixture
def server(league: League) -> Iterator[LiveServer]:
    """A server of its page that looks at it all the time."""
    with LiveServer("127.0.0.1", 0, league.file.path, 0.001) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def answered(server: LiveServer) -> str:
    """What it answers."""
    with urlopen(f"http://127.0.0.1:{server.server_port}/") as answer:
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        text: str = answer.read().decode()
    return text


def test_the_page_follows_the_league(server: LiveServer, league: League, tmp_path: Path) -> None:
    before = answered(server)
    assert "10 hanchan, 5 bots" in before and '<th scope="row">9</th>' in before
    play(league, 2, tmp_path / "s")
    assert f"{league.played} hanchan, 5 bots" in answered(server) != before


def test_within_its_pace_the_page_is_made_once(league: League) -> None:
    with LiveServer("127.0.0.1", 0, league.file.path, 3600) as server:
        assert server.page() is server.page()


class TestInABrowser:
    """Looked at."""

    pytestmark = IN_A_BROWSER

    @pytest.mark.parametrize("width", [390, 1280, 1920])
    @pytest.mark.peer
    def test_it_fits_any_screen_and_axe_finds_nothing(
        self, league: League, tmp_path: Path, peer_modules: Path, width: int
    ) -> None:
        assert PROGRAM is not None
        (tmp_path / "live.html").write_bytes(page_of(live_document(league, 60)).content)
        with Browser(PROGRAM, tmp_path) as browser:
            browser.open((tmp_path / "live.html").as_uri(), width, 800)
            assert (browser.ask(OUTSIDE), browser.ask(CUT), browser.errors) == (0, 0, [])
            assert violations(browser, peer_modules) == []
