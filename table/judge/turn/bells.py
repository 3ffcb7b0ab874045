"""What wakes a resident thread: a bell that the judge rings, and that one thread waits for.

Who releases a lock goes on holding the interpreter's own (GIL): the woken thread runs into that and sleeps again, so
that a hand-off takes six switches between threads. Who writes to a pipe has let go of it, and three are enough. But a
pipe takes two file descriptors, which connections and programs need as well.
"""

import os
import threading
from typing import Final, Protocol

TABLES: Final = 8
"""So many tables of a process have pipes at a time. Where there are more, threads wait for each other anyway."""
_PIPED: Final = threading.BoundedSemaphore(TABLES)
_RING: Final = b"!"
_END: Final = b"."


class Bell(Protocol):
    """It is rung once at the most before the thread waits again, and then perhaps closed."""

    def ring(self) -> None:
        """Wake the thread, now or when it waits next."""

    def wait(self) -> bool:
        """Called by the thread: wait until it rings; False once it was closed."""

    def close(self) -> None:
        """It is not rung any more: the thread is to end."""


class LockBell:
    """A bell that takes nothing from anybody. Implements `Bell`."""

    def __init__(self) -> None:
        self._closed = False
        self._lock = threading.Lock()
        self._lock.acquire()

    def ring(self) -> None:
        """See `Bell.ring`."""
        self._lock.release()

    def wait(self) -> bool:
        """See `Bell.wait`."""
        self._lock.acquire()
        return not self._closed

    def close(self) -> None:
        """See `Bell.close`."""
        self._closed = True
        if self._lock.locked():
            self._lock.release()


class PipeBell:
    """A bell that is quick to wake whom it rings for. Implements `Bell`. OSError if there are no file descriptors."""

    def __init__(self) -> None:
        self._reading, self._writing = os.pipe()

    def ring(self) -> None:
        """See `Bell.ring`."""
        os.write(self._writing, _RING)

    def wait(self) -> bool:
        """See `Bell.wait`. The end of the pipe would not tell: a forked process may have it open."""
        if os.read(self._reading, 1) == _RING:
            return True
        os.close(self._reading)
        return False

    def close(self) -> None:
        """See `Bell.close`."""
        os.write(self._writing, _END)
        os.close(self._writing)


class Bells:
    """The bells of one table."""

    def __init__(self, count: int) -> None:
        self._piped = _PIPED.acquire(blocking=False)
        self.bells: list[Bell] = []
        """One for each thread."""
        for _ in range(count):
            self.bells.append(self._bell())

    def _bell(self) -> Bell:
        try:
            return PipeBell() if self._piped else LockBell()
        except OSError:
            return LockBell()

    def close(self) -> None:
        """Close them all."""
        for bell in self.bells:
            bell.close()
        if self._piped:
            _PIPED.release()
