"""What is replaced below Python's `threading` and jantaku's clock where a thread of a `World` asks."""

import _thread
import contextlib
import itertools
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import jantaku.table.judge.judge  # noqa: F401  what it imports reads the clock
from jantaku.table.ground import clock
from jantaku.table.judge import stalls
from jantaku.table.judge.turn import bells, turnstile
from tests.simulation import world as world_module
from tests.simulation.world import Lock, World, here


class _Pipes:
    def __init__(self) -> None:
        self._written: dict[int, bytearray] = {}
        self._numbers = itertools.count(10_000, 2)

    def pipe(self) -> tuple[int, int]:
        number = next(self._numbers)
        self._written[number] = bytearray()
        return number, number + 1

    def write(self, number: int, data: bytes) -> int:
        world = here()
        assert world is not None
        world.point("write")
        buffer = self._written[number - 1]
        buffer += data
        world.wake(buffer)
        return len(data)

    def read(self, number: int, most: int) -> bytes:
        world = here()
        assert world is not None
        world.point("read")
        buffer = self._written[number]
        while not buffer:
            world.wait(buffer, None)
        data = bytes(buffer[:most])
        del buffer[:most]
        return data

    def close(self, number: int) -> None: ...


def _allocate_lock() -> Any:
    return _thread.allocate_lock() if here() is None else Lock()


def _start_new_thread(function: Callable[..., None], arguments: tuple[Any, ...]) -> int:
    world = here()
    if world is None:
        return _thread.start_new_thread(function, arguments)
    return world.start(lambda: function(*arguments))


def _set_sentinel() -> Any:
    world = here()
    if world is None:
        return _thread._set_sentinel()  # type: ignore[attr-defined]
    world.running.sentinel = Lock()
    return world.running.sentinel


class _Handle:
    """A thread of a world as `threading` knows it since Python 3.13."""

    def __init__(self, ident: int = 0) -> None:
        self.ident = ident
        self._ended = Lock()

    def begin(self, world: World, function: Callable[[], None]) -> None:
        self._ended.acquire()

        def run() -> None:
            self.ident, world.running.sentinel = world.running.ident, self._ended
            function()

        self.ident = world.start(run)

    def is_done(self) -> bool:
        """Whether it has ended, or was never begun."""
        return not self._ended.locked()

    def join(self, timeout: float | None = None) -> None:
        if self._ended.acquire(timeout=-1 if timeout is None else timeout):
            self._ended.release()

    def _set_done(self) -> None: ...


def _make_handle(ident: int = 0) -> Any:
    if here() is not None:
        return _Handle(ident)
    return _thread._make_thread_handle(ident) if ident else _thread._ThreadHandle()  # type: ignore[attr-defined]


def _start_joinable_thread(function: Callable[[], None], *, handle: Any, daemon: bool) -> None:
    if (world := here()) is not None:
        handle.begin(world, function)
    else:
        _thread.start_joinable_thread(function, handle=handle, daemon=daemon)  # type: ignore[attr-defined]


def _make_invoke_excepthook() -> Callable[[Any], None]:
    world = here()
    if world is None:
        real: Callable[[Any], None] = _make_real_hook()
        return real

    def invoke(_: threading.Thread) -> None:
        problem = sys.exception()
        if problem is not None and not isinstance(problem, SystemExit):
            world.failed(problem)

    return invoke


_make_real_hook = threading._make_invoke_excepthook  # type: ignore[attr-defined]


def _ident() -> int:
    world = here()
    return _thread.get_ident() if world is None else world.running.ident


def _now() -> float:
    world = here()
    if world is None:
        return time.monotonic()
    world.point("clock")
    return world.time


def _cpu_here() -> float:
    world = here()
    return time.thread_time() if world is None else world.running.cpu


def _cpu_of_all() -> float:
    world = here()
    return time.process_time() if world is None else sum(fiber.cpu for fiber in world.fibers)


_cpu_of_real = clock.cpu_of


def _cpu_of(thread: int) -> float:
    world = here()
    if world is None:
        return _cpu_of_real(thread)
    return next((fiber.cpu for fiber in world.fibers if fiber.ident == thread), 0.0)


REPLACED: dict[tuple[ModuleType, str], object] = {
    (threading, "_allocate_lock"): _allocate_lock,
    (threading, "Lock"): _allocate_lock,
    (threading, "_CRLock"): None,  # then `threading.RLock` is Python's own, of the two above
    (threading, "_start_new_thread"): _start_new_thread,  # until Python 3.12
    (threading, "_set_sentinel"): _set_sentinel,
    (threading, "_start_joinable_thread"): _start_joinable_thread,  # since Python 3.13
    (threading, "_ThreadHandle"): _make_handle,
    (threading, "_make_thread_handle"): _make_handle,
    (threading, "_make_invoke_excepthook"): _make_invoke_excepthook,
    (threading, "get_ident"): _ident,
    (threading, "get_native_id"): _ident,
    (threading, "_time"): _now,
    (bells, "os"): _Pipes(),
    (turnstile, "SimpleQueue"): queue._PySimpleQueue,  # type: ignore[attr-defined]
    (queue, "SimpleQueue"): queue._PySimpleQueue,  # type: ignore[attr-defined]
}
CLOCKS = {time.monotonic: _now, time.thread_time: _cpu_here, time.process_time: _cpu_of_all, clock.cpu_of: _cpu_of}
"""Read from `jantaku.table.ground.clock`, by whatever name, in whatever module."""


@contextlib.contextmanager
def simulation() -> Iterator[None]:
    """Inside of it there may be worlds, one after another. Threads that are of no world notice nothing."""
    _quiet()
    new = {(owner, name): value for (owner, name), value in REPLACED.items() if hasattr(owner, name)}
    was = {(owner, name): getattr(owner, name) for owner, name in new}
    for name, module in list(sys.modules.items()):
        if name.startswith("jantaku."):
            for key, value in list(vars(module).items()):
                with contextlib.suppress(TypeError):
                    if value in CLOCKS:
                        was[module, key], new[module, key] = value, CLOCKS[value]
    try:
        for (owner, name), value in new.items():
            setattr(owner, name, value)
        world_module.installed = True
        yield
    finally:
        world_module.installed = False
        for (owner, name), value in was.items():
            setattr(owner, name, value)
        fresh()


def _quiet() -> None:
    """Wait until the detector of stalls beats for no real table any more: worlds use the same one."""
    beating = stalls.STALLS._thread
    if beating is not None:
        beating.join(20)
        assert not beating.is_alive(), "a table that is of no world still plays"


def fresh() -> None:
    """What a process shares is as at its beginning. Called in a world: made of the world's locks."""
    stalls.STALLS.__init__()  # type: ignore[misc]
    turnstile.TURNSTILE.open()
