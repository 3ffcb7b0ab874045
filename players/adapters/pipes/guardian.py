"""The guardian: a small process that kills the players' processes when the table has died.

It holds the reading end of a pipe whose only writing end is the table's. However the table ends, even by kill -9, the
pipe reaches its end; then the guardian kills every process group that is still registered. It needs only Python, and
works on kernels without a parent-death signal, and for child processes of players too.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time

if sys.platform == "win32":
    raise ImportError("programs cannot play on Windows")

GRACE = 0.5
"""Seconds between SIGTERM and SIGKILL."""

_lock = threading.Lock()
_process: "subprocess.Popen[bytes] | None" = None
_watched: set[int] = set()
"""The registered process groups; a new guardian gets all of them."""


def watch(group: int) -> None:
    """Kill the process group `group` if this process ends before `forget` is called. Raises OSError if no guardian can
    be started."""
    with _lock:
        _watched.add(group)
        _tell(f"+{group}\n")


def forget(group: int) -> None:
    """Unregister a process group that has ended."""
    with _lock, contextlib.suppress(OSError):  # a guardian that missed this kills a group that no longer exists
        _watched.discard(group)
        if _process is not None:
            _tell(f"-{group}\n")


def dismiss() -> None:
    """Stop the guardian if nothing is registered any more. A later `watch` starts another."""
    global _process
    with _lock:
        process, _process = _process, None
    if process is not None and process.stdin is not None:
        process.stdin.close()
        process.wait()


def _tell(line: str) -> None:
    """Send a line to the guardian; if it has died, start another and send all registrations. The caller holds the
    lock."""
    global _process
    if _process is None or _process.poll() is not None:
        # in its own session, so that Ctrl-C in the terminal does not reach it
        _process = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__], stdin=subprocess.PIPE, start_new_session=True, bufsize=0
        )
        line = "".join(f"+{group}\n" for group in _watched)
    assert _process.stdin is not None
    with contextlib.suppress(BrokenPipeError):
        _process.stdin.write(line.encode())


def _leave_to_parent() -> None:
    """Begin again in a forked child: the registrations and the guardian belong to the parent."""
    global _process, _lock
    _lock = threading.Lock()
    _watched.clear()
    if _process is not None and _process.stdin is not None:
        _process.stdin.close()
        _process.returncode = 0  # it is not a child of this process
    _process = None


os.register_at_fork(after_in_child=_leave_to_parent)


def _guard() -> None:
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
