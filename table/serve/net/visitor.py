"""A visitor: an admitted client, as a server sees it."""

from collections.abc import Callable
from typing import Protocol

from jantaku.table.serve.net.admission import Arrival
from jantaku.table.serve.net.line import Line


class Visitor(Protocol):
    def hear(self, text: str) -> bool | None:
        """Take a message. Return True if it was due, so that it does not count against the rate limit.

        Called on the event loop, where it must not block; by a worker if the line is one-way.
        """

    def leave(self) -> None:
        """Take note that the connection is closed. Called once, by a worker, whatever the reason."""


class DelegatedVisitor:
    """A visitor whose messages and end go to callbacks. Implements `Visitor`."""

    def __init__(self, hear: Callable[[str], bool | None], leave: Callable[[], None]) -> None:
        self.hear, self.leave = hear, leave


Welcome = Callable[[Arrival, Line], Visitor | None]
"""Admits a visitor; None to refuse it, after an optional message: then the line is closed."""
