"""People who are shown the same game over WebSocket."""

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec
from websockets.frames import CloseCode

from table.server.net.line import Line
from table.server.watching.growing import head_of, is_header
from table.server.watching.options import Options

FOLLOWED = 400
"""Items a second, more than a hundred turns. Of a table that plays faster nobody follows every turn, and it is told of
more seldom, so that looking on takes little even there."""
LONGEST_PAUSE = 2.0
"""Seconds between two messages of such a table."""
LONG = 500
"""Items of a game that is more than a kyoku or two."""


class AudienceHost(Protocol):
    """Whoever lets people look on."""

    def leave(self, line: Line) -> None:
        """Somebody is gone."""


class Onlooker:
    """Somebody who looks on. Implements `web.Visitor`.

    Who may see everything may ask for `options`; without them what he says is ignored.
    """

    def __init__(self, host: AudienceHost, line: Line, options: Options | None = None) -> None:
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
    """People who are shown the same: for each game a head, then items as records have them, some at a time in a list.

    Whoever comes late gets all that was shown of the running game in one message. Not for several threads at once.
    """

    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._game: list[bytes] = []
        """The running game: its head and what was shown of it."""
        self._new: list[bytes] = []
        """What is to be told."""
        self._begun: int | None = None
        """Where in that the running game begins, if it does."""
        self._came = 0

    def join(self, line: Line) -> None:
        """Show somebody what there is, and from now on what comes."""
        self.tell()
        self.lines.append(line)
        if self._game:
            line.say(_list_of(self._game))

    def leave(self, line: Line) -> None:
        """Somebody is gone."""
        if line in self.lines:
            self.lines.remove(line)

    def begin(self, head: dict[str, Any]) -> None:
        """A game begins, the first one or the next. The one before is left out if it was a long one and came and went
        between two messages: nobody could have looked at it."""
        if self._begun is not None and len(self._game) > LONG:
            del self._new[self._begun :]
        self._game = []
        self._begun = len(self._new)
        self.show([msgspec.json.encode(head)])

    def show(self, items: Sequence[bytes]) -> None:
        """What comes next, JSON objects."""
        self._game += items
        self._new += items
        self._came += len(items)

    def tell(self) -> float:
        """Send what is new, in one message; seconds that nothing need be sent for now."""
        new, self._new, self._begun = self._new, [], None
        if new:
            message = _list_of(new)
            for line in self.lines:
                line.say(message)
        came, self._came = self._came, 0
        return min(LONGEST_PAUSE, came / FOLLOWED)

    def dismiss(self, code: CloseCode, reason: str) -> None:
        """Send everybody away."""
        self.tell()
        for line in self.lines:
            line.hang_up(code, reason)


def _list_of(items: Sequence[bytes]) -> bytes:
    return b"[" + b",".join(items) + b"]"


def show_lines(audience: Audience, lines: Sequence[bytes], title: str = "") -> None:
    """Show lines of a journal; its header begins a game."""
    if lines and is_header(lines[0]):
        audience.begin(head_of(lines[0], title))
        lines = lines[1:]
    audience.show(lines)
