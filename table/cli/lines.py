"""Standard output for programs: reserved for a command's own lines."""

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import TextIO

OUTPUT, ERRORS = 1, 2
"""File descriptors of the standard streams."""


@contextlib.contextmanager
def own_output(wanted: bool) -> Iterator[TextIO | None]:
    """Reserve standard output for `say(…, to=…)`. Everything else printed inside the context goes to standard error,
    whether through `sys.stdout`, through the file descriptor or by a child process. Yields None unless `wanted`."""
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
            if _is(sys.stderr, ERRORS):  # without standard error, descriptor 2 may be any file
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
    except (OSError, ValueError):  # replaced by a test, or closed
        return False
