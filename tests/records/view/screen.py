"""What is on the screen of the viewer, and what has to be there; the marks of tests that need a browser."""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from jantaku.table.ground.port import Answer
from jantaku.table.play.outcome import Outcome
from jantaku.table.records.journal.read import Record
from jantaku.table.records.view.page import Book, Entry, Viewed, page
from jantaku.table.records.view.riichi import viewed
from jantaku.table.records.view.server import PageServer
from jantaku.table.riichi.events import HanchanStart, KyokuStart
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.pieces.melds import meld_text
from jantaku.table.riichi.pieces.tiles import NAMES
from jantaku.table.riichi.ruleset import preset, with_settings
from tests.kit.cases import text_of
from tests.kit.chromium import PROGRAM, Browser, BrowserPage
from tests.kit.records import PLAYERS, keep_games

DESK, PHONE = (1280, 900), (390, 844)
STATE = "document.getElementById('live-state').dataset.state"
"""Of the connection to a running table."""
IN_SIGHT = """(one => {
    const {x, y, width, height} = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
})"""
"""Whether the middle of an element is in the window and nothing lies over it."""
SCREEN = text_of("pages/screen.js")


def expected(board: Board) -> list[dict[str, Any]]:
    seats = []
    for seat, hand in enumerate(board.hands):
        river = board.rivers[seat]
        seats.append(
            {
                "hand": sorted(NAMES[tile] for tile in hand.tiles),
                "river": [NAMES[tile] for tile in river.tiles],
                "melds": [meld_text(meld) for meld in hand.melds],
                "bent": len(river.sideways),
                "called": len(river.called_by),
                "score": f"{board.scores[seat]:,}",
                "stick": board.deposited[seat],
            }
        )
    return seats


def shown(browser: Browser) -> list[dict[str, Any]]:
    seats: list[dict[str, Any]] = browser.ask(SCREEN)
    return seats


def wait_for(browser: BrowserPage, condition: str) -> None:
    """Wait until the page has come so far; it is looked at whenever the screen changes."""
    browser.ask(
        f"""new Promise(done => {{
            const look = () => ({condition}) && done(observer.disconnect());
            const observer = new MutationObserver(look);
            observer.observe(document, {{attributes: true, childList: true, subtree: true, characterData: true}});
            look();
        }})"""
    )


def wait_for_position(browser: Browser, position: str) -> None:
    wait_for(browser, f"document.getElementById('table').dataset.position === '{position}'")


def type_token(browser: Browser, token: str) -> None:
    """Type the operator's token into the form of the page, which then is loaded again."""
    wait_for(browser, "document.querySelector('input[type=password]')")
    browser.ask(f"document.querySelector('input[type=password]').value = {json.dumps(token)}")
    browser.leave("document.querySelector('input[type=password]').form.requestSubmit()")


IN_A_BROWSER = [
    pytest.mark.browser,
    # Where everything has to run, its absence is a failure.
    pytest.mark.skipif(PROGRAM is None and os.environ.get("CI") != "true", reason="no Chromium is on the PATH"),
]


def exported(folder: Path, shown: Record | Entry, game: str = "riichi") -> str:
    """The address of the page of one game, which is written into a folder."""
    path = folder / "game.html"
    entry = shown if isinstance(shown, Entry) else viewed(shown).entry()
    path.write_bytes(page(Book([entry]), game).content)
    return path.as_uri()


@contextmanager
def serving(shown: Viewed, **more: Any) -> Iterator[PageServer]:
    server = PageServer(0, [shown], **more)
    thread = Thread(target=server.serve_forever, name="page")
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


Look = Callable[["Held"], None]


class Held:
    """Calls `look` at these moments, counted in turns of the judge. Implements `Looker`."""

    def __init__(self, moments: Sequence[int], look: Look) -> None:
        self.board = Board()
        self.kyoku = self.items = self.turns = 0
        """The kyoku from 1, and how many items of it there are."""
        self._moments, self._look = set(moments), look

    @property
    def position(self) -> str:
        return f"{self.kyoku}.{self.items}"

    def events(self, new: Sequence[Any]) -> None:
        for event in new:
            if isinstance(event, KyokuStart):
                self.kyoku, self.items = self.kyoku + 1, 0
            self.items += not isinstance(event, HanchanStart)
            event.apply(self.board)
        self.turns += 1
        if self.turns in self._moments:
            self._look(self)

    def answers(self, turn: int, answers: Sequence[Answer]) -> None: ...

    def close(self) -> None: ...


def play_held(folder: Path, moments: Sequence[int], look: Look, *, length: str = "tonpu", games: int = 1) -> Outcome:
    """Play games into `folder`, looking at each: how the last one ended."""
    rules = with_settings(preset("tenhou"), {"game.length": length})
    *_, last = keep_games(folder, PLAYERS, rules, seed="4", games=games, looker=lambda: Held(moments, look))
    return last
