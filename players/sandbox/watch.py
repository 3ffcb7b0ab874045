"""Ends programs in the sandbox that use more than they may: what no limit of the kernel holds for all of their
processes together. One thread looks after all of them, some forty times a second."""

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
from jantaku.table.seating.spec import SandboxLimits

EVERY = 0.025
"""Seconds between two looks."""
INODES = 16384
"""Files, folders and links that may be in the scratch folder."""
Breach = tuple[str, str]
"""The verdict, and in words what was used."""


class Confined(msgspec.Struct, frozen=True, eq=False):
    """A program under watch; `end` is told once what it has done."""

    tree: Tree
    limits: SandboxLimits
    end: Callable[[str, str], None]


_lock = threading.Lock()
_watched: dict[int, Confined] = {}
_changed = threading.Event()
_thread: threading.Thread | None = None


def watch(one: Confined) -> None:
    """Look after a program until `forget`."""
    global _thread
    with _lock:
        _watched[one.tree.root] = one
        if _thread is None:
            _thread = threading.Thread(target=_look_after_all, name="jantaku limits", daemon=True)
            _thread.start()
    _changed.set()


def forget(root: int) -> None:
    """The program has ended."""
    with _lock:
        _watched.pop(root, None)


def _look_after_all() -> None:
    if sys.platform == "win32":
        raise NotImplementedError
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
                    os.kill(one.tree.root, signal.SIGKILL)  # with it goes all that is in the sandbox
                one.end(*breach)
        threading.Event().wait(EVERY)


def breach_of(tree: Tree, limits: SandboxLimits) -> Breach | None:
    """What a program does that it must not, if anything."""
    if sys.platform == "win32":
        raise NotImplementedError
    allowed = limits.processes + 1  # the one that holds the sandbox
    processes, threads = tree.look(allowed)
    if threads > allowed:
        return "forbidden", f"had more than {limits.processes} processes and threads, which are limits.processes"
    most = limits.memory * MIB
    if sum(map(memory_of, processes)) > most and (used := sum(map(share_of, processes))) > most:
        return "memory", f"used {used // MIB} MiB of memory; limits.memory is {limits.memory}"
    if (seconds := tree.cpu()) > limits.cpu:
        return "cpu", f"used {seconds:.1f} s of CPU time in this game; limits.cpu is {limits.cpu:g}"
    for place in (SCRATCH, "/dev/shm"):
        with contextlib.suppress(OSError):
            there = os.statvfs(f"/proc/{tree.root}/root{place}")
            mounted = there.f_blocks * there.f_frsize == limits.disk * MIB  # at first it is still the table's
            if mounted and (files := there.f_files - there.f_ffree) > INODES:
                return "forbidden", f"made {files} files in {place}; {INODES} are allowed"
    return None


def _begin_anew() -> None:
    """In a forked child: the thread is its parent's, and so are the programs."""
    global _lock, _thread
    _lock, _thread = threading.Lock(), None
    _watched.clear()


if sys.platform != "win32":
    os.register_at_fork(after_in_child=_begin_anew)
