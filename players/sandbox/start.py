"""Starts a program in the sandbox. It is under all its limits before its first instruction, and dies with the table."""

import os
import queue
import resource
import select
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from players.sandbox import calls, host, visible
from table.errors import PlayerNotReady
from table.seating.spec import SandboxLimits

MIB = 1 << 20
_PATIENCE = 10.0  # seconds for bubblewrap to say which process it has made
_BACKSTOP = 4
"""A single process may have so many times the memory of all, in case that nobody looks for a moment."""


class Sandbox(msgspec.Struct, frozen=True):
    """What one program is confined to. `kept`: where records are, which it must not see."""

    limits: SandboxLimits
    places: tuple[str, ...]
    cwd: str
    kept: str | None = None

    def words(self, info: int, block: int, filtered: int) -> list[str]:
        """bubblewrap's own command line. The numbers are those of its pipes."""
        disk = str(self.limits.disk * MIB)
        scratch = [word for place in (visible.SCRATCH, "/dev/shm") for word in ("--size", disk, "--tmpfs", place)]
        bound = [word for place in self.places for word in ("--ro-bind", place, place)]
        hidden = [word for place in visible.hidden(self.places, self.kept) for word in ("--tmpfs", place)]
        sealed = [word for place in (*hidden[1::2], "/proc", "/dev", "/") for word in ("--remount-ro", place)]
        return [
            host.bubblewrap(),
            *host.NAMESPACES,
            *visible.system(),
            *("--proc", "/proc", "--dev", "/dev"),
            *scratch,
            *bound,
            *hidden,
            *("--dir", self.cwd, "--chdir", self.cwd, "--setenv", "HOME", visible.SCRATCH),
            *("--setenv", "TMPDIR", visible.SCRATCH),
            *sealed,
            *("--info-fd", str(info), "--block-fd", str(block), "--seccomp", str(filtered), "--"),
        ]


def start(sandbox: Sandbox, command: Sequence[str], env: Mapping[str, str]) -> "tuple[subprocess.Popen[bytes], int]":
    """The process that watches over the sandbox, with three pipes to the program and a group of its own, and the first
    process inside. PlayerNotReady if it cannot be started."""
    # Whoever is started by a thread that ends would be ended with it: there is one that stays.
    started: tuple[subprocess.Popen[bytes], int] = _starter.call(lambda: _start(sandbox, command, env))
    return started


def _start(sandbox: Sandbox, command: Sequence[str], env: Mapping[str, str]) -> "tuple[subprocess.Popen[bytes], int]":
    pipe = subprocess.PIPE
    with _Pipe() as told, _Pipe() as block, _Pipe() as filtered:
        os.write(filtered.into, calls.program())
        filtered.close_into()
        theirs = (told.into, block.out, filtered.out)
        words = sandbox.words(*theirs)
        process = subprocess.Popen(
            [*words, *command],
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            env=env,
            start_new_session=True,
            bufsize=0,
            pass_fds=theirs,
        )
        told.close_into()
        inside = _child(told.out)
        if inside is None:
            process.kill()
            _, words_of = process.communicate()
            reason = " ".join(words_of.decode(errors="replace").split()) or "bubblewrap has said nothing"
            raise PlayerNotReady(f"its sandbox cannot be set up: {reason}")
        _limit(inside, sandbox.limits)
        os.write(block.into, b"1")
    return process, inside


class _Pipe:
    """A pipe whose ends are closed once: a number that is free may be another thread's the next moment."""

    def __init__(self) -> None:
        self.out, self.into = os.pipe()
        self._open = [self.out, self.into]

    def __enter__(self) -> "_Pipe":
        return self

    def __exit__(self, *_: object) -> None:
        while self._open:
            os.close(self._open.pop())

    def close_into(self) -> None:
        """The reader shall see the end."""
        self._open.remove(self.into)
        os.close(self.into)


def _child(told: int) -> int | None:
    """The first process inside, as bubblewrap tells it; None if it has ended before."""
    text = b""
    while select.select([told], [], [], _PATIENCE)[0] and (data := os.read(told, 4096)):
        text += data
        if b"}" in text:
            return int(msgspec.json.decode(text)["child-pid"])
    return None


def _limit(process: int, limits: SandboxLimits) -> None:
    """Set what every process inside inherits. The sums over all of them are `watch`'s."""
    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: limits.files,
        resource.RLIMIT_NPROC: limits.processes,
        resource.RLIMIT_FSIZE: limits.disk * MIB,
        resource.RLIMIT_DATA: limits.memory * MIB * _BACKSTOP,
        resource.RLIMIT_MEMLOCK: 64 * 1024,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_CPU: int(limits.cpu) + 1,
    }
    for what, most in wanted.items():
        _, hard = resource.prlimit(process, what)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.prlimit(process, what, (most, most))


class _Starter:
    """A thread that starts whatever is to die with this process, and stays as long as this process does."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def call(self, wanted: Callable[[], Any]) -> Any:
        """Do it there, and give or raise what comes of it."""
        done: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()

        def run() -> None:
            try:
                done.put((wanted(), None))
            except BaseException as problem:
                done.put((None, problem))

        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._live, name="jantaku sandboxes", daemon=True)
                self._thread.start()
        self._wanted.put(run)
        result, problem = done.get()
        if problem is not None:
            raise problem
        return result

    def _live(self) -> None:
        while True:
            self._wanted.get()()


_starter = _Starter()


def _begin_anew() -> None:
    """In a forked child: the thread is its parent's."""
    global _starter
    _starter = _Starter()


os.register_at_fork(after_in_child=_begin_anew)
