"""The page of a league in progress, for a projector: the table, the tables being played, and the last hanchan. It
reloads at a fixed pace."""

import threading
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Final

from jantaku.table.arena.league.file import LeagueFile
from jantaku.table.arena.league.pool import League
from jantaku.table.arena.league.site import LeagueTable, ranks_of, standings, tallied, verdict_of
from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.arena.match.report.document import Document, page_of
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.markup.elements import Markup, Part, marked, name_of, table
from jantaku.table.records.view import page as guard
from jantaku.table.records.view.page import WholePage

SHOWN: Final = 16
"""Most bots in the table."""
LAST: Final = 5
"""Most finished hanchan, and most tables in progress."""
WINDS: Final = ("east", "south", "west", "north")
STYLE: Final = """
@media screen and (min-width: 46rem) {
    :root {
        font-size: clamp(15px, 1.1vw, 30px);
    }
    body {
        font-size: 1rem;
    }
    main {
        max-width: 90rem;
    }
    .beside .name {
        max-width: 7rem;
    }
}
"""
"""Makes everything grow with the screen."""


class LiveServer(ThreadingHTTPServer):
    """Serves the page at `/`. The page is rebuilt on request, at most twice in `pace` seconds."""

    daemon_threads = True

    def __init__(self, host: str, port: int, path: Path, pace: float) -> None:
        super().__init__((host, port), _LiveHandler)
        self._path, self._pace = path, pace
        self._making = threading.Lock()
        self._made: WholePage | None = None
        self._until = Deadline(0.0)

    def page(self) -> WholePage:
        """Return the page; it is at most half a pace old."""
        with self._making:
            if self._made is None or self._until.over:
                with LeagueFile.open(self._path) as file:
                    self._made = page_of(live_document(League(file), self._pace))
                self._until = Deadline(self._pace / 2)
            return self._made


class _LiveHandler(BaseHTTPRequestHandler):
    timeout = 30
    """Seconds after which a silent connection is closed."""
    server: LiveServer

    def do_GET(self) -> None:
        """Serve the page, whatever the query."""
        if self.path.partition("?")[0] != "/":
            self.send_error(404, "There is nothing here")
            return
        page = self.server.page()
        self.send_response(200)
        for name, value in guard.headers(page.policy).items():
            self.send_header(name, value)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page.content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(page.content)

    def log_message(self, format: str, *args: object) -> None:
        """Does nothing: the terminal is for people."""


def live_document(league: League, pace: float) -> Document:
    """Build the content of the page."""
    tally = tallied(league)
    found = standings(league, tally)
    lines = [line for line in league.lines() if line.ended]
    names = [bot.label for bot in league.bots]
    note = marked("span", f"This page comes anew every {pace:g} s. {found.legend}.", data_pace=f"{pace:g}")
    parts = [
        Part("Table", _table(found), note),
        Part("Next tables", _next(league, names), beside=True),
        Part("Last hanchan", _last(lines[: -LAST - 1 : -1], league.terms.seats), beside=True),
    ]
    said = [*verdict_of(league, found), f"{tally.games} hanchan, {len(names)} bots"]
    script = files("jantaku.table.arena.league").joinpath("live.js").read_text("utf-8")
    return Document(f"League {league.file.path.stem}", said, {}, parts, STYLE, script)


def _table(found: LeagueTable) -> Markup:
    rows = [
        (f"{place}. {one.bot}", one.rating.text(0), one.rank.cell(2) if one.rank else "", one.hanchan)
        for place, one in enumerate((one for one in found.bots if one.hanchan and one.plays), 1)
    ]
    return table("Table", ("bot", "rating", "mean rank", "hanchan"), rows[:SHOWN])


def _next(league: League, names: Sequence[str]) -> Markup:
    units = league.open_units()[:LAST]
    rows = [(f"{unit.unit}", *(name_of(names[bot]) for bot in unit.lineup)) for unit in units]
    return table("Next tables", ("table", *WINDS[: league.terms.seats]), rows)


def _last(lines: Sequence[HanchanSummary], seats: int) -> Markup:
    rows = []
    for line in lines:
        order = sorted(range(seats), key=lambda place: line.ranks[place])
        rows.append((line.game, *(name_of(line.players[place]) for place in order)))
    return table("Last hanchan", ("hanchan", *ranks_of(seats)), rows)
