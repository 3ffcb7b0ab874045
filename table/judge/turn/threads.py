"""Starts, wakes and joins the seats' threads. No other file of the judge starts a thread of a seat."""

import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from jantaku.table.ground.clock import Deadline
from jantaku.table.judge.player import State
from jantaku.table.judge.seat import Seat
from jantaku.table.judge.shared import start
from jantaku.table.judge.turn.bells import Bells

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
    """One thread per seat for the whole game, `T1-s2`, woken for each task. The hand-off is the only cost of this mode:
    a bell wakes the thread, and a plain lock, `away`, signals that it has returned. It costs more than a bot that comes
    along computes: for a `prompt` seat the judge's thread does the task."""

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
