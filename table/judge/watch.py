"""Watches: what is notified of a game's events and answers, as the journal, spectators and the progress line are."""

from collections.abc import Sequence
from typing import Any, Protocol

from jantaku.table.ground.port import Answer


class Watch(Protocol):
    """Is notified of events and answers, always in the judge's thread and never while a player's clock runs.

    In each turn `answers` comes first (if a seat was asked), then the `events` that follow from them. An exception
    raised here is a defect of ours: the table stops with a TableFault.
    """

    def events(self, new: Sequence[Any]) -> None:
        """Receive the events since the last call: unmasked, in order, never empty."""

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        """Receive the answers to the questions of `turn`: the turn seat's first, then in seat order after it."""
