"""Waiting for output of a program, interruptible from other threads (the self-pipe trick)."""

import contextlib
import os
import select
import sys
import time
from typing import Protocol

from jantaku.players.adapters.pipes.lines import read_pipe

_WHOLE = 0.001  # seconds: poll() takes whole milliseconds
_FRACTION = 0.0002  # seconds between polls where less than that is left
_LONGEST = 1e6  # seconds of one wait; the system's own limit is not far above


class _Poll(Protocol):
    """What is used of `select.poll`."""

    def poll(self, milliseconds: float | None = None, /) -> list[tuple[int, int]]: ...

    def unregister(self, fd: int, /) -> None: ...


def _polling(*ends: int) -> _Poll:
    """Waits until one of these pipes can be read or has ended."""
    if sys.platform == "win32":
        raise NotImplementedError
    polling = select.poll()
    for fd in ends:
        polling.register(fd, select.POLLIN)
    return polling


class PipeWait:
    """Waits at the reading end of one pipe, from one thread at a time. `interrupt` may be called from any other."""

    def __init__(self, output: int) -> None:
        self._output = output
        self._interrupted, self._interrupting = os.pipe()
        self._ends = _polling(output, self._interrupted)

    def wait(self, left: float | None) -> None:
        """Wait until the pipe can be read or has ended, `interrupt` was called, or `left` seconds (None: for ever) are
        over or nearly so: never longer, so that a deadline is kept to a fraction of a millisecond."""
        if left is None:
            self._ends.poll()
        elif left >= _WHOLE:
            self._ends.poll(int(min(left, _LONGEST) / _WHOLE))
        else:
            time.sleep(min(left, _FRACTION))

    def readable(self) -> bool:
        """Whether the pipe can be read or has ended: a question that costs less than to read in vain."""
        return bool(self._ends.poll(0))

    def output_ended(self) -> None:
        """The pipe has ended: from now on wait for the interrupt alone."""
        self._ends.unregister(self._output)

    def interrupt(self) -> None:
        """End all waiting, now and later. Called once."""
        os.close(self._interrupting)

    def close(self) -> None:
        """Release the pipe. Called after `interrupt`, when no thread waits."""
        os.close(self._interrupted)


class Wakeup:
    """Wakes a thread that waits in a selector: `fd` is readable from `wake` until `drain`. Not for two threads at
    once."""

    def __init__(self) -> None:
        self.fd, self._writing = os.pipe()
        for end in (self.fd, self._writing):
            if sys.platform == "win32":
                raise NotImplementedError
            os.set_blocking(end, False)

    def wake(self) -> None:
        """Wake the thread that waits, now or next."""
        with contextlib.suppress(BlockingIOError):  # full: it is readable
            os.write(self._writing, b"!")

    def drain(self) -> None:
        """Called by the woken thread."""
        read_pipe(self.fd)

    def close(self) -> None:
        """Release the pipe."""
        os.close(self.fd)
        os.close(self._writing)
