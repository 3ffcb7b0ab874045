"""What the simulated machine promises: it controls each schedule, finds what is wrong in one, and can repeat it."""

import _thread
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from jantaku.table.judge.turn import bells
from tests.simulation import world as simulated
from tests.simulation.schedules import Priorities, Schedule, Shuffled, every
from tests.simulation.world import Deadlock, Uncontrolled, World

pytestmark = pytest.mark.pure


class Counter:
    """Counts, with a gap between reading and writing."""

    def __init__(self, guard: Any = None) -> None:
        self.number = 0
        self._guard = guard

    def add(self) -> None:
        if self._guard is None:
            self._add()
        else:
            with self._guard:
                self._add()

    def _add(self) -> None:
        number = self.number
        threading.Lock().acquire()  # a point between the two
        self.number = number + 1


def counted(schedule: Schedule, *, guarded: bool) -> int:
    def main() -> int:
        counter = Counter(threading.Lock() if guarded else None)
        threads = [threading.Thread(target=counter.add) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return counter.number

    return World(schedule).run(main)


def test_a_missing_lock_is_found_and_one_that_is_there_never_fails() -> None:
    assert {counted(schedule, guarded=False) for schedule in every(1)} == {1, 2}
    assert {counted(schedule, guarded=True) for schedule in every(2)} == {2}
    assert 1 in {counted(Priorities(seed, length=30), guarded=False) for seed in range(100)}


def story(seed: int) -> list[str]:
    world = World(Shuffled(seed))
    world.told = []

    def main() -> None:
        gate = threading.Event()
        for name in "ab":
            threading.Thread(target=gate.wait, name=name).start()
        gate.set()

    world.run(main)
    return world.told


def test_a_seed_repeats_its_schedule_and_another_has_another() -> None:
    assert story(3) == story(3) and len({str(story(seed)) for seed in range(20)}) > 5


def test_time_jumps_to_the_next_moment_when_all_wait() -> None:
    world = World(Shuffled(1))

    def main() -> tuple[float, bool]:
        gate = threading.Event()
        threading.Timer(3600.0, gate.set).start()
        began = world.time
        return world.time - began, gate.wait(1.0) or gate.wait(4000.0)

    before = time.monotonic()
    assert world.run(main)[1] and 3600 <= world.time - 1000 < 3600.1
    assert time.monotonic() - before < 1800


def ended(schedule: Schedule, main: Callable[[], None]) -> Deadlock | None:
    try:
        World(schedule).run(main)
    except Deadlock as problem:
        return problem
    return None


def test_threads_that_wait_for_each_other_are_named_with_their_places() -> None:
    def main() -> None:
        one, two = threading.Lock(), threading.Lock()

        def other() -> None:
            with two, one:
                pass

        thread = threading.Thread(target=other, name="other")
        with one:
            thread.start()
            with two:
                pass
        thread.join()

    found = [str(problem) for problem in (ended(schedule, main) for schedule in every(2)) if problem is not None]
    assert found and all("other:" in words and "with two, one" in words for words in found)


def test_what_waits_outside_of_the_world_is_an_error_that_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulated, "PATIENCE", 0.05)
    real = _thread.allocate_lock()
    real.acquire()

    def outside() -> None:
        with real:
            pass

    def main() -> None:
        thread = threading.Thread(target=outside, name="outside")
        thread.start()
        thread.join()

    with pytest.raises(Uncontrolled, match=r"outside does not come back(.|\n)*with real"):
        World(Shuffled(1)).run(main)
    real.release()


def test_threads_that_are_left_are_ended_and_none_is_kept() -> None:
    def main() -> None:
        for _ in range(5):
            threading.Thread(target=threading.Event().wait).start()

    before = threading.active_count()
    World(Shuffled(2)).run(main)
    assert threading.active_count() == before


def test_a_bell_of_pipes_wakes_its_thread() -> None:
    def main() -> list[bool]:
        bell, heard = bells.PipeBell(), []
        thread = threading.Thread(target=lambda: heard.extend([bell.wait(), bell.wait()]))
        thread.start()
        bell.ring()
        bell.close()
        thread.join()
        return heard

    assert {tuple(World(schedule).run(main)) for schedule in every(3)} == {(True, False)}


def test_what_escapes_from_a_thread_is_what_the_world_ends_with() -> None:
    def main() -> None:
        thread = threading.Thread(target=lambda: 1 / 0)
        thread.start()
        thread.join()

    with pytest.raises(ZeroDivisionError):
        World(Shuffled(1)).run(main)
