"""Starts a program in the sandbox. All limits apply before its first instruction, and it dies with the table."""

import os
import queue
import resource
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from jantaku.players.sandbox import calls, host, visible
from jantaku.table.ground.errors import BadInput, PlayerNotReady
from jantaku.table.play.seating.spec import SandboxLimits

if sys.platform == "win32":
    raise ImportError("programs cannot play on Windows")

MIB = 1 << 20
_PATIENCE = 10.0  # seconds for bubblewrap to report the process that it created
_TRIAL = 20.0  # seconds for a trial that takes some milliseconds
_FAILED = "its sandbox cannot be set up: "
_BACKSTOP = 4
"""A single process may have this multiple of the memory for all processes, in case the watching thread is late."""
_SPARE = 8
"""How many more processes than allowed can be created: the watcher sees the excess, and a fork bomb is stopped here."""


_LARGEST = 16 << 10
"""The largest file in a workshop, in MiB."""


class Sandbox(msgspec.Struct, frozen=True):
    """What one program is confined to. `kept` is the folder of the records, which it must not see. `workshop` is a
    folder that it fills; a program with one also reaches the network, because it downloads what it puts there."""

    limits: SandboxLimits
    places: tuple[str, ...]
    cwd: str
    kept: str | None = None
    workshop: str = ""

    def words(self, info: int, block: int, filtered: int) -> list[str]:
        """Return bubblewrap's own command line. The arguments are the file descriptors of its pipes."""
        tmpfs = ("--perms", "1777", "--size", str(self.limits.disk * MIB), "--tmpfs")
        scratch = [word for place in (visible.SCRATCH, "/dev/shm") for word in (*tmpfs, place)]
        bound = [word for place in self.places for word in visible.shown(place)]
        hidden = [word for place in visible.hidden(self.places, self.kept) for word in ("--tmpfs", place)]
        network = [*visible.network(), *visible.writable(self.workshop)] if self.workshop else []
        home = self.workshop or visible.SCRATCH
        sealed = [word for place in (*hidden[1::2], "/proc", "/dev", "/") for word in ("--remount-ro", place)]
        return [
            host.bubblewrap(),
            *(host.NAMESPACES if not self.workshop else host.WITH_NETWORK),
            *([*host.OTHER_USER, "--userns-block-fd", str(block)] if host.drops_root() else host.SAME_USER),
            *visible.system(),
            *("--proc", "/proc", "--dev", "/dev"),
            *scratch,
            *bound,
            *hidden,
            *network,
            *("--dir", self.cwd, "--chdir", self.cwd, "--setenv", "HOME", home, "--setenv", "TMPDIR", home),
            *sealed,
            *("--info-fd", str(info), "--block-fd", str(block), "--seccomp", str(filtered), "--"),
            *(host.becoming() if host.drops_root() else ()),
        ]


def try_out() -> None:
    """Raise BadInput if nothing can be started in a sandbox on this machine."""
    _try_out(host.bubblewrap())


@cache
def _try_out(found: str) -> None:
    try:
        process, _ = start(Sandbox(SandboxLimits(), (found,), visible.SCRATCH), [found, "--version"], {})
        _, said = process.communicate(timeout=_TRIAL)
        problem = "" if process.returncode == 0 else " ".join(said.decode(errors="replace").split())
    except (OSError, subprocess.TimeoutExpired, PlayerNotReady) as error:
        problem = str(error).removeprefix(_FAILED)
    if problem:
        raise BadInput(
            f"the sandbox cannot be set up here: {problem}; it needs bubblewrap 0.8 or newer and user namespaces, "
            "which kernel.unprivileged_userns_clone, user.max_user_namespaces, AppArmor or a container may forbid"
        )


def start(sandbox: Sandbox, command: Sequence[str], env: Mapping[str, str]) -> "tuple[subprocess.Popen[bytes], int]":
    """Start a program; return bubblewrap's process, with three pipes to the program and a process group of its own, and
    the pid of the first process inside. Raises PlayerNotReady if it cannot be started."""
    # A program dies with the thread that started it, so a thread that never ends starts it.
    started: tuple[subprocess.Popen[bytes], int] = _starter.call(lambda: _start(sandbox, command, env))
    return started


def _start(sandbox: Sandbox, command: Sequence[str], env: Mapping[str, str]) -> "tuple[subprocess.Popen[bytes], int]":
    pipe = subprocess.PIPE
    with _Pipe() as told, _Pipe() as block, _Pipe() as filtered:
        os.write(filtered.into, calls.program(bool(sandbox.workshop)))
        filtered.close_into()
        theirs = (told.into, block.out, filtered.out)
        process = subprocess.Popen(
            [*sandbox.words(*theirs), *command],
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            env=env,
            start_new_session=True,
            bufsize=0,
            pass_fds=theirs,
        )
        told.close_into()
        try:
            inside = _child(told.out)
            if host.drops_root():
                _hand_over(process, inside)
                os.write(block.into, b"1")  # lets bubblewrap continue with the process inside
            _limit(inside, sandbox)
        except (OSError, EOFError) as problem:
            os.killpg(process.pid, signal.SIGKILL)
            said = process.communicate()[1].decode(errors="replace").split()
            raise PlayerNotReady(f"{_FAILED}{' '.join(said) or problem}") from problem
        os.write(block.into, b"1")
    return process, inside


def _hand_over(process: "subprocess.Popen[bytes]", inside: int) -> None:
    """Create the sandbox's user, and give it the pipes: programs open /dev/stderr."""
    host.map_users(inside)
    for end in (process.stdin, process.stdout, process.stderr):
        assert end is not None
        os.fchown(end.fileno(), host.OUTSIDE, host.OUTSIDE)


class _Pipe:
    """A pipe whose ends are each closed once: a closed file descriptor may be another thread's the next moment."""

    def __init__(self) -> None:
        self.out, self.into = os.pipe()
        self._open = [self.out, self.into]

    def __enter__(self) -> "_Pipe":
        return self

    def __exit__(self, *_: object) -> None:
        while self._open:
            os.close(self._open.pop())

    def close_into(self) -> None:
        """Close the writing end, so that the reader sees the end."""
        self._open.remove(self.into)
        os.close(self.into)


def _child(told: int) -> int:
    """Return the first process inside, as bubblewrap reports it. Raises EOFError if bubblewrap ends before."""
    text = b""
    while select.select([told], [], [], _PATIENCE)[0] and (data := os.read(told, 4096)):
        text += data
        if b"}" in text:
            return int(msgspec.json.decode(text)["child-pid"])
    raise EOFError("bubblewrap printed nothing")


def _limit(process: int, sandbox: Sandbox) -> None:
    """Set the limits that every process inside inherits. `watch` limits the sums over all processes."""
    if sys.platform != "linux":  # elsewhere bubblewrap would not have started
        raise NotImplementedError
    limits = sandbox.limits
    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NOFILE: limits.files,
        resource.RLIMIT_NPROC: limits.processes + _SPARE,
        resource.RLIMIT_FSIZE: (_LARGEST if sandbox.workshop else limits.disk) * MIB,
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
    """A thread that starts the processes that must die with this process; it lives as long as this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wanted: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def call(self, wanted: Callable[[], Any]) -> Any:
        """Run `wanted` in that thread; return its result or raise its exception."""
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
    """Begin again in a forked child: the thread belongs to the parent."""
    global _starter
    _starter = _Starter()


os.register_at_fork(after_in_child=_begin_anew)
