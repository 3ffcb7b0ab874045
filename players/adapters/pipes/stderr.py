"""A program's stderr: appended to a log file, with its last lines kept for reports."""

import contextlib
import threading
from pathlib import Path
from typing import IO

from jantaku.players.adapters.pipes.lines import read_pipe
from jantaku.table.ground.foreign.traces import place_in
from jantaku.table.ground.log import logger

MOST = 64 << 20
"""The most bytes of the file, over all games; the rest is read and dropped."""
_TAIL = 6000  # most bytes kept for reports: a bot's own lines are above the lines of what it calls
_SHOWN = 200
_MOST_CHUNKS = 4  # limits the reads for one report: a program that never stops writing is not waited for


class StderrLog:
    """Collects the stderr of one program, for any thread. If the file cannot be written, only its content is lost."""

    def __init__(self, pipe: IO[bytes], log: Path | None) -> None:
        self._lock = threading.Lock()
        self._pipe = pipe
        self._tail = b""
        self._file = None
        self._left = 0
        if log is not None:
            try:
                self._file = log.open("ab", buffering=0)
                self._left = MOST - self._file.tell()
            except OSError as error:
                logger(file=str(log)).warning("stderr is not kept", reason=error.strerror)

    def read(self) -> bytes | None:
        """Read the next piece from the pipe: empty at the end, None if there is none yet."""
        with self._lock:
            data = b"" if self._pipe.closed else read_pipe(self._pipe.fileno())
            if data:
                self._take(data)
            return data

    def _take(self, data: bytes) -> None:
        self._tail = (self._tail + data)[-_TAIL:]
        if self._file is not None and self._left > 0:
            self._left -= len(data)
            if self._left <= 0:
                data += b"\njantaku: nothing more is kept in this file\n"
            with contextlib.suppress(OSError):  # the disk is full: the game continues
                self._file.write(data)

    def told(self) -> str:
        """The end of what it has written so far."""
        for _ in range(_MOST_CHUNKS):  # the caller may be faster than the reading thread
            if not self.read():
                break
        text = self._tail.decode("utf-8", "replace").strip("\n")
        return text.partition("\n")[2] if len(self._tail) >= _TAIL else text  # the first line may be cut

    def last(self) -> str:
        """The last line that mentions an error, or the last line, with the place that a traceback names, for reports;
        empty if there is none."""
        lines = [line.strip() for line in self._tail.decode("utf-8", "replace").split("\n") if line.strip()]
        if not lines:
            return ""
        telling = [line for line in lines if "rror" in line]
        said, place = (telling or lines)[-1][:_SHOWN], place_in(self.told())
        return f"; on stderr: {said}{f' ({place})' if place else ''}"

    def close(self) -> None:
        with self._lock:
            self._pipe.close()
            if self._file is not None:
                self._file.close()
