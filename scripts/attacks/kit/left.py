"""Finds processes by a mark in their environment, wherever they have gone since their start."""

import contextlib
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

MARK = "JANTAKU_ATTACK"
"""Environment variable of everything that an attack starts."""


def carrying(mark: str) -> Iterator[int]:
    """Yield the processes with this mark except this one; none without /proc. Zombies do not count."""
    wanted = f"{MARK}={mark}".encode()
    for entry in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):  # it ended just now, or belongs to another user
            if wanted in _environment(entry.parent).split(b"\0") and int(entry.parent.name) != os.getpid():
                yield int(entry.parent.name)


def _environment(process: Path) -> bytes:
    """Read the environment of a process. One that is about to run another program has none for a moment, nor any
    words, although the other program is there (kernel threads and zombies have no program): that moment is waited
    for."""
    until = time.monotonic() + 5
    while True:
        content = (process / "environ").read_bytes()
        if content or (process / "cmdline").read_bytes() or time.monotonic() > until:
            return content
        os.readlink(process / "exe")
        time.sleep(0.001)


def command_of(process: int) -> str:
    """Return the process's command line for a message."""
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return "ended just now"
    return b" ".join(words).decode(errors="replace").strip()[:200]


def waited_for(mark: str, seconds: float) -> list[int]:
    """Return the processes that are still there after `seconds`."""
    until = time.monotonic() + seconds
    while (found := list(carrying(mark))) and time.monotonic() < until:
        time.sleep(0.05)
    return found


def end(mark: str) -> None:
    """Kill all of them, including those started meanwhile: a process on its way into another program may be overlooked
    once, so that none has to be found twice in a row."""
    until, none = time.monotonic() + 5, 0
    while none < 2 and time.monotonic() < until:
        found = list(carrying(mark))
        none = 0 if found else none + 1
        for process in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.01)
