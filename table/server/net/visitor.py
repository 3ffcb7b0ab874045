"""Somebody who was let in, as a server sees him."""

from collections.abc import Callable
from typing import Protocol

from table.server.net.admission import Arrival
from table.server.net.line import Line


class Visitor(Protocol):
    """Somebody who was let in."""

    def hear(self, text: str) -> bool | None:
        """A message came. True if it was asked for, so that it does not count as one of too many. Called on the event
        loop and must not wait, but for lines that are one-way: there by a worker."""

    def leave(self) -> None:
        """The connection is gone; called once by a worker, whatever happened."""


class DelegatedVisitor:
    """A visitor whose words and whose leaving somebody else deals with. Implements `Visitor`."""

    def __init__(self, hear: Callable[[str], bool | None], leave: Callable[[], None]) -> None:
        self.hear, self.leave = hear, leave


Welcome = Callable[[Arrival, Line], Visitor | None]
"""Lets somebody in. None, after a word on the line if there is one to say: the line is closed."""
