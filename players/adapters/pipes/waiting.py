"""Waits for output of a program, interruptible from other threads (the self-pipe trick)."""

import contextlib
import os
import select
import sys
import time

from jantaku.players.adapters.pipes.lines import read_pipe

if sys.platform == "win32":
    raise ImportError("programs cannot play on Windows")

_WHOLE = 0.001  # seconds; poll() takes whole milliseconds
_FRACTION = 0.0002  # seconds between polls if less than `_WHOLE` is left
_LONGEST = 1e6  # seconds of the longest single wait; the system's own limit is not far above


class PipeWait:
    """Waits at the reading end of one pipe, in one thread at a time. `interrupt` may be called from any other."""

    def __init__(self, output: int) -> None:
        self._output = output
        self._interrupted, self._interrupting = os.pipe()
        self._ends = select.poll()
        for fd in (output, self._interrupted):
            self._ends.register(fd, select.POLLIN)

    def wait(self, left: float | None) -> None:
        """Wait until the pipe can be read or has ended, `interrupt` is called, or `left` seconds (None: no limit) are
        nearly over. Never waits longer, so that a deadline is kept to a fraction of a millisecond."""
        if left is None:
            self._ends.poll()
        elif left >= _WHOLE:
            self._ends.poll(int(min(left, _LONGEST) / _WHOLE))
        else:
            time.sleep(min(left, _FRACTION))

    def readable(self) -> bool:
        """Whether the pipe can be read or has ended; cheaper than a read without data."""
        return bool(self._ends.poll(0))

    def output_ended(self) -> None:
        """After the end of the pipe, wait only for the interrupt."""
        self._ends.unregister(self._output)

    def interrupt(self) -> None:
        """End all waits, present and future. Called once."""
        os.close(self._interrupting)

    def close(self) -> None:
        """Release the pipe. Called after `interrupt`, when no thread waits."""
        os.close(self._interrupted)


class Wakeup:
    """Wakes a thread that waits in a selector: `fd` is readable from `wake` until `drain`. For one waiting thread
    only."""

    def __init__(self) -> None:
        self.fd, self._writing = os.pipe()
        for end in (self.fd, self._writing):
            os.set_blocking(end, False)

    def wake(self) -> None:
        """Wake the thread, now or when it waits next."""
        with contextlib.suppress(BlockingIOError):  # the pipe is full, so it is readable
            os.write(self._writing, b"!")

    def drain(self) -> None:
        """Empty the pipe. Called by the woken thread."""
        read_pipe(self.fd)

    def close(self) -> None:
        os.close(self.fd)
        os.close(self._writing)
