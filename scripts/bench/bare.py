"""The operating system's cost: threads that are woken or started and do nothing.

`asked` wakes the same threads in the same order as the resident judge in the same game. First comes the thread of the
turn seat, if the judge asks it; when that is idle, the threads of all seats that the judge asks about its action
follow. It is the cheapest hand-off in this order: one lock wakes a thread, one signals that it is done. `four` wakes
all four in every turn, by queues in and out, and lets three wait for an event that the fourth sets: the design of the
table without a table. `start-join` starts four threads for that in every turn.
"""

import threading
from collections.abc import Callable
from queue import SimpleQueue

from scripts.bench.bursts import BurstCount, Play
from scripts.bench.games import asked_seats

SAMPLE = 8
"""Games that are recorded to find out which seats are asked; they are then repeated."""


def asked(policy: str) -> Play:
    """Return a play that hands over to the seats that are asked."""
    sample = [list(asked_seats(policy, number)) for number in range(SAMPLE)]
    go, home = ([threading.Lock() for _ in range(4)] for _ in range(2))
    for lock in (*go, *home):
        lock.acquire()
    for seat in range(4):
        threading.Thread(target=_wait_for, args=(go[seat], home[seat]), daemon=True).start()

    def play(number: int) -> BurstCount:
        turns = sample[number % SAMPLE]
        woken = 0
        for together in turns:
            for seats in together:
                for seat in seats:
                    go[seat].release()
                for seat in seats:
                    home[seat].acquire()
                woken += len(seats)
        return BurstCount(hanchan=1, turns=len(turns), questions=woken)

    return play


def _wait_for(go: threading.Lock, home: threading.Lock) -> None:
    while go.acquire():
        home.release()


def four(policy: str) -> Play:
    """Return a play that hands over to four resident threads in every turn."""
    turns = _turns(policy)
    inboxes: list[SimpleQueue[Callable[[], object]]] = [SimpleQueue() for _ in range(4)]
    home: SimpleQueue[None] = SimpleQueue()
    for inbox in inboxes:
        threading.Thread(target=_work_off, args=(inbox, home), daemon=True).start()

    def play(number: int) -> BurstCount:
        for _ in range(turns[number % SAMPLE]):
            event = threading.Event()
            for inbox in inboxes[1:]:
                inbox.put(event.wait)
            inboxes[0].put(event.set)
            for _ in inboxes:
                home.get()
        return BurstCount(hanchan=1, turns=turns[number % SAMPLE])

    return play


def _work_off(inbox: "SimpleQueue[Callable[[], object]]", home: "SimpleQueue[None]") -> None:
    while True:
        inbox.get()()
        home.put(None)


def start_join(policy: str) -> Play:
    """Return a play that starts and joins four threads in every turn."""
    turns = _turns(policy)

    def play(number: int) -> BurstCount:
        for _ in range(turns[number % SAMPLE]):
            event = threading.Event()
            targets: list[Callable[[], object]] = [event.wait, event.wait, event.wait, event.set]
            threads = [threading.Thread(target=target, daemon=True) for target in targets]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        return BurstCount(hanchan=1, turns=turns[number % SAMPLE])

    return play


def _turns(policy: str) -> list[int]:
    return [sum(1 for _ in asked_seats(policy, number)) for number in range(SAMPLE)]
