"""Everybody who looks on at riichi games over WebSocket: one stream for all, and one for the operator.

The table's thread only puts down what happened. A thread of the gallery makes messages of it, a few a second and
each once for everybody, and only for streams that somebody reads: looking on costs the table next to nothing.
"""

import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path

import msgspec
from websockets.frames import CloseCode

from table.port import Answer
from table.record.items import LINES, Encoder, writes_decimals
from table.riichi import events
from table.server.audience import Audience, show_lines
from table.server.growing import Growing
from table.server.line import Line

NOBODY = -1
"""The seat of somebody who sees no hidden tile."""
PAUSE = 0.4
"""Seconds between two messages to those who look on: a table of fast bots plays dozens of turns in them."""
_WRITTEN = {event: line.rstrip() for event, line in LINES.items()}
"""Items that need not be made."""


class _Public:
    """The game as everybody may see it, `delay` turns late. Makes items of what it was told when somebody is there."""

    def __init__(self, delay: int) -> None:
        self.audience = Audience()
        self._delay = delay
        self._title = ""
        self._encoder = Encoder()
        self._waiting: deque[Sequence[events.Event]] = deque()
        """Turns that are not shown yet."""

    def next_game(self, title: str) -> None:
        """From now on the turns are those of another game."""
        self._title = title
        self._waiting.clear()

    def take(self, new: Sequence[events.Event]) -> None:
        """Take in what happened in a turn."""
        self._waiting.append(new)

    def catch_up(self, *, to_the_end: bool) -> None:
        """Show what is old enough."""
        items: list[bytes] = []
        while len(self._waiting) > (0 if to_the_end else self._delay):
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
        self._told: deque[Sequence[events.Event]] = deque()
        """What happened, left by the table's thread."""
        self._news = threading.Event()
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._ended = False
        """Whether everything is known that will ever be of this game."""
        self._farewell: tuple[CloseCode, str] | None = None
        self._sender: threading.Thread | None = None

    def next_game(self, title: str, journal: Path) -> None:
        """A game begins, and this is where its journal is going to be. Its title is another one than that of the game
        before, so that nobody mixes them up."""
        with self._lock:
            self._told.clear()
            self._ended = False
            self._public.next_game(title)
            self._operators.next_game(title, journal)

    def admit(self, line: Line, *, operator: bool) -> None:
        """Let somebody look on; only the operator sees hidden tiles."""
        line.one_way = True
        with self._lock:
            if operator:
                self._operators.catch_up()
                self._operators.audience.join(line)
            else:
                self._take_in()
                self._public.catch_up(to_the_end=self._ended)
                self._public.audience.join(line)
            if self._farewell is not None:
                line.hang_up(*self._farewell)
            elif self._sender is None:
                self._sender = threading.Thread(target=self._send, name="gallery", daemon=True)
                self._sender.start()

    def leave(self, line: Line) -> None:
        """Somebody is gone."""
        with self._lock:
            self._public.audience.leave(line)
            self._operators.audience.leave(line)

    def events(self, new: Sequence[events.Event]) -> None:
        """See `Watch.events`."""
        self._told.append(new)
        self._news.set()

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """See `Watch.answers`. What was asked tells of hidden tiles: who may call something holds them."""

    def close(self) -> None:
        """The game is over. Who looks on may stay for the next one."""
        with self._lock:
            self._ended = True
            self._catch_up()

    def dismiss(self, code: CloseCode, reason: str) -> None:
        """Send everybody away, now and later; the first reason stands."""
        with self._lock:
            self._catch_up()
            self._farewell = self._farewell or (code, reason)
            for audience in (self._public.audience, self._operators.audience):
                audience.dismiss(*self._farewell)
        self._closing.set()
        self._news.set()

    def _send(self) -> None:
        """Show what is new until everybody is sent away."""
        while not self._closing.is_set():
            self._news.wait()
            self._news.clear()
            with self._lock:
                self._catch_up()
            self._closing.wait(PAUSE)

    def _take_in(self) -> None:
        while self._told:
            self._public.take(self._told.popleft())

    def _catch_up(self) -> None:
        """Show everybody who is there what is new. With the lock held."""
        self._take_in()
        if self._public.audience.lines:
            self._public.catch_up(to_the_end=self._ended)
        if self._operators.audience.lines:
            self._operators.catch_up()
