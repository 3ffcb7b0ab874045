"""Tests marked `simulated` run in a simulated machine: waiting takes no real time, work takes no simulated time, and
the load of the real machine has no effect. Each runs under several schedules.

The functions here mean the same outside of a simulation, by the system's clock: so a test can also run in real time
(tests/judge/test_real_time.py).
"""

import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.kit.pace import UNIT
from tests.simulation.replacements import fresh, simulation
from tests.simulation.schedules import Shuffled
from tests.simulation.world import World, here

SCHEDULES = 3
"""Default number of schedules."""


def run(body: Callable[[], object], schedules: int = SCHEDULES) -> None:
    """Run the test in one simulated machine after another; an error names the schedule."""
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
    world = here()
    return time.monotonic() if world is None else world.time


def sleep(seconds: float) -> None:
    world = here()
    if world is None:
        time.sleep(seconds)
    else:
        world.sleep(seconds)


def compute(seconds: float) -> None:
    """Let the calling thread compute in C calls that do not release the interpreter's lock."""
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
    """Stop the whole process for a while. Only in a simulated machine."""
    world = here()
    assert world is not None
    world.freeze(seconds)


def about(seconds: float) -> Any:
    """Return what a measured time must equal: exactly `seconds`, or on a real machine `seconds` and the time for waking
    up."""
    if here() is not None:
        return pytest.approx(seconds, abs=1e-6)
    return pytest.approx(seconds + 2 * UNIT, abs=3 * UNIT)
