"""Onlookers over WebSocket, for any game: a public audience, and one that may see everything."""

import threading
from functools import partial

from websockets.frames import CloseCode

from jantaku.table.serve.net.line import DelegatedVisitor, Line, Visitor
from jantaku.table.serve.watching.options import Options


class Audience:
    """Onlookers with the same view. Call from one thread at a time."""

    shown = b""
    """Sent to a new onlooker first; empty if there is nothing yet."""

    def __init__(self) -> None:
        self.lines: list[Line] = []

    def join(self, line: Line) -> None:
        """Add an onlooker: send it the state, and from now on what is new."""
        self.lines.append(line)
        if self.shown:
            line.say(self.shown)

    def leave(self, line: Line) -> None:
        """Remove an onlooker."""
        if line in self.lines:
            self.lines.remove(line)

    def say(self, message: bytes) -> None:
        """Send a message to all."""
        for line in self.lines:
            line.say(message)

    def dismiss(self, code: CloseCode, reason: str) -> None:
        """Close all connections."""
        for line in self.lines:
            line.hang_up(code, reason)


class Gallery:
    """All onlookers of a room, or of the games of a folder. Call its methods from any thread. `open_to_all`: every
    onlooker sees what the operator sees."""

    def __init__(self, public: Audience, operators: Audience, *, open_to_all: bool = False) -> None:
        self._audiences = (public, operators)
        self._open_to_all = open_to_all
        self._lock = threading.RLock()
        self._farewell: tuple[CloseCode, str] | None = None

    def admit(self, line: Line, *, operator: bool = False, options: Options | None = None) -> Visitor:
        """Add an onlooker. Only the operator sees what is hidden, and may ask for `options`. Other messages are
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
        """Remove an onlooker."""
        with self._lock:
            for audience in self._audiences:
                audience.leave(line)

    def show(self, public: bytes, everything: bytes) -> None:
        """Send the public view and the operator's; a later onlooker gets the last one of its audience."""
        with self._lock:
            for audience, message in zip(self._audiences, (public, everything), strict=True):
                audience.shown = message
                audience.say(message)

    def say(self, message: bytes) -> None:
        """Send a message to present onlookers; later ones do not get it."""
        with self._lock:
            for audience in self._audiences:
                audience.say(message)

    def dismiss(self, code: CloseCode, reason: str) -> None:
        """Close all connections, present and future ones; the first reason counts."""
        with self._lock:
            self._farewell = self._farewell or (code, reason)
            for audience in self._audiences:
                audience.dismiss(*self._farewell)
