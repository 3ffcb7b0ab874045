"""A simulated machine: its threads run one at a time, in an order that a `Schedule` chooses, and time passes only where
all of them wait.

What Python's own `threading` is built upon is replaced, below its classes: locks, the start of a thread, the clock. So
jantaku's sources and `threading.Thread`, `Event` and `Condition` run in it unchanged. A thread of the world is a real
one that runs only while it has the baton. Each lock, wait, start and reading of the clock is a point at which the
schedule may hand the baton on. With `within` each line of its modules is one, too, and each instruction of its
functions.
"""

import _thread
import sys
import threading
import traceback
from collections.abc import Callable, Collection
from types import FrameType, FunctionType, ModuleType
from typing import Any, TypeVar

from tests.simulation.schedules import Schedule

PATIENCE = 20.0
"""Real seconds for which the thread that has the baton may run without coming to a point."""
TICK = 1e-9
"""Seconds that every wait takes at least, as on a real clock: or one for the rest of a rounding would never be over."""
T = TypeVar("T")


class Uncontrolled(Exception):
    """A thread of the world waits for something that is not of the world."""


class Deadlock(Exception):
    """All threads wait, and for no moment in time."""


class Ended(SystemExit):
    """The world has ended: raised in each thread that is left. A thread may end with that without a word."""


class Fiber:
    def __init__(self, number: int, run: Callable[[], None]) -> None:
        self.ident = -number  # no real thread's
        self.number = number
        self.run = run
        self.waits: object = None
        """What it waits for; None: it can run."""
        self.until: float | None = None
        """When it stops waiting."""
        self.woken = False
        """Whether it went on because what it waited for had come, and not that moment."""
        self.cpu = 1e-9  # a thread that runs has used some
        self.real = 0
        """The real thread that it runs in, once it does."""
        self.baton = _thread.allocate_lock()
        self.baton.acquire()
        self.sentinel: Lock | None = None
        self.over = False

    @property
    def name(self) -> str:
        thread = threading._active.get(self.ident)  # type: ignore[attr-defined]
        return "main" if self.number == 1 else thread.name if thread is not None else f"thread {self.number}"


class Lock:
    def __init__(self) -> None:
        self._locked = False

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        world = here()
        if world is None:  # after its world
            self._locked = True
            return True
        world.point("acquire")
        until = None if timeout < 0 else world.time + max(timeout, TICK)
        while self._locked:
            if not blocking or not world.wait(self, until):
                return False
        self._locked = True
        return True

    def release(self) -> None:
        if not self._locked:
            raise RuntimeError("release unlocked lock")
        self._locked = False
        if (world := here()) is not None:
            world.wake(self)

    def locked(self) -> bool:
        return self._locked

    def _at_fork_reinit(self) -> None:
        self._locked = False

    __enter__ = acquire

    def __exit__(self, *_: object) -> None:
        self.release()


class World:
    """One run of `main` and of the threads that come of it, under one schedule."""

    def __init__(
        self, schedule: Schedule, *, within: Collection[ModuleType | Callable[..., object]] = (), steps: int = 1_000_000
    ) -> None:
        self.time = 1000.0
        """Seconds on its clock."""
        self.fibers: list[Fiber] = []
        self.told: list[str] | None = None
        """Where a list is put, each hand-over of the baton is written."""
        self._schedule = schedule
        self._files = {one.__file__ for one in within if isinstance(one, ModuleType)}
        self._codes = {one.__code__ for one in within if isinstance(one, FunctionType)}
        self._left = steps
        self._steps = 0
        self._running: Fiber | None = None
        self._ready: list[Fiber] = []
        self._ended = False
        self._failure: BaseException | None = None
        self._over = _thread.allocate_lock()

    # --- for whoever makes it

    def run(self, main: Callable[[], T]) -> T:
        """What `main` returns or raises; threads that are left then are ended. If it does not come to that, Deadlock or
        Uncontrolled, which name the threads."""
        global _world
        assert installed and _world is None, "one world at a time, inside of `simulation()`"
        result: list[T] = []

        def whole() -> None:
            try:
                result.append(main())
            except BaseException as problem:
                self.failed(problem)

        _world = self
        self._over.acquire()
        try:
            self._running = first = self._fiber(whole)
            first.baton.release()
            self._watch()
        finally:
            _world = None
            for fiber in self.fibers:
                threading._active.pop(fiber.ident, None)  # type: ignore[attr-defined]
        if self._failure is not None:
            raise self._failure
        return result[0]

    @property
    def at_large(self) -> list[str]:
        """The names of the threads that have not ended, but for the one that asks."""
        return [fiber.name for fiber in self.fibers if not fiber.over and fiber is not self._running]

    def sleep(self, seconds: float) -> None:
        self.wait(None, self.time + seconds)

    def freeze(self, seconds: float) -> None:
        """The whole process stands still."""
        self._pass(self.time + seconds)

    def compute(self, seconds: float) -> None:
        """The calling thread computes, and holds the interpreter."""
        assert self._running is not None
        self._running.cpu += seconds
        self._pass(self.time + seconds)

    # --- for what threads do

    def point(self, what: str) -> None:
        """The schedule may hand the baton on, before the calling thread does this."""
        if self._ended:
            raise Ended
        self._steps += 1
        self._left -= 1
        if self._left < 0:
            self.failed(
                Deadlock("more steps than were allowed: threads wait for each other in a circle?\n" + self.stacks())
            )
            raise Ended
        if len(self._ready) > 1:
            self._hand_on(what)

    def wait(self, on: object, until: float | None) -> bool:
        """Let the calling thread wait until `on` wakes it; False if that moment came first."""
        if self._ended:
            raise Ended
        running = self._running
        assert running is not None
        if until is not None and until <= self.time:
            self.point("time is up")
            return False
        running.waits, running.until, running.woken = running if on is None else on, until, False
        self._ready.remove(running)
        self._hand_on("wait")
        return running.woken

    def wake(self, on: object) -> None:
        """Let all go on that wait for it; they look again."""
        for fiber in self.fibers:
            if fiber.waits is on:
                fiber.waits, fiber.woken = None, True
                self._ready.append(fiber)

    def start(self, run: Callable[[], None]) -> int:
        self.point("start")
        return self._fiber(run).ident

    @property
    def running(self) -> Fiber:
        assert self._running is not None
        return self._running

    def stacks(self) -> str:
        frames = sys._current_frames()
        lines = [f"at {self.time - 1000:.3f} s"]
        for fiber in self.fibers:
            if not fiber.over and fiber.real in frames:
                lines.append(f"{fiber.name}:")
                stack = [one for one in traceback.extract_stack(frames[fiber.real]) if one.filename != __file__]
                lines += [f"  {one.filename}:{one.lineno} {one.line}" for one in stack[-4:]]
        return "\n".join(lines)

    # --- the baton

    def _fiber(self, run: Callable[[], None]) -> Fiber:
        fiber = Fiber(len(self.fibers) + 1, run)
        self.fibers.append(fiber)
        self._ready.append(fiber)
        _worker().take(self, fiber)
        return fiber

    def _hand_on(self, what: str) -> None:
        running = self._running
        while not self._ready:
            if not self._next_moment():
                self.failed(Deadlock(f"all threads wait, and for no moment\n{self.stacks()}"))
                raise Ended
        ready = self._ready
        if len(ready) == 1:
            chosen = ready[0]
        else:
            ready.sort(key=_number)
            chosen = ready[self._schedule.choose(ready.index(running) if running in ready else None, ready)]
        if chosen is running:
            return
        if self.told is not None:
            self.told.append(
                f"{self.time - 1000:.3f} s  {running.name if running else '-'} before {what}: {chosen.name} goes on"
            )
        self._running = chosen
        chosen.baton.release()
        if running is not None and not running.over:
            running.baton.acquire()
            if self._ended:
                raise Ended

    def _next_moment(self) -> bool:
        moments = [fiber.until for fiber in self.fibers if fiber.waits is not None and fiber.until is not None]
        if not moments:
            return False
        self._pass(max(self.time, min(moments)))
        return True

    def _pass(self, to: float) -> None:
        """Time passes; waits that are over then, are over."""
        self.time = to
        for fiber in self.fibers:
            if fiber.waits is not None and fiber.until is not None and fiber.until <= to:
                fiber.waits = None
                self._ready.append(fiber)

    def _end_of(self, fiber: Fiber) -> None:
        """Called in its thread, which has the baton, when it is over."""
        fiber.over = True
        if fiber.sentinel is not None and fiber.sentinel.locked():
            fiber.sentinel.release()
        if fiber in self._ready:
            self._ready.remove(fiber)
        if fiber.number == 1 or self._ended:
            self._ended = True
            self._end_next()
            return
        try:
            self._hand_on("its end")
        except Ended:
            self._end_next()

    def _end_next(self) -> None:
        """Once the world has ended its threads are ended one after another."""
        left = next((fiber for fiber in self.fibers if not fiber.over), None)
        if left is None:
            self._over.release()
        else:
            self._running = left
            left.baton.release()

    def failed(self, problem: BaseException) -> None:
        """One of its threads has ended with that, and with it the world does; what comes of its end is nothing."""
        if not self._ended:
            self._failure, self._ended = problem, True

    def _watch(self) -> None:
        seen = -1
        while not self._over.acquire(timeout=PATIENCE):
            if self._steps == seen:
                raise Uncontrolled(f"{self.running.name} does not come back\n{self.stacks()}")
            seen = self._steps

    # --- each line a point, or each instruction

    def trace(self, frame: FrameType, kind: str, _: object) -> Any:
        wanted = "line" if frame.f_code.co_filename in self._files else "opcode"
        if wanted == "opcode" and frame.f_code not in self._codes:
            return None
        frame.f_trace_opcodes = wanted == "opcode"
        if kind == wanted and not self._ended:
            self.point(f"{kind} of line {frame.f_lineno}")
        return self.trace

    @property
    def traces(self) -> bool:
        return bool(self._files or self._codes)


def _number(fiber: Fiber) -> int:
    return fiber.number


_world: World | None = None
installed = False
"""Whether Python's own are replaced, see `replacements`."""


def here() -> World | None:
    world = _world
    if world is None or world._running is None or world._running.real != _thread.get_ident():
        return None
    return world


# --- real threads, which are used again


class _Worker:
    def __init__(self) -> None:
        self._job: tuple[World, Fiber] | None = None
        self._bell = _thread.allocate_lock()
        self._bell.acquire()
        _thread.start_new_thread(self._live, ())

    def take(self, world: World, fiber: Fiber) -> None:
        self._job = world, fiber
        self._bell.release()

    def _live(self) -> None:
        while True:
            self._bell.acquire()
            assert self._job is not None
            world, fiber = self._job
            fiber.baton.acquire()
            fiber.real = _thread.get_ident()
            if not world._ended:
                if world.traces:
                    sys.settrace(world.trace)
                try:
                    fiber.run()
                except BaseException as problem:
                    world.failed(problem)
                finally:
                    sys.settrace(None)
            self._job = None
            _idle.append(self)
            world._end_of(fiber)


_idle: list[_Worker] = []


def _worker() -> _Worker:
    return _idle.pop() if _idle else _Worker()
