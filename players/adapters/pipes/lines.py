"""Pipes of a program: its start, its lines, waiting for one, and what it writes to stderr."""

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO

import msgspec

from jantaku.players.sandbox import watch
from jantaku.players.sandbox.start import Sandbox, start
from jantaku.players.sandbox.tree import Tree
from jantaku.table.ground.errors import PlayerNotReady
from jantaku.table.ground.foreign.traces import place_in
from jantaku.table.ground.log import logger
from jantaku.table.languages.wire.dialect import LONGEST_LINE

if sys.platform == "win32":
    raise ImportError("programs cannot play on Windows")

# Cuts bytes from a pipe into lines. Never holds more bytes than one line may have.

CHUNK = 1 << 16
"""Bytes per read or write: the capacity of a pipe."""


class Splitter:
    """Splits input into lines without their ends; blank ones are skipped.

    A line that is too long is returned truncated as soon as that is known, so that its reader notices; the rest of it
    is dropped.
    """

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


# Waits for output of a program, interruptible from other threads (the self-pipe trick).

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
        """Release the pipe."""
        os.close(self.fd)
        os.close(self._writing)


# A program's stderr: appended to a log file, with its last lines kept for reports.

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
        return f"; its last words: {said}{f' ({place})' if place else ''}"

    def close(self) -> None:
        """Close the pipe and the file."""
        with self._lock:
            self._pipe.close()
            if self._file is not None:
                self._file.close()


# Starts a process with three pipes and its own process group, and describes how it ended.

_SIGNALLED = 128
"""bubblewrap's exit code for a signal is this plus the number of the signal that ended the program inside."""
_LIMITS: dict[int, str] = {signal.SIGSYS: "forbidden", signal.SIGXCPU: "cpu"}
_SAID = {"forbidden": "has made a system call that its sandbox forbids", "cpu": "has used up its CPU time (limits.cpu)"}


class Started(msgspec.Struct, frozen=True, eq=False):
    """A process that was started, and the tree of its processes. `sandbox` is what it is confined to, None without
    one."""

    process: "subprocess.Popen[bytes]"
    tree: Tree
    sandbox: Sandbox | None = None

    def watch(self, end: Callable[[str, str], None]) -> None:
        """Start watching the limits of its sandbox; `end` is called with the broken limit and a description."""
        if self.sandbox is not None:
            watch.watch(watch.Confined(self.tree, self.sandbox.limits, end))

    def forget(self) -> None:
        """Stop watching it, after it has ended."""
        watch.forget(self.tree.root)

    def ending(self) -> tuple[str, str]:
        """Describe how it ended, once it was waited for, with the limit of its sandbox that it broke; empty for
        none."""
        code = self.process.returncode
        if self.sandbox is not None and code > _SIGNALLED:
            code = _SIGNALLED - code
            if limit := _LIMITS.get(-code, ""):
                return _SAID[limit], limit
        if code < 0:
            return f"was killed by signal {-code} ({signal.strsignal(-code)})", ""
        return f"has ended with exit code {code}", ""


def spawn(command: Sequence[str], cwd: str | None, env: Mapping[str, str], sandbox: Sandbox | None = None) -> Started:
    """Start a program; no shell reads its command. Raises PlayerNotReady if it cannot be started."""
    pipe = subprocess.PIPE
    try:
        if sandbox is not None:
            confined, inside = start(sandbox, command, env)
            return Started(confined, Tree(inside), sandbox)
        process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=cwd, env=env, start_new_session=True, bufsize=0
        )
    except (OSError, ValueError) as error:
        raise PlayerNotReady(f"{command[0]} cannot be started: {getattr(error, 'strerror', error)}") from error
    return Started(process, Tree(process.pid))
