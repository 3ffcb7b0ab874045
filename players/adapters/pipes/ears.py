"""How somebody waits for what a program says: until there is something to be read, or a call that no more will come."""

import contextlib
import os
import select
import time

from players.adapters.pipes.lines import read_pipe

_WHOLE = 0.001  # seconds: the system waits for whole milliseconds
_FRACTION = 0.0002  # seconds between two looks where less than that is left
_LONGEST = 1e6  # seconds of one wait; the system's own bound is not far above


class Ears:
    """Waits at the reading end of one pipe, from one thread at a time. `call` may come from any other."""

    def __init__(self, output: int) -> None:
        self._output = output
        self._called, self._calling = os.pipe()
        self._ends = select.poll()
        for fd in (output, self._called):
            self._ends.register(fd, select.POLLIN)

    def wait(self, left: float | None) -> None:
        """Until the pipe can be read or has ended, somebody has called, or `left` seconds (None: for ever) are over or
        nearly so: never longer, so that a deadline is kept to a fraction of a millisecond."""
        if left is None:
            self._ends.poll()
        elif left >= _WHOLE:
            self._ends.poll(int(min(left, _LONGEST) / _WHOLE))
        else:
            time.sleep(min(left, _FRACTION))

    def output_ended(self) -> None:
        """There is nothing to wait for at the pipe any more, only the call."""
        self._ends.unregister(self._output)

    def call(self) -> None:
        """Nobody waits any longer, now or later. Once."""
        os.close(self._calling)

    def close(self) -> None:
        """Nobody waits any more, and `call` has been called."""
        os.close(self._called)


class Bell:
    """Wakes who waits in a selector: `fd` can be read from the ring on until `hush`. Not for two threads at once."""

    def __init__(self) -> None:
        self.fd, self._rope = os.pipe()
        for end in (self.fd, self._rope):
            os.set_blocking(end, False)

    def ring(self) -> None:
        """Wake whoever waits, or whoever will."""
        with contextlib.suppress(BlockingIOError):  # full: it rings
            os.write(self._rope, b"!")

    def hush(self) -> None:
        """It was heard."""
        read_pipe(self.fd)

    def close(self) -> None:
        """Nobody waits any more."""
        os.close(self.fd)
        os.close(self._rope)
