"""Everybody who looks on at riichi games over WebSocket: one stream for all, and one for the operator.

The table's thread only puts down what happened. A thread of the gallery makes messages of it, a few a second and
each once for everybody, and only for streams that somebody reads: looking on costs the table next to nothing.
"""

import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from websockets.frames import CloseCode

from table.formats.majiang.items import LINES, Encoder, writes_decimals
from table.port import Answer
from table.riichi import events
from table.server.net.line import Line
from table.server.watching.audience import Audience, show_lines
from table.server.watching.growing import Growing

NOBODY = -1
"""The seat of somebody who sees no hidden tile."""
PAUSE = 0.4
"""Seconds between two messages to those who look on, at least: a table of fast bots plays dozens of turns in them."""
Turn = Sequence[events.Event]
"""What happened in one."""
_WRITTEN = {event: line.rstrip() for event, line in LINES.items()}
"""Items that need not be made."""


class _Beginning(NamedTuple):
    """A game begins."""

    title: str
    journal: Path


class _Public:
    """The game as everybody may see it, `delay` turns late. Makes items of what it was told when somebody is there."""

    def __init__(self, delay: int) -> None:
        self.audience = Audience()
        self.over = False
        """Whether everything is known that will ever be of this game."""
        self._delay = delay
        self._title = ""
        self._encoder = Encoder()
        self._waiting: deque[Turn] = deque()
        """Turns that are not shown yet."""

    def next_game(self, title: str) -> None:
        """From now on the turns are those of another game."""
        self._title, self.over = title, False
        self._waiting.clear()

    def take(self, new: Turn) -> None:
        """Take in what happened in a turn."""
        self._waiting.append(new)

    def catch_up(self) -> None:
        """Show what is old enough."""
        items: list[bytes] = []
        while len(self._waiting) > (0 if self.over else self._delay):
            for event in self._waiting.popleft():
                if isinstance(event, events.HanchanStart):
                    self._begin(event)
                items += self._told_as(events.masked(event, NOBODY))
        self.audience.show(items)

    def _told_as(self, event: events.Event) -> Sequence[bytes]:
        line = _WRITTEN.get(event)  # most events are draws and discards
        if line is not None:
            return (line,)
        item = self._encoder.encode(event)
        return () if item is None else (msgspec.json.encode(item),)

    def _begin(self, start: events.HanchanStart) -> None:
        self._encoder = Encoder(decimals=writes_decimals(start.rules))
        self.audience.begin({"title": self._title, "player": start.names, "qijia": start.first_dealer})


class _Operators:
    """The game with all that its journal says: hidden tiles, walls, answers with their times. Reads it from there."""

    def __init__(self) -> None:
        self.audience = Audience()
        self._journal: Growing | None = None
        self._title = ""

    def next_game(self, title: str, journal: Path) -> None:
        """From now on the lines are those of another game."""
        self._title, self._journal = title, Growing(journal)

    def catch_up(self) -> None:
        """Show what has been written since the last time."""
        if self._journal is not None:
            show_lines(self.audience, self._journal.news(), self._title)


class Gallery:
    """Those who look on at one game after another. Implements `Looker`; other methods may be called from any thread."""

    def __init__(self, delay: int = 0) -> None:
        self._public = _Public(delay)
        self._operators = _Operators()
        self._told: deque[_Beginning | Turn | None] = deque()
        """What happened, left by the table's thread. None: the game is over."""
        self._news = threading.Event()
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._farewell: tuple[CloseCode, str] | None = None
        self._sender: threading.Thread | None = None

    def next_game(self, title: str, journal: Path) -> None:
        """A game begins, and this is where its journal is going to be. Its title is another one than that of the game
        before, so that nobody mixes them up."""
        with self._lock:
            if self._sender is None:  # nobody has ever looked on
                self._told.clear()
            self._told.append(_Beginning(title, journal))

    def admit(self, line: Line, *, operator: bool) -> None:
        """Let somebody look on; only the operator sees hidden tiles."""
        line.one_way = True
        stream = self._operators if operator else self._public
        with self._lock:
            self._take_in()
            stream.catch_up()
            stream.audience.join(line)
            if self._farewell is not None:
                line.hang_up(*self._farewell)
            elif self._sender is None:
                self._sender = threading.Thread(target=self._send, name="gallery", daemon=True)
                self._sender.start()

    def leave(self, line: Line) -> None:
        """Somebody is gone."""
        with self._lock:
            for stream in self._streams:
                stream.audience.leave(line)

    def events(self, new: Turn) -> None:
        """See `Watch.events`."""
        self._told.append(new)
        if not self._news.is_set():  # to ask is cheap; and what was put down is taken in after it is cleared
            self._news.set()

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """See `Watch.answers`. What was asked tells of hidden tiles: who may call something holds them."""

    def close(self) -> None:
        """The game is over. Who looks on may stay for the next one."""
        self._told.append(None)
        self._news.set()

    def dismiss(self, code: CloseCode, reason: str) -> None:
        """Send everybody away, now and later; the first reason stands."""
        with self._lock:
            self._take_in()
            self._catch_up()
            self._farewell = self._farewell or (code, reason)
            for stream in self._streams:
                stream.audience.dismiss(*self._farewell)
        self._closing.set()
        self._news.set()

    @property
    def _streams(self) -> tuple[_Public | _Operators, ...]:
        return self._public, self._operators

    def _send(self) -> None:
        """Show what is new until everybody is sent away."""
        while not self._closing.is_set():
            self._news.wait()
            self._news.clear()
            with self._lock:
                self._take_in()
                self._catch_up()
                pause = max(stream.audience.tell() for stream in self._streams)
            self._closing.wait(max(PAUSE, pause))

    def _take_in(self) -> None:
        """Hand on what the table's thread has left. With the lock held."""
        while self._told:
            what = self._told.popleft()
            if what is None:
                self._public.over = True
            elif isinstance(what, _Beginning):
                self._catch_up()
                self._public.next_game(what.title)
                self._operators.next_game(what.title, what.journal)
            else:
                self._public.take(what)

    def _catch_up(self) -> None:
        """Show everybody who is there what is new. With the lock held."""
        for stream in self._streams:
            if stream.audience.lines:
                stream.catch_up()
