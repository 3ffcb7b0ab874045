"""Plays a small part of the judge in every order of its threads, up to a bound of preemptions.

`python -m pytest tests/simulation -m whole -s` prints a line for each part.
"""

import threading
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import NamedTuple

from tests.simulation.replacements import fresh
from tests.simulation.schedules import Schedule, Shuffled, every
from tests.simulation.world import World

_SHOWN = 60
"""Hand-overs of the baton that a failure shows at most, the last ones."""


class Part(NamedTuple):
    """Some threads, and what they may never come to: `main` raises if they do."""

    name: str
    promise: str
    main: Callable[[World], object]
    bound: int
    """Preemptions in a usual run of the tests."""
    whole: int
    """The same where all the time in the world is there."""
    within: tuple[ModuleType | Callable[..., object], ...] = ()
    """Modules in which a thread may be left at each line, functions in which it may be at each instruction. Elsewhere
    it may be at locks, waits, starts and clocks."""
    delays: bool = False
    """Whether the bounds are of delays, see `every`."""
    draws: int = 0
    """So many orders at random are played, too."""


def played(part: Part, schedule: Schedule) -> None:
    """Play the part once. What it raises tells how to repeat that, and the story."""
    world = World(schedule, within=part.within)
    world.told = []

    def main() -> None:
        fresh()
        part.main(world)

    try:
        world.run(main)
    except BaseException as problem:
        problem.add_note("\n".join([f"{part.name}, {schedule!r}:", *world.told[-_SHOWN:]]))
        raise


def explored(part: Part, bound: int) -> int:
    """How many orders there are with at most `bound` preemptions, all of which were played, and some at random."""
    for seed in range(part.draws):
        played(part, Shuffled(seed))
    count = 0
    for schedule in every(bound, delays=part.delays):
        played(part, schedule)
        count += 1
    return count


class Together:
    """Threads that run these tasks: all are there at once, and wait for nothing to begin."""

    def __init__(self, world: World, *tasks: Callable[[], object]) -> None:
        self._ends = []
        for task in tasks:
            self._ends.append(end := threading.Lock())
            end.acquire()
            world.start(partial(self._run, task, end))

    def _run(self, task: Callable[[], object], end: threading.Lock) -> None:
        task()
        end.release()

    def join(self) -> None:
        for end in self._ends:
            end.acquire()
