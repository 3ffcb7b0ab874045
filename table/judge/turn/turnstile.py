"""How many tables of a process play at a time: the others wait before they begin a turn, off everybody's clock.

A thread that could run but for the interpreter's lock (GIL) wakes up every few milliseconds to ask for it. Where a
thousand tables do that at once, the process does little else, and players pay for it with their time.
"""

import os
from queue import SimpleQueue
from typing import Final

PLACES: Final = 8
"""So many tables at a time: more than one, since a system's call lets the lock go."""
BRIEF: Final = 0.002
"""Seconds for which a table that waits for a player keeps its place. Who thinks longer, or elsewhere, is waited for
outside, so that no table waits for the players of another."""


class Turnstile:
    """Lets in so many."""

    def __init__(self, places: int) -> None:
        self._places: Final = places
        self.open()

    def open(self) -> None:
        """All places are free."""
        self._free = SimpleQueue[None]()
        for _ in range(self._places):
            self._free.put(None)

    def enter(self) -> None:
        """Wait for a free place and take it; the first to come is the first to go in."""
        self._free.get()

    def leave(self) -> None:
        """Give the place back."""
        self._free.put(None)


TURNSTILE: Final = Turnstile(PLACES)
"""Of this process."""
if hasattr(os, "register_at_fork"):  # tables of the parent do not come along
    os.register_at_fork(after_in_child=TURNSTILE.open)
