"""Everybody who looks on at a riichi game over WebSocket: one stream for all, and one for the operator."""

import threading
from collections import deque
from collections.abc import Callable, Sequence

import msgspec
from websockets.frames import CloseCode

from table.port import Answer
from table.record.items import Encoder, Item, writes_decimals
from table.riichi import events
from table.server.line import Line

NOBODY = -1
"""The seat of somebody who sees no hidden tile."""


class Stream:
    """One way to look at a game. The first message is its head, then come items as records have them.

    Whoever comes late gets all that was shown so far in one message, a list of items. Items are shown `delay`
    turns late, all of them when the game is over.
    """

    def __init__(self, seen: Callable[[events.Event], events.Event], delay: int) -> None:
        self._seen = seen
        self._delay = delay
        self._encoder = Encoder()
        self._head = b""
        self._shown: list[bytes] = []
        self._waiting: deque[list[bytes]] = deque()
        """Turns that are not shown yet."""
        self._lines: list[Line] = []

    def join(self, line: Line) -> None:
        """Show somebody what there is, and from now on what comes."""
        self._lines.append(line)
        if self._head:
            line.say(self._head)
        if self._shown:
            line.say(b"[" + b",".join(self._shown) + b"]")

    def leave(self, line: Line) -> None:
        """Somebody is gone."""
        if line in self._lines:
            self._lines.remove(line)

    def turn(self, new: Sequence[events.Event]) -> None:
        """Take a turn's events in, and show what is old enough."""
        items = []
        for event in new:
            if isinstance(event, events.HanchanStart):
                self._begin(event)
            item = self._encoder.encode(self._seen(event))
            if item is not None:
                items.append(msgspec.json.encode(item))
        self._waiting.append(items)
        while len(self._waiting) > self._delay:
            self._show(self._waiting.popleft())

    def end(self, code: CloseCode, reason: str) -> None:
        """Show the rest and say goodbye."""
        while self._waiting:
            self._show(self._waiting.popleft())
        self.dismiss(code, reason)

    def dismiss(self, code: CloseCode, reason: str) -> None:
        """Send everybody away."""
        for line in self._lines:
            line.hang_up(code, reason)

    def _begin(self, start: events.HanchanStart) -> None:
        self._encoder = Encoder(decimals=writes_decimals(start.rules))
        head: Item = {"title": "jantaku", "player": start.names, "qijia": start.first_dealer}
        self._head = msgspec.json.encode(head)
        for line in self._lines:
            line.say(self._head)

    def _show(self, items: list[bytes]) -> None:
        self._shown += items
        for item in items:
            for line in self._lines:
                line.say(item)


class Gallery:
    """Those who look on at one game. Implements `judge.watch.Watch`; other methods may be called from any thread."""

    def __init__(self, delay: int = 0) -> None:
        self._public = Stream(lambda event: events.masked(event, NOBODY), delay)
        self._operator = Stream(lambda event: event, 0)
        self._lock = threading.Lock()
        self._over = False

    def admit(self, line: Line, *, operator: bool) -> None:
        """Let somebody look on; only the operator sees hidden tiles."""
        line.one_way = True
        with self._lock:
            (self._operator if operator else self._public).join(line)
            if self._over:
                line.hang_up(CloseCode.NORMAL_CLOSURE, "the game is over")

    def leave(self, line: Line) -> None:
        """Somebody is gone."""
        with self._lock:
            self._public.leave(line)
            self._operator.leave(line)

    def events(self, new: Sequence[events.Event]) -> None:
        """See `Watch.events`."""
        with self._lock:
            self._public.turn(new)
            self._operator.turn(new)

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """See `Watch.answers`. What was asked tells of hidden tiles: who may call something holds them."""

    def close(self) -> None:
        """The game is over."""
        with self._lock:
            self._over = True
            self._public.end(CloseCode.NORMAL_CLOSURE, "the game is over")
            self._operator.end(CloseCode.NORMAL_CLOSURE, "the game is over")

    def dismiss(self) -> None:
        """The server closes, or the room does without a game."""
        with self._lock:
            self._over = True
            self._public.dismiss(CloseCode.GOING_AWAY, "the room is closed")
            self._operator.dismiss(CloseCode.GOING_AWAY, "the room is closed")
