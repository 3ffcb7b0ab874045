"""Ends programs in the sandbox that exceed their limits: those that the kernel cannot enforce over all processes of a
program together. One thread watches all programs, some forty times a second."""

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable

import msgspec

from jantaku.players.sandbox.start import MIB
from jantaku.players.sandbox.tree import Tree, memory_of, share_of
from jantaku.players.sandbox.visible import SCRATCH
from jantaku.table.play.seating.spec import SandboxLimits

if sys.platform == "win32":
    raise ImportError("programs cannot play on Windows")

EVERY = 0.025
"""Seconds between two looks."""
INODES = 16384
"""The most files, folders and links in the scratch folder."""
Breach = tuple[str, str]
"""The name of the verdict, and what was used, in words."""


class Confined(msgspec.Struct, frozen=True, eq=False):
    """A program under watch; `end` is called once, with the limit that it broke and a description."""

    tree: Tree
    limits: SandboxLimits
    end: Callable[[str, str], None]


_lock = threading.Lock()
_watched: dict[int, Confined] = {}
_changed = threading.Event()
_thread: threading.Thread | None = None


def watch(one: Confined) -> None:
    global _thread
    with _lock:
        _watched[one.tree.root] = one
        if _thread is None:
            _thread = threading.Thread(target=_look_after_all, name="jantaku limits", daemon=True)
            _thread.start()
    _changed.set()


def forget(root: int) -> None:
    with _lock:
        _watched.pop(root, None)


def _look_after_all() -> None:
    while True:
        with _lock:
            all_of_them = list(_watched.values())
        if not all_of_them:
            _changed.wait()
        _changed.clear()
        for one in all_of_them:
            breach = breach_of(one.tree, one.limits)
            if breach is not None:
                forget(one.tree.root)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one.tree.root, signal.SIGKILL)  # ends everything in the sandbox
                one.end(*breach)
        threading.Event().wait(EVERY)


def breach_of(tree: Tree, limits: SandboxLimits) -> Breach | None:
    """Return the limit that a program breaks; None if it keeps all."""
    allowed = limits.processes + 1  # one more for the process that holds the sandbox
    processes, threads = tree.look(allowed)
    if threads > allowed:
        return "forbidden", f"had more than {limits.processes} processes and threads, the limit of limits.processes"
    most = limits.memory * MIB
    if sum(map(memory_of, processes)) > most and (used := sum(map(share_of, processes))) > most:
        return "memory", f"used {used // MIB} MiB of memory; limits.memory is {limits.memory}"
    if (seconds := tree.cpu()) > limits.cpu:
        return "cpu", f"used {seconds:.1f} s of CPU time in this game; limits.cpu is {limits.cpu:g}"
    for place in (SCRATCH, "/dev/shm"):
        with contextlib.suppress(OSError):
            there = os.statvfs(f"/proc/{tree.root}/root{place}")
            # at first the table's own file system is still mounted there
            mounted = there.f_blocks * there.f_frsize == limits.disk * MIB
            if mounted and (files := there.f_files - there.f_ffree) > INODES:
                return "forbidden", f"made {files} files in {place}; {INODES} are allowed"
    return None


def _begin_anew() -> None:
    """Begin again in a forked child: the thread and the programs belong to the parent."""
    global _lock, _thread
    _lock, _thread = threading.Lock(), None
    _watched.clear()


os.register_at_fork(after_in_child=_begin_anew)
