"""Spectators of riichi games over WebSocket: a public stream, and one for the operator.

The table's thread only appends events to a queue. A thread of the gallery turns them into messages, a few per second
and once for all spectators, and only if there are any: spectators cost the table next to nothing.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec
from websockets.frames import CloseCode

from jantaku.table.ground.port import Answer
from jantaku.table.languages.majiang.items import LINES, Encoder, writes_decimals
from jantaku.table.riichi import events
from jantaku.table.riichi.mask import masked
from jantaku.table.serve.identity import same_secret
from jantaku.table.serve.net.line import Line
from jantaku.table.serve.net.visitor import Visitor
from jantaku.table.serve.streams import Gallery, JournalStream, Options, Stream

NOBODY = -1
"""The seat of an observer that sees no hidden tile."""
PAUSE = 0.4
"""Least seconds between two messages to spectators: a table of fast bots plays dozens of turns in that time."""
OVER = "the game is over"
Turn = Sequence[events.Event]
"""The events of one turn."""
_WRITTEN = {event: line.rstrip() for event, line in LINES.items()}
"""Items by event, made at import because most events are among them."""


class _Public(Stream):
    """The public view of a game, `delay` turns late. Makes items only while there are spectators."""

    def __init__(self, delay: int) -> None:
        super().__init__()
        self._over = False
        self._delay = delay
        self._title = ""
        self._encoder = Encoder()
        self._waiting: deque[Turn] = deque()
        """Turns that are not shown yet."""
        self._turns: list[Turn] = []
        """All turns of the game."""

    def next_game(self, title: str) -> None:
        self._title, self._over = title, False
        self._waiting.clear()
        self._turns = []

    def take(self, new: Turn) -> None:
        self._waiting.append(new)
        self._turns.append(new)

    def again(self) -> "_Public":
        """Return a copy of the finished game, without spectators."""
        public = _Public(0)
        public.next_game(self._title)
        public.finish()
        public._waiting.extend(self._turns)
        return public

    def finish(self) -> None:
        """The game is over: nothing need be delayed any more."""
        self._over = True

    def catch_up(self) -> None:
        """Show the turns that are old enough."""
        items: list[bytes] = []
        while len(self._waiting) > (0 if self._over else self._delay):
            for event in self._waiting.popleft():
                if isinstance(event, events.HanchanStart):
                    self._begin(event)
                items += self._told_as(masked(event, NOBODY))
        self.add(items)

    def _told_as(self, event: events.Event) -> Sequence[bytes]:
        line = _WRITTEN.get(event)  # most events are draws and discards
        if line is not None:
            return (line,)
        item = self._encoder.encode(event)
        return () if item is None else (msgspec.json.encode(item),)

    def _begin(self, start: events.HanchanStart) -> None:
        self._encoder = Encoder(decimals=writes_decimals(start.rules))
        self.begin({"title": self._title, "player": start.names, "qijia": start.first_dealer})


class RiichiGallery(Gallery):
    """Spectators of one game after another. Implements `Looker`."""

    def __init__(self, delay: int = 0) -> None:
        self._public, self._operators = _Public(delay), JournalStream()
        super().__init__(self._public, self._operators)
        self._told: deque[Callable[[], None]] = deque()
        """Calls appended by the table's thread."""
        self._news = threading.Event()
        self._closing = threading.Event()
        self._sender: threading.Thread | None = None

    def next_game(self, title: str, journal: Path) -> None:
        """Begin a game, whose journal will be at that path. Its title differs from the last game's, so that nobody
        mixes them up."""
        with self._lock:
            if self._sender is None:  # without spectators the last game need not be shown
                self._told.clear()
            self._told.append(partial(self._next, title, journal))

    def admit(self, line: Line, *, operator: bool = False, options: Options | None = None) -> Visitor:
        with self._lock:
            self._take_in()
            (self._operators if operator else self._public).catch_up()
            visitor = super().admit(line, operator=operator, options=options)
            sender = None
            if self._sender is None and self._farewell is None:
                sender = self._sender = threading.Thread(target=self._send, name="gallery", daemon=True)
        if sender is not None:
            sender.start()
        return visitor

    def events(self, new: Turn) -> None:
        self._told.append(partial(self._public.take, new))
        if not self._news.is_set():  # asking is cheaper; safe, as `_send` clears it before it reads
            self._news.set()

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """Does nothing: questions tell of hidden tiles, as only a holder of certain tiles is asked to call."""

    def close(self) -> None:
        """Take note that the game is over. Spectators may stay for the next one."""
        self._told.append(self._public.finish)
        self._news.set()

    def kept(self, journal: Path, ticket: str) -> "KeptGame":
        """Return the finished game for later spectators. `journal` is its journal; the holders of `ticket` played in
        it."""
        with self._lock:
            self._take_in()
            return KeptGame(self._public.again(), journal, ticket)

    def dismiss(self, code: CloseCode, reason: str) -> None:
        with self._lock:
            self._take_in()
            self._catch_up()
            super().dismiss(code, reason)
        self._closing.set()
        self._news.set()

    def _send(self) -> None:
        """Send what is new until the gallery is closed. The loop of a thread."""
        while not self._closing.is_set():
            self._news.wait()
            self._news.clear()
            with self._lock:
                self._take_in()
                self._catch_up()
                pause = max(self._public.tell(), self._operators.tell())
            self._closing.wait(max(PAUSE, pause))

    def _take_in(self) -> None:
        """Run the calls from the table's thread. Call with the lock held."""
        while self._told:
            self._told.popleft()()

    def _next(self, title: str, journal: Path) -> None:
        self._catch_up()
        self._public.next_game(title)
        self._operators.next_game(journal, title)

    def _catch_up(self) -> None:
        """Show what is new to all streams that have spectators. Call with the lock held."""
        for stream in (self._public, self._operators):
            if stream.lines:
                stream.catch_up()


class KeptGame(Gallery):
    """A finished game: its public view, and its journal for the operator. A spectator gets all of it at once."""

    def __init__(self, public: _Public, journal: Path, ticket: str) -> None:
        self.journal = journal
        self._ticket = ticket
        self._streams = public, JournalStream()
        self._streams[1].next_game(journal)
        super().__init__(*self._streams)
        super().dismiss(CloseCode.NORMAL_CLOSURE, OVER)

    def admit(self, line: Line, *, operator: bool = False, options: Options | None = None) -> Visitor:
        with self._lock:
            self._streams[operator].catch_up()
            return super().admit(line, operator=operator, options=options)

    def is_open_to(self, ticket: str) -> bool:
        """Return whether this is the ticket of its players, who may see everything now."""
        return bool(self._ticket) and same_secret(ticket, self._ticket)
