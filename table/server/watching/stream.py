"""A game as a stream of messages for onlookers."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from websockets.frames import CloseCode

from jantaku.table.record import digest
from jantaku.table.record.sealed import growing
from jantaku.table.server.net.line import Line
from jantaku.table.server.watching.gallery import Audience

_HEADER = b'{"jantaku"'
FOLLOWED = 400
"""Items a second, more than a hundred turns. Nobody can follow a faster table turn by turn, so it is reported less
often, to keep onlookers cheap there too."""
LONGEST_PAUSE = 2.0
"""Seconds between two messages of such a table."""
LONG = 500
"""Items of a game that is more than a kyoku or two."""


class Stream(Audience):
    """Onlookers of one game after another: of each a head, then items as records have them, in lists. Late ones get
    everything shown of the running game in one message."""

    def __init__(self) -> None:
        super().__init__()
        self._game: list[bytes] = []
        """The running game: its head and what was sent of it."""
        self._new: list[bytes] = []
        """Not sent yet."""
        self._begun: int | None = None
        """Index in that of the beginning of the running game, if there is one."""
        self._came = 0

    def join(self, line: Line) -> None:
        """See `Audience.join`. The others are told first what is new, which it is told with the rest."""
        self.tell()
        self.lines.append(line)
        if self._game:
            line.say(_list_of(self._game))

    def begin(self, head: dict[str, Any]) -> None:
        """A game begins, the first one or the next. The one before is left out if it was a long one and came and went
        between two messages: nobody could have looked at it."""
        if self._begun is not None and len(self._game) > LONG:
            del self._new[self._begun :]
        self._game = []
        self._begun = len(self._new)
        self.add([msgspec.json.encode(head)])

    def add(self, items: Sequence[bytes]) -> None:
        """What comes next, JSON objects."""
        self._game += items
        self._new += items
        self._came += len(items)

    def tell(self) -> float:
        """Send what is new, in one message; seconds until the next one."""
        new, self._new, self._begun = self._new, [], None
        if new:
            self.say(_list_of(new))
        came, self._came = self._came, 0
        return min(LONGEST_PAUSE, came / FOLLOWED)

    def dismiss(self, code: CloseCode, reason: str) -> None:
        """See `Audience.dismiss`. What is new is told before."""
        self.tell()
        super().dismiss(code, reason)


class JournalStream(Stream):
    """Games with everything in their journals, one after another: hidden tiles, walls, answers with their times."""

    def __init__(self) -> None:
        super().__init__()
        self._path: Path | None = None
        self._title, self._read, self._half = "", 0, b""

    def next_game(self, journal: Path, title: str = "") -> None:
        """From now on the lines are those of another game."""
        self._path, self._title, self._read, self._half = journal, title, 0, b""

    def catch_up(self) -> None:
        """Show the lines that were finished since the last time."""
        if self._path is None:
            return
        try:
            content = growing(self._path, self._read)
        except FileNotFoundError:  # not yet, or of a game that nobody sat down to
            return
        self._read += len(content)
        *lines, self._half = (self._half + content).split(b"\n")
        if lines and lines[0].startswith(_HEADER):
            self.begin(_head_of(lines.pop(0), self._title))
        self.add([line for line in lines if not line.startswith(digest.BEGINNING)])


def _list_of(items: Sequence[bytes]) -> bytes:
    return b"[" + b",".join(items) + b"]"


def _head_of(header: bytes, title: str = "") -> dict[str, Any]:
    """The head of a game for onlookers, from its journal's first line."""
    told = json.loads(header)
    title = title or told.get("title") or f"seed {told['seed']} game {told['number']}"
    own = {key: told[key] for key in ("qijia", "walls") if key in told}  # of riichi
    return {"title": title, "player": told["player"], **own, "game": told["number"]}
