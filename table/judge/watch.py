"""Watches: journal, onlookers, a progress line."""

from collections.abc import Sequence
from typing import Any, Protocol

from jantaku.table.port import Answer


class Watch(Protocol):
    """Notified of what happened, always in the judge's thread and never while a player's clock runs.

    In each turn first `answers` (if a seat was asked), then `events` that follow from them. An exception in here is a
    defect of ours: the table stops with a TableFault.
    """

    def events(self, new: Sequence[Any]) -> None:
        """What has happened since the last call, unmasked, in order, never empty."""

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """The answers to the questions of `turn`: the turn seat's first, then in seat order after it."""
