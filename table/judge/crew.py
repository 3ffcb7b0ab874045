"""Who starts threads for the seats, and who joins them. No other file of the judge's starts a seat's thread.

All of them are daemons: a player that never returns cannot be killed from outside, and it must not keep
the interpreter alive after everything else has ended.
"""

import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Protocol

from table.clock import now
from table.judge.seat import Seat, State

Errand = Callable[[], None]
Defect = Callable[[BaseException], None]


class Crew(Protocol):
    """Runs errands in the seats' threads. A seat gets the next errand only when it is home from the last."""

    every_turn: bool
    """Whether every seat is sent in every turn, or only one that has something to decide."""

    def send(self, seat: Seat, errand: Errand, label: str) -> None:
        """Let `seat` run `errand` in its own thread. Raises RuntimeError if the machine has no thread left."""

    def wait(self, seat: Seat, timeout: float | None) -> bool:
        """Wait until `seat` is home from its errand, at most `timeout` seconds; whether it is."""

    def close(self, patience: float) -> tuple[str, ...]:
        """Let every thread go, wait `patience` seconds in all for them; the names of those still away."""


class PerTurn:
    """One thread per seat and turn, started and joined (S-40): `T1-s2-t41` is table 1, seat 2, turn 41."""

    every_turn = True

    def __init__(self, table: int, seats: Sequence[Seat], defect: Defect) -> None:
        self._table = table
        self._seats = seats
        self._defect = defect
        self._threads: dict[int, threading.Thread] = {}

    def send(self, seat: Seat, errand: Errand, label: str) -> None:
        """See `Crew.send`."""
        last = self._threads.get(seat.number)
        if last is not None:  # it is home and about to end: never two threads of one seat
            last.join()
        name = f"T{self._table}-s{seat.number}-{label}"
        thread = threading.Thread(target=seat.run, args=(errand, self._defect), name=name, daemon=True)
        thread.start()
        self._threads[seat.number] = thread

    def wait(self, seat: Seat, timeout: float | None) -> bool:
        """See `Crew.wait`."""
        self._threads[seat.number].join(timeout)
        return not seat.busy

    def close(self, patience: float) -> tuple[str, ...]:
        """See `Crew.close`."""
        return _join(self._seats, self._threads, patience)


class Resident:
    """One thread per seat for the whole game, `T1-s2`, woken for an errand and otherwise asleep."""

    every_turn = False

    def __init__(self, table: int, seats: Sequence[Seat], defect: Defect) -> None:
        self._seats = seats
        self._defect = defect
        self._inbox: list[SimpleQueue[tuple[Errand, threading.Lock] | None]] = [SimpleQueue() for _ in seats]
        self._away: dict[int, threading.Lock] = {}
        self._threads = {
            seat.number: threading.Thread(target=self._live, args=(seat,), name=f"T{table}-s{seat.number}", daemon=True)
            for seat in seats
        }
        try:
            for thread in self._threads.values():  # last: from here on they use everything above
                thread.start()
        except RuntimeError:  # the machine has no thread left: let those go that have started
            for inbox in self._inbox:
                inbox.put(None)
            raise

    def send(self, seat: Seat, errand: Errand, label: str) -> None:
        """See `Crew.send`."""
        away = threading.Lock()  # held while the seat is away; a new one each time, so no errand ends another
        away.acquire()
        self._away[seat.number] = away
        self._inbox[seat.number].put((errand, away))

    def wait(self, seat: Seat, timeout: float | None) -> bool:
        """See `Crew.wait`."""
        away = self._away[seat.number]
        home = away.acquire(timeout=-1 if timeout is None else timeout)
        if home:
            away.release()
        return home

    def close(self, patience: float) -> tuple[str, ...]:
        """See `Crew.close`. A thread that is still away ends when it comes home."""
        for inbox in self._inbox:
            inbox.put(None)
        return _join(self._seats, self._threads, patience)

    def _live(self, seat: Seat) -> None:
        inbox = self._inbox[seat.number]
        while (errand := inbox.get()) is not None:
            seat.run(errand[0], self._defect)
            errand[1].release()


def _join(seats: Sequence[Seat], threads: dict[int, threading.Thread], patience: float) -> tuple[str, ...]:
    """Join the threads of all seats; one that had its time already (LATE) gets no more of it."""
    until = now() + patience
    for seat in seats:
        thread = threads.get(seat.number)
        if thread is None or (seat.busy and seat.state is not State.ASKED):
            continue
        thread.join(max(0.0, until - now()) if seat.busy else None)
    return tuple(threads[seat.number].name for seat in seats if seat.busy)
