"""Pipes, polling, signals and processes of a simulated machine, below the adapters of programs.

A process of it is a thread of the world that runs a script: a function which reads and writes its pipes. So what a
program does is a few lines, and each of its steps can come at any moment of the table's.
"""

import contextlib
import itertools
import selectors
import signal
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any
from unittest import mock

from jantaku.players.adapters import program
from jantaku.players.adapters.pipes import lines, waiting
from jantaku.players.adapters.pipes.starting import Started
from tests.simulation.world import World

CAPACITY = 16
"""Bytes that a pipe holds: so few that some message does not fit."""
POLLIN, POLLOUT, POLLHUP, POLLERR = 1, 4, 16, 8


class Killed(BaseException):
    """The process was ended by a signal."""


class Pipe:
    def __init__(self) -> None:
        self.data = bytearray()
        self.readers = self.writers = 1


class Kernel:
    """What `os`, `select` and `subprocess` are to the modules of a program. `world` is the world that runs."""

    WEXITED = WNOWAIT = P_PID = 0

    def __init__(self, world: World) -> None:
        self._world = world
        self._ends: dict[int, tuple[Pipe, bool]] = {}
        """By file descriptor: the pipe, and whether it is read there."""
        self._blocking: set[int] = set()
        self._numbers = itertools.count(10_000)
        self._waiting: list[tuple[Callable[[], bool]]] = []
        self._processes: dict[int, Process] = {}

    # --- as `os`

    def pipe(self) -> tuple[int, int]:
        pipe, reading, writing = Pipe(), next(self._numbers), next(self._numbers)
        self._ends[reading], self._ends[writing] = (pipe, True), (pipe, False)
        self._blocking.update((reading, writing))
        return reading, writing

    def set_blocking(self, end: int, blocking: bool) -> None:
        (self._blocking.add if blocking else self._blocking.discard)(end)

    def read(self, end: int, most: int) -> bytes:
        self._world.point("read")
        pipe, reads = self._known(end)
        assert reads
        if not self.ready(end, POLLIN):
            if end not in self._blocking:
                raise BlockingIOError
            self.wait(lambda: end not in self._ends or bool(self.ready(end, POLLIN)))
            self._known(end)
        data = bytes(pipe.data[:most])
        del pipe.data[:most]
        self._changed()
        self._world.point("has read")
        return data

    def write(self, end: int, data: bytes) -> int:
        self._world.point("write")
        pipe, reads = self._known(end)
        assert not reads
        if not pipe.readers:
            raise BrokenPipeError
        if not self.ready(end, POLLOUT):
            if end not in self._blocking:
                raise BlockingIOError
            self.wait(lambda: end not in self._ends or bool(self.ready(end, POLLOUT)))
            self._known(end)
        taken = data[: CAPACITY - len(pipe.data)]
        pipe.data += taken
        self._changed()
        self._world.point("has written")
        return len(taken)

    def close(self, end: int) -> None:
        self._known(end)
        self.drop(end)

    def drop(self, end: int) -> None:
        """Close a descriptor that may be closed."""
        pipe, reads = self._ends.pop(end, (Pipe(), True))
        if reads:
            pipe.readers -= 1
        else:
            pipe.writers -= 1
        self._changed()

    def killpg(self, group: int, number: int) -> None:
        self._world.point("kill")
        if group not in self._processes:
            raise ProcessLookupError(group)
        assert not self._processes[group].reaped, "the pid may be another's by now"
        self._processes[group].signal(number)

    def waitid(self, _: int, group: int, __: int) -> None:
        """See `os.waitid`, with WNOWAIT."""
        self.wait(lambda: self._processes[group].code is not None)

    def _known(self, end: int) -> tuple[Pipe, bool]:
        """An end that is open. Who uses one that was closed might meet a stranger's: that is a defect of ours."""
        if any(one.thread == threading.get_ident() and one.code is not None for one in self._processes.values()):
            raise Killed
        assert end in self._ends, f"file descriptor {end} is closed"
        return self._ends[end]

    def ready(self, end: int, wanted: int) -> int:
        """The events of a descriptor, as `select.poll` has them."""
        assert end in self._ends, f"file descriptor {end} is polled, and closed"
        pipe, reads = self._ends[end]
        found = 0
        if reads and pipe.data:
            found |= POLLIN
        if reads and not pipe.writers:
            found |= POLLHUP
        if not reads and len(pipe.data) < CAPACITY:
            found |= POLLOUT
        if not reads and not pipe.readers:
            found |= POLLERR
        return found & (wanted | POLLHUP | POLLERR)

    def poll(self) -> "Poll":
        return Poll(self)

    @property
    def open_ends(self) -> int:
        return len(self._ends)

    # --- as `spawn`

    def number(self) -> int:
        return next(self._numbers)

    def started(self, process: "Process") -> None:
        self._processes[process.pid] = process
        self._world.start(process.live)

    def wait(self, what: Callable[[], bool], seconds: float | None = None) -> None:
        """Wait until it is so, at most so long."""
        until = None if seconds is None else self._world.time + seconds
        self._waiting.append(waiting := (what,))
        while not what() and self._world.wait(waiting, until):
            pass
        self._waiting.remove(waiting)

    def _changed(self) -> None:
        """Whoever waits for what has come goes on."""
        for one in self._waiting:
            if one[0]():
                self._world.wake(one)

    def point(self, what: str) -> None:
        self._world.point(what)


class Poll:
    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._wanted: dict[int, int] = {}

    def register(self, end: int, events: int) -> None:
        self._wanted[end] = events

    def unregister(self, end: int) -> None:
        del self._wanted[end]

    def poll(self, milliseconds: float | None = None) -> list[tuple[int, int]]:
        kernel = self._kernel
        kernel.point("poll")
        kernel.wait(lambda: bool(self._found()), None if milliseconds is None else milliseconds / 1000)
        return self._found()

    def _found(self) -> list[tuple[int, int]]:
        found = [(end, self._kernel.ready(end, wanted)) for end, wanted in self._wanted.items()]
        return [(end, events) for end, events in found if events]


class End:
    def __init__(self, kernel: Kernel, end: int) -> None:
        self._kernel, self._end = kernel, end
        self.closed = False

    def fileno(self) -> int:
        assert not self.closed, "a closed file has no descriptor"
        return self._end

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self._kernel.close(self._end)


class Process:
    """A process that runs `script`, which has `hear`, `say`, `think` and `close`. It ends with that, with code 0, or by
    a signal. It `heeds` SIGTERM, or does not."""

    def __init__(self, kernel: Kernel, script: Callable[["Process"], None], *, heeds: bool = True) -> None:
        self._kernel, self._script, self._heeds = kernel, script, heeds
        self._input, ours = kernel.pipe()
        self.stdin = End(kernel, ours)
        ours, self._output = kernel.pipe()
        self.stdout = End(kernel, ours)
        ours, self._errors = kernel.pipe()
        self.stderr = End(kernel, ours)
        self.pid = kernel.number()
        self.code: int | None = None
        self.returncode: int | None = None
        self.reaped = False
        self.thread = 0
        self._heard = b""
        kernel.started(self)

    def live(self) -> None:
        self.thread = threading.get_ident()
        with contextlib.suppress(Killed, BrokenPipeError):
            self._script(self)
        self._end(0)

    def _end(self, code: int) -> None:
        if self.code is None:
            self.code = code
            for end in (self._input, self._output, self._errors):
                self._kernel.drop(end)

    def signal(self, number: int) -> None:
        if number == signal.SIGKILL or self._heeds:
            self._end(-number)

    def wait(self) -> int:
        self._kernel.wait(lambda: self.code is not None)
        assert self.code is not None
        self.reaped, self.returncode = True, self.code
        return self.code

    # --- for its script

    def hear(self) -> bytes:
        """The next line of its input; empty at the end."""
        while b"\n" not in self._heard:
            data = self._kernel.read(self._input, CAPACITY)
            if not data:
                return b""
            self._heard += data
        line, _, self._heard = self._heard.partition(b"\n")
        return line

    def say(self, line: bytes) -> None:
        data = line + b"\n"
        while data:
            data = data[self._kernel.write(self._output, data) :]

    def think(self, seconds: float) -> None:
        self._kernel.wait(lambda: self.code is not None, seconds)
        if self.code is not None:
            raise Killed

    def close(self) -> None:
        self._kernel.close(self._output)


@contextlib.contextmanager
def beneath(world: World, script: Callable[[Process], None], *, heeds: bool = True) -> Iterator[Kernel]:
    """A program that is started inside of it runs `script` in a process of this kernel."""
    kernel = Kernel(world)

    class Selector(selectors.PollSelector):
        _selector_cls = kernel.poll

    def spawn(*_: Any) -> Started:
        process: Any = Process(kernel, script, heeds=heeds)
        return Started(process, SimpleNamespace(root=process.pid, cpu=lambda: 0.0))  # type: ignore[arg-type]

    polling = SimpleNamespace(poll=kernel.poll, POLLIN=POLLIN)
    names = vars(selectors) | {"DefaultSelector": Selector}
    with (
        mock.patch.multiple(
            program, os=kernel, spawn=spawn, selectors=SimpleNamespace(**names), guardian=mock.MagicMock()
        ),
        mock.patch.object(lines, "os", kernel),
        mock.patch.multiple(waiting, os=kernel, select=polling, time=SimpleNamespace(sleep=world.sleep)),
    ):
        yield kernel
