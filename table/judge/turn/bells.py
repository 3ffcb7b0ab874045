"""Bells: each wakes one resident thread when the judge rings it.

A thread that releases a lock goes on holding the interpreter's own lock (GIL): the woken thread runs into it and
sleeps again, and a hand-off takes six thread switches. A thread that writes to a pipe releases the GIL, and three
switches are enough. But a pipe takes two file descriptors, which connections and programs need as well.
"""

import os
import threading
from typing import Final, Protocol

TABLES: Final = 8
"""How many tables of a process use pipes at a time. With more tables, threads wait for each other anyway."""
_PIPED: Final = threading.BoundedSemaphore(TABLES)
_RING: Final = b"!"
_END: Final = b"."


class Bell(Protocol):
    """Wakes one thread. It is rung at most once before the thread waits again, and after that perhaps closed."""

    def ring(self) -> None:
        """Wake the thread, now or as soon as it waits."""

    def wait(self) -> bool:
        """Wait until the bell rings; False if it was closed. Called by the thread."""

    def close(self) -> None:
        """Let the thread end; the bell is not rung any more."""


class LockBell:
    """A bell made of a lock: it needs no file descriptor. Implements `Bell`."""

    def __init__(self) -> None:
        self._closed = False
        self._lock = threading.Lock()
        self._lock.acquire()

    def ring(self) -> None:
        self._lock.release()

    def wait(self) -> bool:
        self._lock.acquire()
        return not self._closed

    def close(self) -> None:
        self._closed = True
        if self._lock.locked():
            self._lock.release()


class PipeBell:
    """A bell made of a pipe: it wakes its thread sooner. Implements `Bell`. Raises OSError without free file
    descriptors."""

    def __init__(self) -> None:
        self._reading, self._writing = os.pipe()

    def ring(self) -> None:
        os.write(self._writing, _RING)

    def wait(self) -> bool:
        """Wait for a byte. Closing is a byte of its own: the end of the pipe would not arrive while a forked process
        has it open."""
        if os.read(self._reading, 1) == _RING:
            return True
        os.close(self._reading)
        return False

    def close(self) -> None:
        os.write(self._writing, _END)
        os.close(self._writing)


class Bells:
    def __init__(self, count: int) -> None:
        self._piped = _PIPED.acquire(blocking=False)
        self.bells: list[Bell] = []
        """One bell for each thread."""
        for _ in range(count):
            self.bells.append(self._bell())

    def _bell(self) -> Bell:
        try:
            return PipeBell() if self._piped else LockBell()
        except OSError:
            return LockBell()

    def close(self) -> None:
        """Close all bells, and give back the right to use pipes."""
        for bell in self.bells:
            bell.close()
        if self._piped:
            _PIPED.release()
