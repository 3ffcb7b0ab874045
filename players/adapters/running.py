"""The programs that this process has started and that have not ended yet."""

import atexit
import os
from typing import Protocol

from players.adapters.pipes import guardian

GOODBYE = 0.5
"""Seconds that a program has to leave by itself when its input ends."""
GRACE = 1.0
"""Seconds between SIGTERM and SIGKILL."""


class Running(Protocol):
    """What is needed here of a `Program`."""

    @property
    def stopping(self) -> bool:
        """Whether it was told to go."""

    def kill(self) -> None:
        """SIGKILL for the program and all that it has started."""

    def join(self, seconds: float) -> bool:
        """Wait until nothing of it is left, at most so long; whether that is so."""


running: set[Running] = set()
os.register_at_fork(after_in_child=running.clear)  # a forked child has none: those are its parent's to end


def programs_left() -> int:
    """How many programs that this process has started have not ended yet."""
    return len(running)


def end_all() -> None:
    """End every program that this process has started and wait for that: those that were told to go have a moment
    for it, others none (a process that ends cannot begin anything any more)."""
    for program in list(running):
        if not program.stopping:
            program.kill()
    for program in list(running):
        program.join(GOODBYE + 2 * GRACE)
    guardian.dismiss()


atexit.register(end_all)
