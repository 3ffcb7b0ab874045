"""The guardian: a small process that ends the players' processes when the table cannot do it any more.

It holds the reading end of a pipe of which only the table has the other end. Whatever ends the table, even a
kill -9, ends the pipe; then every process group that is still under watch is killed. It needs nothing but
Python, and works where the kernel has no parent-death signal, for the children of players too.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time

GRACE = 0.5
"""Seconds between SIGTERM and SIGKILL."""

_lock = threading.Lock()
_process: "subprocess.Popen[bytes] | None" = None


def watch(group: int) -> None:
    """Kill the process group `group` if this process ends before `forget` is called."""
    _tell(f"+{group}\n")


def forget(group: int) -> None:
    """The process group has ended."""
    _tell(f"-{group}\n")


def dismiss() -> None:
    """Nobody is under watch any more: let the guardian go. A later `watch` starts another."""
    global _process
    with _lock:
        process, _process = _process, None
    if process is not None and process.stdin is not None:
        process.stdin.close()
        process.wait()


def _tell(line: str) -> None:
    global _process
    with _lock:
        if _process is None or _process.poll() is not None:
            # A session of its own: Ctrl-C in the terminal is not meant for it.
            _process = subprocess.Popen(
                [sys.executable, "-I", "-S", __file__], stdin=subprocess.PIPE, start_new_session=True, bufsize=0
            )
        assert _process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            _process.stdin.write(line.encode())


def _guard() -> None:
    """The guardian's own life."""
    groups = set()
    for line in sys.stdin:
        group = int(line[1:])
        if line.startswith("+"):
            groups.add(group)
        else:
            groups.discard(group)
    for number in (signal.SIGTERM, signal.SIGKILL):
        for group in groups:
            with contextlib.suppress(OSError):
                os.killpg(group, number)
        if groups and number == signal.SIGTERM:
            time.sleep(GRACE)


if __name__ == "__main__":
    _guard()
