"""Games as a stream of messages for onlookers."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec
import websockets  # noqa: F401  the other process needs it, and this one says where it is missing
from websockets.frames import CloseCode

from jantaku.table.ground.errors import BadInput, TableFault
from jantaku.table.ground.installation import search_path
from jantaku.table.records.journal import digest
from jantaku.table.records.journal.sealed import growing
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.watching.gallery import Audience

_HEADER = b'{"jantaku"'
FOLLOWED = 400
"""Items a second that a person can follow, more than a hundred turns. A faster table is reported in rarer, larger
messages, so that onlookers stay cheap there, too."""
LONGEST_PAUSE = 2.0
"""Most seconds between two messages of such a table."""
LONG = 500
"""A game with more items than this is longer than a kyoku or two."""


class Stream(Audience):
    """Onlookers of one game after another. Of each game they get a head, then lists of items as in records. A late
    onlooker gets everything shown of the running game in one message."""

    def __init__(self) -> None:
        super().__init__()
        self._game: list[bytes] = []
        """The running game: its head and the items so far."""
        self._new: list[bytes] = []
        """Items that are not sent yet."""
        self._begun: int | None = None
        """Index in `_new` at which the running game begins; None if it began earlier."""
        self._came = 0

    def join(self, line: Line) -> None:
        """Add an onlooker, after the others got what is new, because it gets that with the rest."""
        self.tell()
        self.lines.append(line)
        if self._game:
            line.say(_list_of(self._game))

    def begin(self, head: dict[str, Any]) -> None:
        """Begin a game, the first or the next one. If the last one was long and came and went between two messages, it
        is left out: nobody could have looked at it."""
        if self._begun is not None and len(self._game) > LONG:
            del self._new[self._begun :]
        self._game = []
        self._begun = len(self._new)
        self.add([msgspec.json.encode(head)])

    def add(self, items: Sequence[bytes]) -> None:
        """Add the next items, which are JSON objects."""
        self._game += items
        self._new += items
        self._came += len(items)

    def tell(self) -> float:
        """Send what is new in one message; return the seconds until the next one."""
        new, self._new, self._begun = self._new, [], None
        if new:
            self.say(_list_of(new))
        came, self._came = self._came, 0
        return min(LONGEST_PAUSE, came / FOLLOWED)

    def dismiss(self, code: CloseCode, reason: str) -> None:
        """Send what is new, then close all connections."""
        self.tell()
        super().dismiss(code, reason)


class JournalStream(Stream):
    """Sends everything in the journals of one game after another: hidden tiles, walls, and answers with their times."""

    def __init__(self) -> None:
        super().__init__()
        self._path: Path | None = None
        self._title, self._read, self._half = "", 0, b""

    def next_game(self, journal: Path, title: str = "") -> None:
        """Follow another journal from now on."""
        self._path, self._title, self._read, self._half = journal, title, 0, b""

    def catch_up(self) -> None:
        """Show the lines finished since the last call."""
        if self._path is None:
            return
        try:
            content = growing(self._path, self._read)
        except FileNotFoundError:  # not there yet, or the game never began
            return
        self._read += len(content)
        *lines, self._half = (self._half + content).split(b"\n")
        if lines and lines[0].startswith(_HEADER):
            self.begin(_head_of(lines.pop(0), self._title))
        self.add([line for line in lines if not line.startswith(digest.BEGINNING)])


def _list_of(items: Sequence[bytes]) -> bytes:
    return b"[" + b",".join(items) + b"]"


def _head_of(header: bytes, title: str = "") -> dict[str, Any]:
    """Make the head of a game from the first line of its journal."""
    told = json.loads(header)
    title = title or told.get("title") or f"seed {told['seed']} game {told['number']}"
    own = {key: told[key] for key in ("qijia", "walls") if key in told}  # riichi only
    return {"title": title, "player": told["player"], **own, "game": told["number"]}


# Starts the viewer of running games (`onlookers.py`) in a process of its own.


class WatchPage:
    """The viewer of the games in `folder`, all of the kind `game`, as a process of its own; a context manager. BadInput
    if the port cannot be had (0: any free one). TableFault if it does not start.

    At the end of the block it ends, after all onlookers have received everything.
    """

    def __init__(self, folder: Path, port: int, game: str = "riichi") -> None:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(search_path())}
        command = [sys.executable, "-P", "-m", "jantaku.table.serve.watching.onlookers", str(folder), str(port), game]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._end()
            raise TableFault("the viewer of running games did not start; what it said stands above")
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
