"""A program's stderr: appended to a log file, with its last lines for the report."""

import contextlib
from pathlib import Path

from table.log import logger

MOST = 64 << 20
"""Size limit of the file in bytes, through all games; the rest is read and dropped."""
_TAIL = 2000  # bytes that are kept for the report
_SHOWN = 200


class StderrLog:
    """Collects the stderr of one program, from one thread. If the file cannot be written its content is lost, nothing
    else."""

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
        """Add a piece of output."""
        self._tail = (self._tail + data)[-_TAIL:]
        if self._file is not None and self._left > 0:
            self._left -= len(data)
            if self._left <= 0:
                data += b"\njantaku: nothing more is kept in this file\n"
            with contextlib.suppress(OSError):  # the disk is full: the game continues
                self._file.write(data)

    @property
    def told(self) -> str:
        """The end of it."""
        text = self._tail.decode("utf-8", "replace").strip("\n")
        return text.partition("\n")[2] if len(self._tail) >= _TAIL else text  # the first line may be cut

    def last(self) -> str:
        """The last line, or the last that mentions an error, for the report; empty if there is none."""
        lines = [line.strip() for line in self._tail.decode("utf-8", "replace").split("\n") if line.strip()]
        if not lines:
            return ""
        telling = [line for line in lines if "rror" in line]
        return f"; its last words: {(telling or lines)[-1][:_SHOWN]}"

    def close(self) -> None:
        """The output has ended."""
        if self._file is not None:
            self._file.close()
