"""Starts, wakes and joins the seats' threads. No other file of the judge starts a thread of a seat."""

import os
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Final, Protocol

from jantaku.table.ground.clock import Deadline
from jantaku.table.judge.player import State
from jantaku.table.judge.seat import Seat
from jantaku.table.judge.shared import start

# Bells: each wakes one resident thread when the judge rings it.
#
# A thread that releases a lock goes on holding the interpreter's own lock (GIL): the woken thread runs into it and
# sleeps again, and a hand-off takes six thread switches. A thread that writes to a pipe releases the GIL, and three
# switches are enough. But a pipe takes two file descriptors, which connections and programs need as well.

TABLES: Final = 8
"""How many tables of a process use pipes at a time. With more tables, threads wait for each other anyway."""
_PIPED: Final = threading.BoundedSemaphore(TABLES)
_RING: Final = b"!"
_END: Final = b"."


class Bell(Protocol):
    """Wakes one thread. It is rung at most once before the thread waits again, and after that perhaps closed."""

    def ring(self) -> None:
        """Wake the thread, now or as soon as it waits."""

    def wait(self) -> bool:
        """Wait until the bell rings; False if it was closed. Called by the thread."""

    def close(self) -> None:
        """Let the thread end; the bell is not rung any more."""


class LockBell:
    """A bell made of a lock: it needs no file descriptor. Implements `Bell`."""

    def __init__(self) -> None:
        self._closed = False
        self._lock = threading.Lock()
        self._lock.acquire()

    def ring(self) -> None:
        self._lock.release()

    def wait(self) -> bool:
        self._lock.acquire()
        return not self._closed

    def close(self) -> None:
        self._closed = True
        if self._lock.locked():
            self._lock.release()


class PipeBell:
    """A bell made of a pipe: it wakes its thread sooner. Implements `Bell`. Raises OSError without free file
    descriptors."""

    def __init__(self) -> None:
        self._reading, self._writing = os.pipe()

    def ring(self) -> None:
        os.write(self._writing, _RING)

    def wait(self) -> bool:
        """Wait for a byte. Closing is a byte of its own: the end of the pipe would not arrive while a forked process
        has it open."""
        if os.read(self._reading, 1) == _RING:
            return True
        os.close(self._reading)
        return False

    def close(self) -> None:
        os.write(self._writing, _END)
        os.close(self._writing)


class Bells:
    """The bells of one table."""

    def __init__(self, count: int) -> None:
        self._piped = _PIPED.acquire(blocking=False)
        self.bells: list[Bell] = []
        """One bell for each thread."""
        for _ in range(count):
            self.bells.append(self._bell())

    def _bell(self) -> Bell:
        try:
            return PipeBell() if self._piped else LockBell()
        except OSError:
            return LockBell()

    def close(self) -> None:
        """Close all bells, and give back the right to use pipes."""
        for bell in self.bells:
            bell.close()
        if self._piped:
            _PIPED.release()


# Limits how many tables of a process play at a time: the others wait before they begin a turn, off every clock.
#
# A thread that could run, but lacks the interpreter's lock (GIL), wakes up every few milliseconds to ask for it. If a
# thousand tables do that at once, the process does little else, and the players lose time to it.

PLACES: Final = 8
"""How many tables play at a time: more than one, since a system call releases the GIL."""
BRIEF: Final = 0.002
"""Seconds for which a table that waits for a player keeps its place. After that it waits outside, so that no table
waits for another table's slow or remote players."""


class Turnstile:
    """A semaphore of `places` places, first come, first served."""

    def __init__(self, places: int) -> None:
        self._places: Final = places
        self.open()

    def open(self) -> None:
        """Free all places."""
        self._free = SimpleQueue[None]()
        for _ in range(self._places):
            self._free.put(None)

    def enter(self) -> None:
        """Wait for a free place and take it, in the order of arrival."""
        self._free.get()

    def leave(self) -> None:
        """Give the place back."""
        self._free.put(None)


TURNSTILE: Final = Turnstile(PLACES)
"""The turnstile of this process."""
if hasattr(os, "register_at_fork"):  # tables of the parent process do not exist in the child
    os.register_at_fork(after_in_child=TURNSTILE.open)


# Starts and joins the seats' threads. No other file of the judge starts a thread of a seat.
#
# All of them are daemons: a player that never returns cannot be killed from outside, and must not keep the
# interpreter alive after everything else has ended.

Task = Callable[[], None]
Defect = Callable[[BaseException], None]


class SeatThreads(Protocol):
    """Runs tasks in the seats' threads. A seat gets its next task only when its thread has returned from the last."""

    every_turn: bool
    """Whether every seat is sent in every turn and waits for a `DiscardEvent`. If false, only a seat that has something
    to decide is sent."""

    def name(self, seat: Seat, label: str) -> str:
        """Return the name of the thread that runs a task with this label for `seat`."""

    def send(self, seat: Seat, task: Task, label: str) -> None:
        """Run `task` in the thread of `seat`. Raises RuntimeError if the machine cannot start another thread."""

    def wait(self, seat: Seat, timeout: float | None) -> bool:
        """Wait at most `timeout` seconds for the thread of `seat` to return; whether it has."""

    def close(self, patience: float) -> tuple[str, ...]:
        """Stop all threads, waiting `patience` seconds in total; return the names of those that are still busy."""


class PerTurn:
    """One thread per seat and turn, started and joined (S-40): `T1-s2-t41` is table 1, seat 2, turn 41."""

    every_turn = True

    def __init__(self, table: int, seats: Sequence[Seat], defect: Defect) -> None:
        self._table = table
        self._seats = seats
        self._defect = defect
        self._threads: dict[int, threading.Thread] = {}

    def name(self, seat: Seat, label: str) -> str:
        return f"T{self._table}-s{seat.number}-{label}"

    def send(self, seat: Seat, task: Task, label: str) -> None:
        last = self._threads.get(seat.number)
        if last is not None:  # it has returned and is about to end; a seat never has two threads
            last.join()
        name = self.name(seat, label)
        thread = threading.Thread(target=seat.run, args=(task, self._defect), name=name, daemon=True)
        start(thread)
        self._threads[seat.number] = thread

    def wait(self, seat: Seat, timeout: float | None) -> bool:
        self._threads[seat.number].join(timeout)
        return not seat.place.busy

    def close(self, patience: float) -> tuple[str, ...]:
        return _join(self._seats, self._threads, patience)


class Resident:
    """One thread per seat for the whole game, `T1-s2`, woken for each task.

    The hand-off is the only cost of this mode: a bell wakes the thread, and a plain lock, `away`, signals that it has
    returned. It costs more than a bot that comes along computes: for a `prompt` seat the judge's thread does the task.
    """

    every_turn = False

    def __init__(self, table: int, seats: Sequence[Seat], defect: Defect) -> None:
        self._seats = seats
        self._defect = defect
        self._tasks: list[tuple[Task, threading.Lock] | None] = [None] * len(seats)
        """By seat, the task for which its thread is woken. One place is enough: the thread takes the task before the
        next is sent."""
        self._away = [threading.Lock() for _ in seats]
        self._threads = {
            seat.number: threading.Thread(target=self._live, args=(seat,), name=f"T{table}-s{seat.number}", daemon=True)
            for seat in seats
            if not seat.prompt
        }
        self._bells = Bells(len(self._threads))
        self._bell_of = dict(zip(self._threads, self._bells.bells, strict=True))
        try:
            for thread in self._threads.values():  # comes last: the threads use everything above
                start(thread)
        except RuntimeError:  # the machine has no thread left: stop those that have started
            self._bells.close()
            for number, thread in self._threads.items():
                if thread.ident is None:
                    self._bell_of[number].wait()  # closes the bell's end, as the thread would have done
            raise

    def name(self, seat: Seat, label: str) -> str:
        return threading.current_thread().name if seat.prompt else self._threads[seat.number].name

    def send(self, seat: Seat, task: Task, label: str) -> None:
        if seat.prompt:
            try:
                task()
            finally:
                seat.come_home()
            return
        away = threading.Lock()  # held while the seat is busy; a new lock for each task, so that no task ends another
        away.acquire()
        self._away[seat.number] = away
        self._tasks[seat.number] = (task, away)
        self._bell_of[seat.number].ring()

    def wait(self, seat: Seat, timeout: float | None) -> bool:
        away = self._away[seat.number]
        home = away.acquire() if timeout is None else away.acquire(timeout=timeout)
        if home:
            away.release()
        return home

    def close(self, patience: float) -> tuple[str, ...]:
        """A thread that is still away ends when it returns."""
        self._bells.close()
        return _join(self._seats, self._threads, patience)

    def _live(self, seat: Seat) -> None:
        bell, goes_on = self._bell_of[seat.number], True
        while goes_on:
            goes_on = bell.wait()
            waiting, self._tasks[seat.number] = self._tasks[seat.number], None
            if waiting is not None:
                task, away = waiting
                seat.run(task, self._defect)
                away.release()


def _join(seats: Sequence[Seat], threads: dict[int, threading.Thread], patience: float) -> tuple[str, ...]:
    """Join the threads of all seats and return the names of those still busy. A seat that is LATE has had its time, and
    is not waited for."""
    until = Deadline(patience)
    for seat in seats:
        thread = threads.get(seat.number)
        if thread is None or (seat.place.busy and seat.place.state is not State.ASKED):
            continue
        thread.join(until.left if seat.place.busy else None)
    return tuple(threads[seat.number].name for seat in seats if seat.place.busy)
