"""Everybody who looks on at a riichi game over WebSocket: one stream for all, and one for the operator.

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
OVER = "the game is over"
_WRITTEN = {event: line.rstrip() for event, line in LINES.items()}
"""Items that need not be made."""


class _Public:
    """The game as everybody may see it, `delay` turns late. Makes items of what it was told when somebody is there."""

    def __init__(self, title: str, delay: int) -> None:
        self.audience = Audience()
        self._title, self._delay = title, delay
        self._encoder = Encoder()
        self._waiting: deque[Sequence[events.Event]] = deque()
        """Turns that are not shown yet."""

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

    def __init__(self, title: str) -> None:
        self.audience = Audience()
        self.journal: Growing | None = None
        self._title = title

    def catch_up(self) -> None:
        """Show what has been written since the last time."""
        if self.journal is not None:
            show_lines(self.audience, self.journal.news(), self._title)


class Gallery:
    """Those who look on at one game. Implements `judge.watch.Watch`; other methods may be called from any thread."""

    def __init__(self, title: str = "jantaku", delay: int = 0) -> None:
        self._public = _Public(title, delay)
        self._operators = _Operators(title)
        self._told: deque[Sequence[events.Event]] = deque()
        """What happened, left by the table's thread."""
        self._news = threading.Event()
        self._closing = threading.Event()
        self._lock = threading.Lock()
        self._ended = False
        """Whether everything is known that will ever be."""
        self._farewell: tuple[CloseCode, str] | None = None
        self._sender: threading.Thread | None = None

    def follow(self, journal: Path) -> None:
        """Where the game's journal is going to be, for the operator."""
        self._operators.journal = Growing(journal)

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
        """The game is over."""
        self._end(CloseCode.NORMAL_CLOSURE, OVER, ended=True)

    def dismiss(self) -> None:
        """The server closes, or the room does without a game."""
        self._end(CloseCode.GOING_AWAY, "the room is closed", ended=False)

    def _end(self, code: CloseCode, reason: str, *, ended: bool) -> None:
        with self._lock:
            self._ended = self._ended or ended
            self._catch_up()
            self._farewell = self._farewell or (code, reason)
            for audience in (self._public.audience, self._operators.audience):
                audience.dismiss(code, reason)
        self._closing.set()
        self._news.set()

    def _send(self) -> None:
        """Show what is new as long as the game lasts."""
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
