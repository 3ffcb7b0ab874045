"""The viewer of games that are being played, in a process of its own: it reads their journals as they grow.

The table does nothing for it that it would not do anyway, so that whoever looks on, and however slowly, cannot hold
it up. Everything is shown, hidden tiles too; that is for who runs the games: the page is at an address of this
machine, behind a secret.

    python -m table.server.watching.onlookers FOLDER PORT

prints `{"address": …}` or `{"error": …}`, and ends when its stdin does.
"""

import contextlib
import json
import os
import secrets
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

from websockets.frames import CloseCode

from table.errors import BadInput
from table.record.journal import journal_of
from table.server.claims import same_secret
from table.server.net.admission import Arrival
from table.server.net.limits import Limits
from table.server.net.line import Line
from table.server.net.visitor import Visitor
from table.server.net.web import Page, WebServer
from table.server.watching.audience import Audience, Onlooker, show_lines
from table.server.watching.growing import Growing
from table.server.watching.options import Options
from table.view.page import Book, page

HOST, PATH = "127.0.0.1", "/watch"
PAUSE = 0.05
"""Seconds between two looks at the journal of a table that can be followed."""
LIMITS = Limits(origins=(), backlog=4000, reading=2.0)
"""Only our own page may connect, and programs."""


class Journals:
    """The journals `game-0000.jsonl`, … of a folder, one after another, as they grow."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = -1
        self._growing: Growing | None = None

    def news(self) -> Iterator[list[bytes]]:
        """What has been written since the last call: whole lines, those of a game together."""
        while True:
            following = journal_of(self._folder, self._number + 1)
            there = following.exists()  # before the last look at the one before, which is complete by then
            if self._growing is not None and (lines := self._growing.news()):
                yield lines
            if not there:
                return
            self._number += 1
            self._growing = Growing(following)


class Onlookers:
    """All who look on. `welcome` is what the web server calls; who does not know the token is sent away."""

    def __init__(self, folder: Path, token: str) -> None:
        self._token = token
        self._journals = Journals(folder)
        self._audience = Audience()
        self._options = Options(folder)
        self._lock = threading.Lock()

    def welcome(self, arrival: Arrival, line: Line) -> Visitor | None:
        """See `web.Welcome`."""
        if arrival.path != PATH or not same_secret(arrival.token, self._token):
            line.hang_up(CloseCode.POLICY_VIOLATION, f"looking on takes the whole address: {PATH}#token=…")
            return None
        line.one_way = True
        with self._lock:
            self._audience.join(line)
        return Onlooker(self, line, self._options)

    def leave(self, line: Line) -> None:
        """Somebody is gone."""
        with self._lock:
            self._audience.leave(line)

    def catch_up(self) -> float:
        """Show what has been played since the last time; seconds after which to look again."""
        with self._lock:
            for lines in self._journals.news():
                show_lines(self._audience, lines)
            return max(PAUSE, self._audience.tell())

    def end(self) -> None:
        """The last game is over: show what is left, and say goodbye."""
        self.catch_up()
        with self._lock:
            self._audience.dismiss(CloseCode.GOING_AWAY, "all games are over")


def main(folder: str, port: str) -> None:
    """Serve until stdin ends, which it does at the latest with the process that plays."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the table, which then lets us go
    token = secrets.token_urlsafe(12)
    house = Onlookers(Path(folder), token)
    viewer = page(Book(live="?"))
    pages = {PATH: Page("text/html; charset=utf-8", viewer.content, viewer.policy)}
    try:
        server = WebServer(house.welcome, pages, HOST, int(port), LIMITS)
    except BadInput as error:
        _tell(error=str(error))
        return
    over = threading.Event()

    def wait_for_parent() -> None:
        sys.stdin.read()
        over.set()

    threading.Thread(target=wait_for_parent, name="parent", daemon=True).start()
    with server:
        _tell(address=f"http://{HOST}:{server.port}{PATH}#token={token}")
        pause = PAUSE
        while not over.wait(pause):
            server.check()
            pause = house.catch_up()
        house.end()


def _tell(**words: str) -> None:
    """Say something to the process that plays, if it is still there."""
    with contextlib.suppress(BrokenPipeError):
        os.write(sys.stdout.fileno(), json.dumps(words).encode() + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
