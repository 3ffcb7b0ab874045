"""A page for a projector while games are played: the standings, what is being played, the last games, and the newest
finished game turn by turn. It renews itself."""

import re
import sys
import threading
from collections.abc import Callable, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final, NamedTuple

from jantaku.table.arena.match.figures.games import best_first
from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.arena.match.report.document import Document, page_of
from jantaku.table.drawing.elements import Markup, Part, marked, table
from jantaku.table.drawing.faces import FacedNames
from jantaku.table.ground.clock import Deadline, now
from jantaku.table.ground.errors import BadInput
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.journal.read import Record, load
from jantaku.table.records.view import guard
from jantaku.table.records.view.moment import moment_of, turns_of
from jantaku.table.records.view.page import Book, WholePage, page
from jantaku.table.records.view.riichi import viewed
from jantaku.table.riichi.pieces.seats import WINDS

SHOWN: Final = 20
"""Most players in the standings."""
FEW: Final = 12
"""Most players whose names stand in larger letters."""
LISTED: Final = 6
"""Most tables that are being played, and most finished games."""
STEP: Final = 2.0
"""Seconds between two turns of the game that is shown."""
PAUSE: Final = 3
"""Turns for which the end of a kyoku stands."""
LOCAL: Final = "127.0.0.1"
LAST_PORT: Final = 65535
_HOST = re.compile(r"[A-Za-z0-9.-]*(?<!\.py)")
_PORT = re.compile(r"[0-9]{0,5}")
_GAME = re.compile(r"/game/([0-9]{1,9})")


class News(NamedTuple):
    """What the page says now. `newest` is the newest finished game and its record; None if there is none. `record`
    finds the record of a finished game that anybody may see. A game may be seen once all games on the same walls are
    over: before that its tiles would tell a player what is still to come."""

    title: str
    said: Sequence[str]
    parts: Sequence[Part]
    faced: FacedNames
    newest: tuple[int, Path] | None
    record: Callable[[int], Path | None]


class ShownTable(NamedTuple):
    """A row of the page: a table or game by its number, its players, and a word on it."""

    number: int
    players: Sequence[str]
    word: str = ""


def placed(line: HanchanSummary) -> Sequence[str]:
    """Return the players of a hanchan, the best first."""
    return [name for name, _ in best_first(line.players, line.ranks, line.points)]


def live_parts(
    standings: tuple[Sequence[str], Sequence[Sequence[object]]],
    playing: Sequence[ShownTable],
    last: Sequence[ShownTable],
    faced: FacedNames,
    unit: str,
) -> list[Part]:
    """Make the parts of the page. `standings`: the heads of the columns, and a row a player, the best first. `last`:
    the last games, their players the best first. `unit`: what a game is called."""
    heads, rows = standings
    more = f"{len(rows) - SHOWN} more play." if len(rows) > SHOWN else ""
    kind = {"class_": "few"} if len(rows) <= FEW else {}
    lists = {"Being played, and next": ("table", playing), "Last results": (unit, last)}
    return [
        Part("Standings", table("Standings", heads, rows[:SHOWN], **kind), more),
        *(Part(label, _listed(label, head, found, faced)) for label, (head, found) in lists.items() if found),
    ]


def _listed(label: str, head: str, found: Sequence[ShownTable], faced: FacedNames) -> Markup:
    seats = max((len(one.players) for one in found), default=0)
    heads = (head, *(f"{seat}." for seat in range(1, seats + 1)))
    rows = [
        (Markup(f"{one.number}{marked('small', one.word) if one.word else ''}"), *map(faced.short, one.players))
        for one in found[:LISTED]
    ]
    return table(label, heads, rows, class_="games")


class Replay:
    """The newest finished game turn by turn; at the end of a kyoku a newer one takes its place."""

    def __init__(self) -> None:
        self._number, self._kyoku, self._began = -1, 0, 0.0
        self._record: Record | None = None

    def part(self, told: News, unit: str) -> Part | None:
        """Draw the game as it stands at this moment; None if there is none to show."""
        if self._record is not None:
            turns = turns_of(self._record, self._kyoku)
            turn = int((now() - self._began) / STEP)
            if turn <= turns + PAUSE:
                return self._drawn(self._record, min(turn, turns), told.faced, unit)
        return self._drawn(self._record, 0, told.faced, unit) if self._turned(told.newest) and self._record else None

    def _turned(self, newest: tuple[int, Path] | None) -> bool:
        """Go on to the next kyoku or to a newer game; return whether there is one."""
        if newest is not None and newest[0] != self._number:
            try:
                self._record, self._number, self._kyoku = load(newest[1]), newest[0], 0
            except BadInput:  # it has no record, because it has no result
                newest = None
        if self._record is None:
            return False
        self._kyoku, self._began = self._kyoku % len(self._record.log) + 1, now()
        return True

    def _drawn(self, record: Record, turn: int, faced: FacedNames, unit: str) -> Part:
        moment = moment_of(record, self._kyoku, turn)
        names, scores = moment.data["names"], moment.data["views"][0]["scores"]
        href = f"game/{self._number}"
        rows = [(wind, faced.short(name), score) for wind, name, score in zip(WINDS, names, scores, strict=False)]
        said = Markup(f"{marked('a', f'{unit} {self._number}', href=href)}, kyoku {self._kyoku}, turn {turn}")
        seats = table("Seats", ("seat", "player", "points"), rows)
        return Part("A finished game", Markup(marked("div", Markup(moment.svg), class_="table") + seats), said)


class LiveServer(ThreadingHTTPServer):
    """Serves the page at `/`, and the games of its links at `/game/NUMBER`. The page asks for itself again every `STEP`
    seconds; `news` is called at most twice in `pace` seconds. OSError if it cannot listen there."""

    daemon_threads = True

    def __init__(self, host: str, port: int, news: Callable[[], News], pace: float, unit: str = "hanchan") -> None:
        super().__init__((host, port), _LiveHandler)
        self.news, self.unit = news, unit
        self._pace = pace
        self._making = threading.Lock()
        self._told: News | None = None
        self._until = Deadline(0.0)
        self._replay = Replay()

    @property
    def address(self) -> str:
        """The URL of the page."""
        host, port = self.server_address[:2]
        return f"http://{host!s}:{port}/"

    def begin(self) -> None:
        """Serve in a thread of its own."""
        threading.Thread(target=self.serve_forever, name="live page", daemon=True).start()

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore connections that are closed early; log all other errors, which are defects of ours."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]

    def told(self) -> News:
        """Return the news; they are at most half a pace old."""
        with self._making:
            if self._told is None or self._until.over:
                self._told = self.news()
                self._until = Deadline(self._pace / 2)
            return self._told

    def page(self) -> WholePage:
        """Return the page as it stands."""
        told = self.told()
        with self._making:
            shown = self._replay.part(told, self.unit)
        parts = [*told.parts[:1], *([shown] if shown else []), *told.parts[1:]]
        return page_of(live_document(told._replace(parts=parts)))

    def game(self, number: int) -> WholePage | None:
        """Return the viewer with that game; None if it is not to be seen, or not yet."""
        path = self.told().record(number)
        if path is None or not path.is_file():
            return None
        read = read_any(path)
        shown = viewed(read.record, read.notes)
        called = f"{self.unit} {number}"  # the title of a record may tell the seed of games to come
        return page(Book([shown._replace(head={**shown.head, "file": called, "title": called}).entry()]))


def live_document(told: News) -> Document:
    """Make the content of the page from the news."""
    script = Path(__file__).with_name("live.js").read_text("utf-8")
    return Document(told.title, told.said, {}, told.parts, f"const STEP = {STEP:g};\n{script}")


def listening(asked: str, option: str) -> tuple[str, int]:
    """Read where a page is served: HOST:PORT, or one of them; by default this machine alone and a free port (0).
    BadInput if it is no address, or if the word is a player's that stands behind the option."""
    host, colon, port = asked.rpartition(":")
    if not colon:
        host, port = ("", asked) if asked.isascii() and asked.isdecimal() else (asked, "")
    if _HOST.fullmatch(host) and _PORT.fullmatch(port) and int(port or 0) <= LAST_PORT:
        return host or LOCAL, int(port or 0)
    raise BadInput(
        f"{option} {asked}: that is not an address; allowed are HOST:PORT, HOST and PORT, for example "
        f"0.0.0.0:8000; name bots before {option}"
    )


class _LiveHandler(BaseHTTPRequestHandler):
    timeout = 30
    """Seconds after which a silent connection is closed."""
    server: LiveServer

    def do_GET(self) -> None:
        """Serve the page or a game, whatever the query."""
        path = self.path.partition("?")[0]
        number = _GAME.fullmatch(path)
        try:
            found = self.server.page() if path == "/" else self.server.game(int(number[1])) if number else None
        except BadInput:  # the file is gone, or a record of it cannot be read: the page stays as it is meanwhile
            self.send_error(503, "There is nothing to show just now")
            return
        if found is None:
            self.send_error(404, "There is nothing here")
            return
        self.send_response(200)
        for name, value in guard.headers(found.policy).items():
            self.send_header(name, value)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(found.content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(found.content)

    def log_message(self, format: str, *args: object) -> None:
        """Does nothing: the terminal is for people."""
