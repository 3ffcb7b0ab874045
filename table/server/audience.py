"""People who are shown the same game over WebSocket."""

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec
from websockets.frames import CloseCode

from table.server.growing import head_of, is_header
from table.server.line import Line
from table.server.options import Options


class Host(Protocol):
    """Whoever lets people look on."""

    def leave(self, line: Line) -> None:
        """Somebody is gone."""


class Onlooker:
    """Somebody who looks on. Implements `web.Visitor`.

    Who may see everything may ask for `options`; without them what he says is ignored.
    """

    def __init__(self, host: Host, line: Line, options: Options | None = None) -> None:
        self._host, self._line, self._options = host, line, options

    def hear(self, text: str) -> bool:
        """See `Visitor.hear`."""
        if self._options is not None and (answer := self._options.answer(text)) is not None:
            self._line.say(answer)
        return False

    def leave(self) -> None:
        """See `Visitor.leave`."""
        self._host.leave(self._line)


class Audience:
    """People who are shown the same: a head, then items as records have them, lists of them where there are several.

    Whoever comes late gets all that was shown so far in one message. Not for several threads at once.
    """

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._head = b""
        self._shown: list[bytes] = []

    def join(self, line: Line) -> None:
        """Show somebody what there is, and from now on what comes."""
        self.lines.append(line)
        if self._head:
            line.say(self._head)
        if self._shown:
            line.say(_list_of(self._shown))

    def leave(self, line: Line) -> None:
        """Somebody is gone."""
        if line in self.lines:
            self.lines.remove(line)

    def begin(self, head: dict[str, Any]) -> None:
        """A game begins, the first one or the next."""
        self._head, self._shown = msgspec.json.encode(head), []
        self._say(self._head)

    def show(self, items: Sequence[bytes]) -> None:
        """What comes next, JSON objects, in one message."""
        self._shown += items
        if items:
            self._say(_list_of(items))

    def dismiss(self, code: CloseCode, reason: str) -> None:
        """Send everybody away."""
        for line in self.lines:
            line.hang_up(code, reason)

    def _say(self, message: bytes) -> None:
        for line in self.lines:
            line.say(message)


def _list_of(items: Sequence[bytes]) -> bytes:
    return b"[" + b",".join(items) + b"]"


def show_lines(audience: Audience, lines: Sequence[bytes], title: str = "") -> None:
    """Show lines of a journal; its header begins a game."""
    if lines and is_header(lines[0]):
        audience.begin(head_of(lines[0], title))
        lines = lines[1:]
    audience.show(lines)
