"""The viewer of running games is a process of its own: it reads their journals while these grow.

It causes no work at the table, so that slow spectators cannot delay it. It shows everything, hidden tiles too: the
page is for the person who runs the games, on localhost and protected by a secret.

    python -m jantaku.table.serve.watching FOLDER PORT GAME

prints `{"address": …}` or `{"error": …}`, and ends when its stdin ends.
"""

import contextlib
import json
import os
import secrets
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

import websockets  # noqa: F401  the other process needs it, and this one says where it is missing
from websockets.frames import CloseCode

from jantaku.table.ground.errors import BadInput, TableFault
from jantaku.table.ground.installation import command_of, environment
from jantaku.table.records.journal.writer import journal_of
from jantaku.table.records.view.page import Book, page
from jantaku.table.serve.identity import same_secret
from jantaku.table.serve.net.admission import Arrival
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.net.visitor import Visitor
from jantaku.table.serve.net.web import Page, WebServer
from jantaku.table.serve.streams import Gallery, JournalStream, Options


class WatchPage:
    """The viewer of the games in `folder`, all of the kind `game`, as a process of its own; a context manager. BadInput
    if the port cannot be had (0: any free one). TableFault if it does not start. At the end of the block it ends, after
    all spectators have received everything."""

    def __init__(self, folder: Path, port: int, game: str = "riichi") -> None:
        words, pipe = ("jantaku.table.serve.watching", str(folder), str(port), game), subprocess.PIPE
        self._process = subprocess.Popen(command_of(*words), stdin=pipe, stdout=pipe, env=environment())
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._end()
            raise TableFault("the viewer of running games did not start; its output is above")
        told = json.loads(line)
        if "error" in told:
            self._end()
            raise BadInput(f"--watch-port: {told['error']}")
        self.address: str = told["address"]
        """The page's URL, with its secret."""
        self.pid = self._process.pid

    def wait(self) -> None:
        """Wait for Ctrl-C, or for the process to end by itself, which it should not."""
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end()

    def _end(self) -> None:
        with self._process:  # closes both pipes, then waits
            pass


HOST, PATH = "127.0.0.1", "/watch"
PAUSE = 0.05
"""Least seconds between two reads of a journal."""
LIMITS = Limits(origins=(), backlog=4000, reading=2.0)
"""Only jantaku's own page and programs may connect."""


class Spectators(Gallery):
    """Spectators of the games of a folder, whose journals grow one after another: `game-0000.jsonl`, …. The web server
    calls `welcome`, which refuses visitors without the token."""

    def __init__(self, folder: Path, token: str) -> None:
        self._stream = JournalStream()
        super().__init__(self._stream, self._stream)
        self._token = token
        self._folder, self._next = folder, 0
        self._options = Options(folder)

    def welcome(self, arrival: Arrival, line: Line) -> Visitor | None:
        if arrival.path != PATH or not same_secret(arrival.token, self._token):
            line.hang_up(CloseCode.POLICY_VIOLATION, f"to watch, give the whole address: {PATH}#token=…")
            return None
        return self.admit(line, options=self._options)

    def catch_up(self) -> float:
        """Send what is new since the last call; return the seconds until the next call."""
        with self._lock:
            is_there = True
            while is_there:
                following = journal_of(self._folder, self._next)
                is_there = following.exists()  # before the last read of the previous one, which is complete by then
                self._stream.catch_up()
                if is_there:
                    self._next += 1
                    self._stream.next_game(following)
            return max(PAUSE, self._stream.tell())

    def end(self) -> None:
        """Send the rest of the last game, and close."""
        self.catch_up()
        self.dismiss(CloseCode.GOING_AWAY, "all games are over")


def main(folder: str, port: str, game: str) -> None:
    """Serve until stdin ends, which it does when the playing process ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the table, which then ends this process
    token = secrets.token_urlsafe(12)
    spectators = Spectators(Path(folder), token)
    viewer = page(Book(live="?"), game)
    pages = {PATH: Page("text/html; charset=utf-8", viewer.content, viewer.policy)}
    try:
        server = WebServer(spectators.welcome, pages, HOST, int(port), LIMITS)
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
            pause = spectators.catch_up()
        spectators.end()


def _tell(**words: str) -> None:
    """Report to the playing process, if it still exists."""
    with contextlib.suppress(BrokenPipeError):
        os.write(sys.stdout.fileno(), json.dumps(words).encode() + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
