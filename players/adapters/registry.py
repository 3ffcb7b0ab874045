"""Registry of the programs that this process has started and that have not ended."""

import atexit
import os
import sys
from typing import Protocol

from jantaku.players.adapters.pipes import guardian

GOODBYE = 0.5
"""Seconds for a graceful exit after a program's input was closed."""
GRACE = 1.0
"""Seconds between SIGTERM and SIGKILL."""


class Running(Protocol):
    """The part of `Program` that the registry needs."""

    @property
    def stopping(self) -> bool:
        """Whether it was told to shut down."""

    def kill(self) -> None:
        """Send SIGKILL to the program and its descendants."""

    def join(self, seconds: float) -> bool:
        """Wait at most `seconds` until nothing of it is left; whether that is so."""


running: set[Running] = set()
if sys.platform != "win32":
    os.register_at_fork(after_in_child=running.clear)  # a forked child has no programs: they belong to its parent


def programs_left() -> int:
    """The number of programs started here that have not ended."""
    return len(running)


def end_all() -> None:
    """Kill every program that this process has started, and wait for its end. Programs that are shutting down get a
    moment for it, others none: at interpreter exit no new threads can be started."""
    for program in list(running):
        if not program.stopping:
            program.kill()
    for program in list(running):
        program.join(GOODBYE + 2 * GRACE)
    guardian.dismiss()


atexit.register(end_all)
