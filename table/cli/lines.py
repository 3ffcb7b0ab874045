"""Commands whose standard output is for programs: nothing is written there but their own lines."""

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TextIO

OUTPUT, ERRORS = 1, 2
"""File descriptors of the standard streams."""


@contextlib.contextmanager
def own_output(wanted: bool) -> Iterator[TextIO | None]:
    """Reserves standard output for `say(…, to=…)`. Everything else that is printed meanwhile goes to standard error,
    whether through `sys.stdout`, through the file descriptor or by a child process. None unless `wanted`."""
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
            if _is(sys.stderr, ERRORS):  # else there is no standard error, and descriptor 2 may be any file
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
