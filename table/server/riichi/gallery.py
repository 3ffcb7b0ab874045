"""Onlookers of riichi games over WebSocket: one stream for all, and one for the operator.

The table's thread only appends events to a list. A thread of the gallery makes messages of them, a few a second and
each once for everybody, and only for streams that have readers: onlookers cost the table next to nothing.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import msgspec
from websockets.frames import CloseCode

from jantaku.table.formats.majiang.items import LINES, Encoder, writes_decimals
from jantaku.table.port import Answer
from jantaku.table.riichi import events
from jantaku.table.riichi.masking import masked
from jantaku.table.server.identity import same_secret
from jantaku.table.server.net.line import Line
from jantaku.table.server.net.visitor import Visitor
from jantaku.table.server.watching.gallery import Gallery
from jantaku.table.server.watching.options import Options
from jantaku.table.server.watching.stream import JournalStream, Stream

NOBODY = -1
"""The seat of an observer who sees no hidden tile."""
PAUSE = 0.4
"""Least seconds between two messages to onlookers: a table of fast bots plays dozens of turns in them."""
OVER = "the game is over"
Turn = Sequence[events.Event]
"""The events of one turn."""
_WRITTEN = {event: line.rstrip() for event, line in LINES.items()}
"""Items that need not be made."""


class _Public(Stream):
    """The game as everybody may see it, `delay` turns late. Makes items of what it was told when somebody is there."""

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
        """From now on the turns are those of another game."""
        self._title, self._over = title, False
        self._waiting.clear()
        self._turns = []

    def take(self, new: Turn) -> None:
        """Take in what happened in a turn."""
        self._waiting.append(new)
        self._turns.append(new)

    def again(self) -> "_Public":
        """The game that is over once more, with nobody who looks on."""
        public = _Public(0)
        public.next_game(self._title)
        public.finish()
        public._waiting.extend(self._turns)
        return public

    def finish(self) -> None:
        """All is known that will ever be of this game."""
        self._over = True

    def catch_up(self) -> None:
        """Show what is old enough."""
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
    """Onlookers of one game after another. Implements `Looker`."""

    def __init__(self, delay: int = 0) -> None:
        self._public, self._operators = _Public(delay), JournalStream()
        super().__init__(self._public, self._operators)
        self._told: deque[Callable[[], None]] = deque()
        """Events appended by the table's thread."""
        self._news = threading.Event()
        self._closing = threading.Event()
        self._sender: threading.Thread | None = None

    def next_game(self, title: str, journal: Path) -> None:
        """A game begins, and this is where its journal is going to be. Its title is another one than that of the game
        before, so that nobody mixes them up."""
        with self._lock:
            if self._sender is None:  # there was no onlooker
                self._told.clear()
            self._told.append(partial(self._next, title, journal))

    def admit(self, line: Line, *, operator: bool = False, options: Options | None = None) -> Visitor:
        """See `Gallery.admit`."""
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
        """See `Watch.events`."""
        self._told.append(partial(self._public.take, new))
        if not self._news.is_set():  # to ask is cheap; and what was put down is taken in after it is cleared
            self._news.set()

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """See `Watch.answers`. What was asked tells of hidden tiles: who may call something holds them."""

    def close(self) -> None:
        """The game is over. Onlookers may stay for the next one."""
        self._told.append(self._public.finish)
        self._news.set()

    def kept(self, journal: Path, ticket: str) -> "KeptGame":
        """The game that is over, for who wants to look at it later; it has that journal, and who has the ticket played
        in it."""
        with self._lock:
            self._take_in()
            return KeptGame(self._public.again(), journal, ticket)

    def dismiss(self, code: CloseCode, reason: str) -> None:
        """See `Gallery.dismiss`."""
        with self._lock:
            self._take_in()
            self._catch_up()
            super().dismiss(code, reason)
        self._closing.set()
        self._news.set()

    def _send(self) -> None:
        """Send what is new until the gallery is closed."""
        while not self._closing.is_set():
            self._news.wait()
            self._news.clear()
            with self._lock:
                self._take_in()
                self._catch_up()
                pause = max(self._public.tell(), self._operators.tell())
            self._closing.wait(max(PAUSE, pause))

    def _take_in(self) -> None:
        """Pass on the events from the table's thread. With the lock held."""
        while self._told:
            self._told.popleft()()

    def _next(self, title: str, journal: Path) -> None:
        self._catch_up()
        self._public.next_game(title)
        self._operators.next_game(journal, title)

    def _catch_up(self) -> None:
        """Show everybody who is there what is new. With the lock held."""
        for stream in (self._public, self._operators):
            if stream.lines:
                stream.catch_up()


class KeptGame(Gallery):
    """A game that is over: what everybody could see of it, and its journal for the operator. Who comes is sent all of
    it at once."""

    def __init__(self, public: _Public, journal: Path, ticket: str) -> None:
        self.journal = journal
        self._ticket = ticket
        self._streams = public, JournalStream()
        self._streams[1].next_game(journal)
        super().__init__(*self._streams)
        super().dismiss(CloseCode.NORMAL_CLOSURE, OVER)

    def admit(self, line: Line, *, operator: bool = False, options: Options | None = None) -> Visitor:
        """See `Gallery.admit`."""
        with self._lock:
            self._streams[operator].catch_up()
            return super().admit(line, operator=operator, options=options)

    def is_open_to(self, ticket: str) -> bool:
        """Whether that is the ticket of those who played, to whom nothing of it is hidden any more."""
        return bool(self._ticket) and same_secret(ticket, self._ticket)
