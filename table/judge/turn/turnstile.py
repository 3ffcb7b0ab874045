"""Limits how many tables of a process play at a time: the others wait before they begin a turn, off every clock.

A thread that could run, but lacks the interpreter's lock (GIL), wakes up every few milliseconds to ask for it. If a
thousand tables do that at once, the process does little else, and the players lose time to it.
"""

import os
from queue import SimpleQueue
from typing import Final

PLACES: Final = 8
"""How many tables play at a time: more than one, since a system call releases the GIL."""
BRIEF: Final = 0.002
"""Seconds for which a table that waits for a player keeps its place. After that it waits outside, so that no table
waits for another table's slow or remote players."""


class Turnstile:
    """A semaphore of `places` places, first come, first served."""

    def __init__(self, places: int) -> None:
        self._places: Final = places
        self.open()

    def open(self) -> None:
        """Free all places."""
        self._free = SimpleQueue[None]()
        for _ in range(self._places):
            self._free.put(None)

    def enter(self) -> None:
        """Wait for a free place and take it, in the order of arrival."""
        self._free.get()

    def leave(self) -> None:
        """Give the place back."""
        self._free.put(None)


TURNSTILE: Final = Turnstile(PLACES)
"""The turnstile of this process."""
if hasattr(os, "register_at_fork"):  # tables of the parent process do not exist in the child
    os.register_at_fork(after_in_child=TURNSTILE.open)
