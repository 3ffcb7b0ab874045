"""Cuts bytes from a pipe into lines. Never holds more bytes than one line may have."""

import os
import sys

from jantaku.table.languages.wire.dialect import LONGEST_LINE

if sys.platform == "win32":
    raise ImportError("programs cannot play on Windows")


CHUNK = 1 << 16
"""Bytes per read or write: the capacity of a pipe."""


class Splitter:
    """Splits input into lines without their ends; blank ones are skipped. A line that is too long is returned truncated
    as soon as that is known, so that its reader notices; the rest of it is dropped."""

    def __init__(self) -> None:
        self._partial = bytearray()
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that `data` completes."""
        if data.find(b"\n") == len(data) - 1 < LONGEST_LINE and not self._partial and not self._skipping:
            line = data.strip()  # the usual case: exactly one whole line
            return [line] if line else []
        *ends, rest = data.split(b"\n")
        lines = []
        for end in ends:
            if not self._skipping:
                lines.append(bytes(self._partial) + end)
            self._partial.clear()
            self._skipping = False
        if not self._skipping:
            self._partial += rest
            if len(self._partial) > LONGEST_LINE:
                lines.append(bytes(self._partial))
                self._partial.clear()
                self._skipping = True
        return [line[: LONGEST_LINE + 1] for line in (line.strip() for line in lines) if line]


def read_pipe(fd: int) -> bytes | None:
    """Return the available bytes; empty at the end of the pipe, None if there are none yet."""
    try:
        return os.read(fd, CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""
