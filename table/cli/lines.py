"""Commands whose standard output programs read: nothing gets there but their own lines."""

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TextIO

OUTPUT, ERRORS = 1, 2
"""The numbers of the standard streams."""


@contextlib.contextmanager
def own_output(wanted: bool) -> Iterator[TextIO | None]:
    """Standard output for `say(…, to=…)` alone. What bots print meanwhile goes to standard error, be it through
    `sys.stdout`, through the number of the stream or in a process that is started then. None unless `wanted`."""
    if not wanted:
        yield None
        return
    before = sys.stdout
    before.flush()
    with contextlib.ExitStack() as stack:
        own = before
        if _is(before, OUTPUT):
            kept = os.dup(OUTPUT)
            stack.callback(os.close, kept)
            if _is(sys.stderr, ERRORS):  # else there is no standard error, and number 2 may be any file
                stack.callback(os.dup2, kept, OUTPUT)
                os.dup2(ERRORS, OUTPUT)
            own = open(kept, "w", encoding=before.encoding, errors=before.errors, closefd=False)  # noqa: SIM115
        sys.stdout = sys.stderr
        try:
            yield own
        finally:
            sys.stdout = before
            own.flush()


def _is(stream: TextIO, number: int) -> bool:
    try:
        return stream.fileno() == number
    except (OSError, ValueError):  # a test's, or closed
        return False
