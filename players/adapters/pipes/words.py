"""What a program says for people, on its stderr: kept in a file, and the end of it for the report."""

import contextlib
from pathlib import Path

from table.log import logger

MOST = 64 << 20
"""Bytes that the file may grow to, through all games; what comes then is read and dropped."""
_TAIL = 2000  # bytes that are kept for the report
_SHOWN = 200


class Words:
    """Takes in what one program says, from one thread. A file that cannot be written costs what it would have kept, and
    nothing else."""

    def __init__(self, log: Path | None) -> None:
        self._tail = b""
        self._file = None
        self._left = 0
        if log is not None:
            try:
                self._file = log.open("ab", buffering=0)
                self._left = MOST - self._file.tell()
            except OSError as error:
                logger(file=str(log)).warning("stderr is not kept", reason=error.strerror)

    def take(self, data: bytes) -> None:
        """A piece of what was said."""
        self._tail = (self._tail + data)[-_TAIL:]
        if self._file is not None and self._left > 0:
            self._left -= len(data)
            if self._left <= 0:
                data += b"\njantaku: nothing more is kept in this file\n"
            with contextlib.suppress(OSError):  # the disk is full: the game goes on
                self._file.write(data)

    def last(self) -> str:
        """The last line, or the last that speaks of an error, for the report; empty if there is none."""
        lines = [line.strip() for line in self._tail.decode("utf-8", "replace").split("\n") if line.strip()]
        if not lines:
            return ""
        telling = [line for line in lines if "rror" in line]
        return f"; its last words: {(telling or lines)[-1][:_SHOWN]}"

    def close(self) -> None:
        """Nothing more is said."""
        if self._file is not None:
            self._file.close()
