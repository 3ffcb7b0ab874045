"""A visitor: an admitted client as a server sees it."""

from collections.abc import Callable
from typing import Protocol

from jantaku.table.server.net.admission import Arrival
from jantaku.table.server.net.line import Line


class Visitor(Protocol):
    """An admitted client."""

    def hear(self, text: str) -> bool | None:
        """A message came. True if it was asked for, so that it does not count against the rate limit. Called on the
        event loop and must not wait, except on one-way lines: there by a worker."""

    def leave(self) -> None:
        """The connection is gone; called once by a worker, whatever happened."""


class DelegatedVisitor:
    """A visitor whose messages and end are handled by callbacks. Implements `Visitor`."""

    def __init__(self, hear: Callable[[str], bool | None], leave: Callable[[], None]) -> None:
        self.hear, self.leave = hear, leave


Welcome = Callable[[Arrival, Line], Visitor | None]
"""Admits a visitor. None to refuse, after an optional message: the line is closed."""
