"""Script in every untrusted text, on every page that shows it, in a real browser.

Nothing may run, and nothing may become an element or an attribute: what only the Content-Security-Policy stops is a
failure, too.
"""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from jantaku.table.arena.match.figures.games import PlayedGames
from jantaku.table.arena.match.figures.summary import Counts, HanchanSummary, TimeLine, Times
from jantaku.table.arena.match.figures.tally import MatchTally
from jantaku.table.arena.match.figures.timing import timing
from jantaku.table.arena.match.report.report import Content, write_report
from jantaku.table.daifugo.rooms import server as daifugo
from jantaku.table.records.view.page import Book, Entry, Viewed, page
from jantaku.table.records.view.server import PageServer
from jantaku.table.serve.net.admission import Arrival
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.net.visitor import Visitor
from jantaku.table.serve.net.web import Page, WebServer
from jantaku.table.serve.riichi import server as riichi
from scripts.serving import Failed
from tests.kit.cases import text_of
from tests.kit.chromium import PROGRAM, Browser
from tests.records.view.payloads import (
    FIELDS,
    HEAD,
    MONITOR,
    PAYLOADS,
    SERIES,
    SERIES_FIELDS,
    book_of,
    monitor_of,
    notice_of,
    person_of,
    spoilt,
    spoilt_series,
)

SIZE = (1280, 900)
WATCH = text_of("pages/strangers_watch.js")
"""Runs before every page: counts the calls of payloads."""
FOUND = text_of("pages/strangers_found.js")
"""Lists what ran, and elements and attributes that jantaku's pages never have."""
DRAWN = text_of("pages/strangers_drawn.js")
KYOKU = (4, 9, 11, 12, 13)
"""Events to draw: a decision, another, the win, the draw, the end."""
ROUND = tuple(range(len(SERIES) - 2))
"""Every position of the series."""


@contextmanager
def browsing(folder: Path) -> Iterator[Browser]:
    assert PROGRAM is not None
    with Browser(PROGRAM, folder / "profile") as browser:
        browser.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
        yield browser


def clean(browser: Browser) -> None:
    if found := browser.ask(FOUND):
        raise Failed(f"{len(found)} ran or became markup, the first: {found[0]}")


def exported(folder: Path) -> str:
    """Try every field of a record by itself, in pages as `view --export` writes them."""
    with browsing(folder) as browser:
        books = ([spoilt(field, payload) for payload in PAYLOADS] for field in FIELDS)
        return f"{sum(_drawn(browser, folder, page(Book(book)).content, KYOKU) for book in books)} pictures"


def series(folder: Path) -> str:
    with browsing(folder) as browser:
        books = ([spoilt_series(field, payload) for payload in PAYLOADS] for field in SERIES_FIELDS)
        return f"{sum(_drawn(browser, folder, page(Book(book), 'daifugo').content, ROUND) for book in books)} pictures"


def _drawn(browser: Browser, folder: Path, content: bytes, events: Sequence[int]) -> int:
    path = folder / "export.html"
    path.write_bytes(content)
    browser.open(path.as_uri(), *SIZE)
    drawn = cast(int, browser.ask(_drawing(events)))
    clean(browser)
    return drawn


def _drawing(events: Sequence[int]) -> str:
    return DRAWN.replace("FIRST", "0").replace("END", str(len(PAYLOADS))).replace("PLACES", str(list(events)))


def served(folder: Path) -> str:
    """Try the same as `jantaku view` serves it: heads in the page, items fetched, a record for each payload."""
    entries = [book_of(payload) for payload in PAYLOADS]
    server = PageServer(0, [Viewed(entry.head, partial(_stream, entry)) for entry in entries])
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        with browsing(folder) as browser:
            browser.open(server.address, *SIZE)
            drawn = browser.ask(_drawing(KYOKU))
            clean(browser)
            return f"{drawn} pictures"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _stream(entry: Entry) -> tuple[list[dict[str, Any]], list[str]]:
    return entry.items or [], []


class _Teller:
    """Sends every visitor some messages and closes the line. Implements `Visitor`."""

    def __init__(self, line: Line, messages: list[Any], reason: str) -> None:
        line.one_way = True
        for message in messages:
            line.say(json.dumps(message).encode())
        line.hang_up(1000, reason)

    def hear(self, text: str) -> None: ...

    def leave(self) -> None: ...


def _told(folder: Path, pages: dict[str, Page], messages: dict[str, list[Any]]) -> str:
    """Open a server's page for each payload, which is also the room's name and the reason for closing."""

    def welcome(arrival: Arrival, line: Line) -> Visitor:
        return _Teller(line, messages[payload], payload)

    with WebServer(welcome, pages, "127.0.0.1", 0, Limits()) as server, browsing(folder) as browser:
        for payload in messages:
            browser.open(f"http://127.0.0.1:{server.port}/watch/{quote(payload, safe='')}", *SIZE)
            browser.ask("new Promise(done => setTimeout(done, 150))")
            clean(browser)
    return f"{len(messages)} pages"


def live(folder: Path) -> str:
    """Try the page of a room of `jantaku serve`: all fields of its games at once."""
    told = {payload: [[{**HEAD, **(entry := book_of(payload)).head}, *(entry.items or ())]] for payload in PAYLOADS}
    return _told(folder, riichi.pages(), told)


def rooms(folder: Path) -> str:
    """Try the list of 大富豪 rooms, the page of a room, and the page on which a person with that name plays."""

    def welcome(arrival: Arrival, line: Line) -> Visitor:
        notice = notice_of(payload)
        messages = [[notice]] if arrival.path == "/rooms" else [notice]
        if not arrival.path.startswith("/rooms"):
            messages = [*(monitor_of(field, payload) for field in MONITOR), *person_of(payload)]
        return _Teller(line, messages, payload)

    with WebServer(welcome, daifugo.pages(), "127.0.0.1", 0, Limits()) as server, browsing(folder) as browser:
        for payload in PAYLOADS:
            home, room = f"http://127.0.0.1:{server.port}", quote(payload, safe="")
            for path in ("/", f"/watch/{room}", f"/sit/A/{room}"):
                browser.open(home + path, *SIZE)
                browser.ask("new Promise(done => setTimeout(done, 150))")
                clean(browser)
                seat = json.dumps(json.dumps({"name": payload, "key": "k"}))
                browser.ask(f"localStorage.setItem(seatKept({json.dumps(payload)}), {seat})")
    return f"{3 * len(PAYLOADS)} pages"


def report(folder: Path) -> str:
    """Try the report of a match whose players and facts are payloads."""
    with browsing(folder) as browser:
        for first in range(0, len(PAYLOADS), 4):
            write_report(folder / "report.html", _content(PAYLOADS[first : first + 4]))
            browser.open((folder / "report.html").as_uri(), *SIZE)
            clean(browser)
    return f"{len(PAYLOADS)} players"


def _content(names: Sequence[str]) -> Content:
    """Make the report's content for a match of four such players."""
    tally = MatchTally(names)
    games = PlayedGames()
    for game in range(6):
        line = HanchanSummary(**_HANCHAN, game=game, set=game // 2, players=tuple(names))
        tally.add(line)
        games.add_line(line, Path(names[0]))
    times = [TimeLine(0, tuple(names), tuple(Times(0.1, {"1.0e-03": 9}) for _ in range(4)))]
    facts = {name: name for name in names}
    return Content(facts, tally.points, tally.figures(), timing(times, names), games)


_HANCHAN: dict[str, Any] = {
    "seed": "1",
    "rules": "",
    "ended": True,
    "reason": "",
    "scores": (25000,) * 4,
    "ranks": (1, 2, 3, 4),
    "points": (1.0, 2.0, 3.0, 4.0),
    "faults": ({}, {}, {}, {}),
    "counts": (Counts(), Counts(), Counts(), Counts()),
    "print": "",
}
