"""The page for a projector: twenty players fit on it, and it renews itself without flicker."""

from pathlib import Path

import pytest

from jantaku.table.arena.match.report import live
from jantaku.table.arena.match.report.live import LiveServer, News, Replay, ShownTable, listening, live_parts
from jantaku.table.drawing.faces import FacedNames
from jantaku.table.ground.errors import BadInput
from jantaku.table.records.journal.read import load
from jantaku.table.records.view.moment import turns_of
from tests.kit.chromium import Browser
from tests.records.view.chromium import IN_A_BROWSER
from tests.records.view.conftest import browser as browser
from tests.records.view.screen import wait_for
from tests.records.view.test_report_page import CUT, OUTSIDE
from tests.records.view.test_shell import violations

SCROLLED = "[...document.querySelectorAll('.wide')].filter(one => one.scrollWidth > one.clientWidth + 1).length"
CLASS = tuple(f"student{number:02}" for number in range(1, 21))


def told(record: Path, names: tuple[str, ...] = CLASS, said: str = "It begins now.") -> News:
    """The news of a tournament of these players; the newest game is in `record`."""
    faced = FacedNames((*names, *load(record).names))
    rows = [(faced.placed(place, name), 48, "2.50 ± 0.21", "+12.3") for place, name in enumerate(names, 1)]
    tables = [ShownTable(number, names[number : number + 4], f"{number} of 8") for number in range(8)]
    last = [ShownTable(9990 + number, names[number : number + 4]) for number in range(8)]
    parts = live_parts((("player", "hanchan", "mean rank", "points"), rows), tables, last, faced, "hanchan")
    return News("Tournament", [said, "Round 1 of 5"], parts, faced, (7, record), {7: record}.get)


@pytest.fixture
def record(game_folder: Path) -> Path:
    return game_folder / "game-0000.jsonl"


def test_a_game_goes_on_by_a_turn_every_step_and_stands_at_the_end_of_a_kyoku(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = 100.0
    monkeypatch.setattr(live, "now", lambda: at)
    replay, turns, seen = Replay(), turns_of(load(record), 1), []
    for _ in range(turns + live.PAUSE + 2):
        part = replay.part(told(record), "hanchan")
        assert part is not None and part.content.count("<svg") == 1
        seen.append(part.note.partition(", ")[2])
        at += live.STEP
    assert seen == [
        *(f"kyoku 1, turn {turn}" for turn in range(turns + 1)),
        *[f"kyoku 1, turn {turns}"] * live.PAUSE,
        "kyoku 2, turn 0",
    ]


def test_without_a_game_to_show_there_is_no_picture(record: Path, tmp_path: Path) -> None:
    (tmp_path / "void.jsonl").write_text("{}")
    for newest in (None, (1, tmp_path / "void.jsonl"), (1, tmp_path / "gone.jsonl")):
        assert Replay().part(told(record)._replace(newest=newest), "hanchan") is None


def test_of_more_players_than_fit_the_first_are_shown(record: Path) -> None:
    standings, *_ = told(record, tuple(f"p{number}" for number in range(33))).parts
    assert standings.note == "13 more play." and standings.content.count("<tr>") == 1 + live.SHOWN


@pytest.mark.parametrize(
    ("asked", "place"),
    [
        ("", ("127.0.0.1", 0)),
        ("8000", ("127.0.0.1", 8000)),
        (":8000", ("127.0.0.1", 8000)),
        ("0.0.0.0", ("0.0.0.0", 0)),
        ("myhost.lan:80", ("myhost.lan", 80)),
    ],
)
def test_an_address_is_a_host_a_port_or_both(asked: str, place: tuple[str, int]) -> None:
    assert listening(asked, "--serve") == place


@pytest.mark.parametrize("asked", ["bots/anna.py", "anna.py", "host:99999", "http://host", "a:b:c", "host:-1", "²"])
def test_what_is_no_address_is_refused_with_what_to_do(asked: str) -> None:
    with pytest.raises(
        BadInput, match=r"--serve .*: that is not an address; allowed are HOST:PORT, .*name bots before"
    ):
        listening(asked, "--serve")


class TestInABrowser:
    pytestmark = IN_A_BROWSER

    @pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (1024, 768), (390, 844)])
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.peer
    def test_a_class_of_twenty_fits_on_the_projector_and_axe_finds_nothing(
        self, browser: Browser, record: Path, peer_modules: Path, size: tuple[int, int], scheme: str
    ) -> None:
        browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        with LiveServer("127.0.0.1", 0, lambda: told(record), 60) as server:
            server.begin()
            browser.open(server.address, *size)
            assert (browser.ask(OUTSIDE), browser.ask(CUT)) == (0, 0)
            if size[0] > 390:
                assert browser.ask("document.documentElement.scrollHeight") <= size[1]
                assert browser.ask(SCROLLED) == 0
                small = "Math.min(...[...document.querySelectorAll('#verdict + section td')]"
                assert browser.ask(f"{small}.map(one => Number.parseFloat(getComputedStyle(one).fontSize)))") >= 12
            assert violations(browser, peer_modules) == []
            server.shutdown()

    def test_it_renews_what_has_changed_and_leaves_the_rest(
        self, browser: Browser, record: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(live, "STEP", 0.01)
        news = [told(record)._replace(newest=None)]
        with LiveServer("127.0.0.1", 0, lambda: news[0], 0.001) as server:
            server.begin()
            browser.open(server.address, 1280, 720)
            browser.ask("void (document.querySelector('#verdict + section').kept = true)")
            news[0] = told(record, said="student01 leads.")._replace(newest=None)
            wait_for(browser, "document.body.textContent.includes('student01 leads.')")
            assert browser.ask("document.querySelector('#verdict + section').kept") is True
            news[0] = news[0]._replace(parts=news[0].parts[:1])
            wait_for(browser, "document.querySelectorAll('main > *').length === 2")
            server.shutdown()
