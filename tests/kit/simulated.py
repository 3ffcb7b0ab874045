"""A test marked `simulated` runs in a simulated machine: a second is none, what takes no time takes none, and how busy
the real machine is has no part in it. Each runs under several schedules.

What it is written with means the same outside of a simulation, by the system's clock: there the same test may run in
real time (tests/judge/test_real_time.py).
"""

import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from scripts.pace import UNIT
from tests.simulation.replacements import fresh, simulation
from tests.simulation.schedules import Shuffled
from tests.simulation.world import World, here

SCHEDULES = 3
"""How many, where the mark does not say."""


def run(body: Callable[[], object], schedules: int = SCHEDULES) -> None:
    """Run it in one simulated machine after another; what it raises names the schedule."""
    with simulation():
        for seed in range(schedules):
            world = World(Shuffled(seed))

            def main() -> None:
                fresh()
                body()

            try:
                world.run(main)
            except BaseException as problem:
                problem.add_note(f"in a simulated machine, under Shuffled({seed}), at {world.time - 1000:.3f} s")
                raise


def now() -> float:
    """Seconds of the clock that the table reads."""
    world = here()
    return time.monotonic() if world is None else world.time


def sleep(seconds: float) -> None:
    """The calling thread waits."""
    world = here()
    if world is None:
        time.sleep(seconds)
    else:
        world.sleep(seconds)


def compute(seconds: float) -> None:
    """The calling thread computes in calls of C that do not let go of the interpreter."""
    world = here()
    if world is not None:
        world.compute(seconds)
        return
    switch = sys.getswitchinterval()
    sys.setswitchinterval(5)  # so that nothing interrupts it between two calls
    try:
        began = time.thread_time()
        while time.thread_time() - began < seconds:
            sum(range(10**7))
    finally:
        sys.setswitchinterval(switch)


def freeze(seconds: float) -> None:
    """The whole process stands still. Only in a simulated machine."""
    world = here()
    assert world is not None
    world.freeze(seconds)


def about(seconds: float) -> Any:
    """What a time has to equal: this exactly, or on a real machine this and what waking up may take."""
    if here() is not None:
        return pytest.approx(seconds, abs=1e-6)
    return pytest.approx(seconds + 2 * UNIT, abs=3 * UNIT)
