"""In which order threads run: at random by a seed, by priorities, or every order in turn."""

import random
from collections.abc import Iterator, Sequence
from typing import Any, Protocol


class Schedule(Protocol):
    def choose(self, running: int | None, ready: Sequence[Any]) -> int:
        """The place in `ready` of the thread that goes on. `running` is the place of the one that has run so far, None
        if it waits or is over."""


class Shuffled:
    """Any thread that can run is as likely as another, wherever the running one is to be left at all."""

    def __init__(self, seed: int, stay: float = 0.5) -> None:
        self._seed = seed
        self._chance = random.Random(seed)
        self._stay = stay

    def choose(self, running: int | None, ready: Sequence[Any]) -> int:
        if running is not None and self._chance.random() < self._stay:
            return running
        return self._chance.randrange(len(ready))

    def __repr__(self) -> str:
        return f"Shuffled({self._seed}, {self._stay})"


class Priorities:
    """Each thread has a random priority, and the highest runs. At `changes` random points among the first `length` the
    running thread falls behind all others (PCT, Burckhardt et al. 2010). A fault that needs as many changes is found
    with a known probability."""

    def __init__(self, seed: int, changes: int = 3, length: int = 400) -> None:
        self._chance = random.Random(seed)
        self._priorities: dict[int, float] = {}
        self._changes = {self._chance.randrange(length) for _ in range(changes)}
        self._lowest = 0.0
        self._at = 0

    def choose(self, running: int | None, ready: Sequence[Any]) -> int:
        for fiber in ready:
            if fiber.number not in self._priorities:
                self._priorities[fiber.number] = self._chance.random()
        if self._at in self._changes and running is not None:
            self._lowest -= 1.0
            self._priorities[ready[running].number] = self._lowest
        self._at += 1
        return max(range(len(ready)), key=lambda place: self._priorities[ready[place].number])


class Branching:
    """One path through the tree of all orders: it follows `path`, and beyond it takes the first way everywhere."""

    def __init__(self, path: list[int], bound: int, delays: bool = False) -> None:
        self.path = path
        self.ways: list[list[int]] = []
        """By choice, the places that could be chosen."""
        self._bound = bound
        self._delays = delays
        self._spent = 0

    def choose(self, running: int | None, ready: Sequence[Any]) -> int:
        at = len(self.ways)
        others = [place for place in range(len(ready)) if place != running]
        first = [] if running is None else [running]
        costs = self._delays or running is not None
        ways = first + others
        if costs and self._spent >= self._bound:
            del ways[1:]
        self.ways.append(ways)
        if at == len(self.path):
            self.path.append(0)
        chosen = ways[self.path[at]]
        if costs and chosen != ways[0]:
            self._spent += 1
        return chosen

    def __repr__(self) -> str:
        way = self.path[: max((at + 1 for at, place in enumerate(self.path) if place), default=0)]
        return f"Branching({way}, {self._bound}, {self._delays})"


def every(bound: int, *, delays: bool = False) -> Iterator[Schedule]:
    """Each order in which a running thread is left for another at most `bound` times where it could go on. With
    `delays` also another choice than the first of those that can run counts, where the running one waits or is over
    (Emmi et al. 2011): far fewer for many threads. The next one is asked for when the last was played to its end."""
    path: list[int] = []
    while True:
        schedule = Branching(path, bound, delays)
        yield schedule
        path = path[: len(schedule.ways)]
        while path and path[-1] + 1 == len(schedule.ways[len(path) - 1]):
            path.pop()
        if not path:
            return
        path[-1] += 1
