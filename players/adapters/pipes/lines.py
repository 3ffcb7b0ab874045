"""Bytes from a pipe, cut into lines. Never holds more than one line's worth of them."""

import os

from jantaku.table.wire.dialect import LONGEST_LINE

CHUNK = 1 << 16
"""Bytes per read or write: the capacity of a pipe."""


class Splitter:
    """Splits input into lines without their ends; blank ones are skipped.

    A line that is too long is handed on truncated as soon as that is known, so that its reader notices; the rest of it
    is dropped.
    """

    def __init__(self) -> None:
        self._partial = bytearray()
        self._skipping = False

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that are complete with `data`."""
        if data.find(b"\n") == len(data) - 1 < LONGEST_LINE and not self._partial and not self._skipping:
            line = data.strip()  # one whole line, as nearly always
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
    """The available bytes; empty at the end, None if there are none yet."""
    try:
        return os.read(fd, CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""
