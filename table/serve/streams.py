"""Games as a stream of messages for spectators.

Spectators who may see everything may also ask for the options of decisions in a running game.

A journal does not contain options: they follow from the rules. Computing them for every turn would cost a table more
than all its viewers, and nobody looks at every turn. So a viewer sends `{"game": 0, "turn": 41}`, with a turn number of
the journal, and receives `{"game": 0, "turns": […]}`: that turn and the later ones of its kyoku, as `jantaku view`
shows them, with `options` in every answer, as far as they are known. It can ask again from the first one missing.

A `Gallery` has two audiences over WebSocket, for any game: the public, and one that may see everything.
"""

import json
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import msgspec
import websockets  # noqa: F401  the other process needs it, and this one says where it is missing
from websockets.frames import CloseCode

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.majiang.rule import Item
from jantaku.table.records.journal import digest
from jantaku.table.records.journal.read import kyoku_with
from jantaku.table.records.journal.sealed import growing
from jantaku.table.records.journal.writer import journal_of
from jantaku.table.records.view.riichi import stream_of
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.net.visitor import DelegatedVisitor, Visitor

Number = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]


class Ask(msgspec.Struct, frozen=True):
    """A request for the options of a game from a turn on."""

    game: Number
    turn: Number


class Options:
    """Answers requests about the games whose journals are in a folder. Thread-safe. The turns of the last kyoku are
    cached, for several viewers. The first request drives the engine through one kyoku, which takes milliseconds."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._game = -1
        self._turns: dict[int, Item] = {}
        """Turns of the last kyoku asked for, by number."""

    def answer(self, text: str) -> bytes | None:
        """Return the answer to this message; None if it is not a request."""
        try:
            ask = msgspec.json.decode(text, type=Ask)
        except (msgspec.MsgspecError, RecursionError):
            return None
        with self._lock:
            if ask.game != self._game or ask.turn not in self._turns:
                self._game, self._turns = ask.game, self._worked_out(ask)
            turns = [turn for number, turn in self._turns.items() if number >= ask.turn]
        return msgspec.json.encode({"game": ask.game, "turns": turns})

    def _worked_out(self, ask: Ask) -> dict[int, Item]:
        """Return the known turns of the kyoku with their options; none if the engine cannot follow."""
        try:
            record = kyoku_with(journal_of(self._folder, ask.game), ask.turn)
        except (BadInput, OSError):  # not there yet, or not any more
            return {}
        stream = stream_of(record)[0] if record is not None else ()
        return {item["turn"]: item for item in stream if item.get("turn") is not None and _is_complete(item)}


def _is_complete(turn: Item) -> bool:
    return all("options" in answer for answer in turn["answers"])


class Audience:
    """Spectators with the same view. Call from one thread at a time."""

    shown = b""
    """Sent to a new spectator first; empty if there is nothing yet."""

    def __init__(self) -> None:
        self.lines: list[Line] = []

    def join(self, line: Line) -> None:
        """Add a spectator: send it the state, and from now on what is new."""
        self.lines.append(line)
        if self.shown:
            line.say(self.shown)

    def leave(self, line: Line) -> None:
        if line in self.lines:
            self.lines.remove(line)

    def say(self, message: bytes) -> None:
        for line in self.lines:
            line.say(message)

    def dismiss(self, code: CloseCode, reason: str) -> None:
        for line in self.lines:
            line.hang_up(code, reason)


class Gallery:
    """All spectators of a room, or of the games of a folder. Call its methods from any thread. `open_to_all`: every
    spectator sees what the operator sees."""

    def __init__(self, public: Audience, operators: Audience, *, open_to_all: bool = False) -> None:
        self._audiences = (public, operators)
        self._open_to_all = open_to_all
        self._lock = threading.RLock()
        self._farewell: tuple[CloseCode, str] | None = None

    def admit(self, line: Line, *, operator: bool = False, options: Options | None = None) -> Visitor:
        """Add a spectator. Only the operator sees what is hidden, and may ask for `options`. Other messages are
        ignored."""
        line.one_way = True
        with self._lock:
            self._audiences[operator or self._open_to_all].join(line)
            if self._farewell is not None:
                line.hang_up(*self._farewell)

        def hear(text: str) -> None:
            if options is not None and (answer := options.answer(text)) is not None:
                line.say(answer)

        return DelegatedVisitor(hear, partial(self.leave, line))

    def leave(self, line: Line) -> None:
        with self._lock:
            for audience in self._audiences:
                audience.leave(line)

    def show(self, public: bytes, everything: bytes) -> None:
        """Send the public view and the operator's; a later spectator gets the last one of its audience."""
        with self._lock:
            for audience, message in zip(self._audiences, (public, everything), strict=True):
                audience.shown = message
                audience.say(message)

    def say(self, message: bytes) -> None:
        """Send a message to present spectators; later ones do not get it."""
        with self._lock:
            for audience in self._audiences:
                audience.say(message)

    def dismiss(self, code: CloseCode, reason: str) -> None:
        """Close all connections, present and future ones; the first reason counts."""
        with self._lock:
            self._farewell = self._farewell or (code, reason)
            for audience in self._audiences:
                audience.dismiss(*self._farewell)


class RoomList(Gallery):
    """Sends the list of a server's rooms to each new client, and to all when it changes."""

    def __init__(self) -> None:
        super().__init__(Audience(), Audience())
        self._told = b""

    def tell(self, listed: Any) -> None:
        """Publish the list if it has changed."""
        told = msgspec.json.encode(listed)
        with self._lock:
            if told != self._told:
                self._told = told
                self.show(told, told)


_HEADER = b'{"jantaku"'
FOLLOWED = 400
"""Items a second that a person can follow, more than a hundred turns. A faster table is reported in rarer, larger
messages, so that spectators stay cheap there, too."""
LONGEST_PAUSE = 2.0
"""Most seconds between two messages of such a table."""
LONG = 500
"""A game with more items than this is longer than a kyoku or two."""


class Stream(Audience):
    """Spectators of one game after another. Of each game they get a head, then lists of items as in records. A late
    spectator gets everything shown of the running game in one message."""

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
        """Add a spectator, after the others got what is new, because it gets that with the rest."""
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
