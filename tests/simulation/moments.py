"""Time in the model: who goes on at which moment, which of them are the same, and what a stall gives back."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf

from jantaku.table.ground.port import Verdict
from jantaku.table.judge.timing import Clock
from tests.simulation.scripted import Part

SAME = 1e-6
"""Moments that are closer than these seconds are the same."""
BEAT, STALL, KEPT, MOST = 0.05, 0.1, 0.075, 0.6
"""Of the stall detector: seconds between two beats; without one that are a stall; of CPU in it, and their share, by
which a seat has caused it."""
Pause = tuple[str, float]


class Undecided(Exception):
    """Two moments of the script are the same that are more than a tie: the model does not tell what comes of it."""


class Ties:
    """The ways through all ties of a script, one after another."""

    def __init__(self) -> None:
        self._path: list[int] = []
        self._ways: list[int] = []
        self.told: list[str] = []

    def choose(self, what: str, ways: int = 2) -> int:
        at = len(self._ways)
        if at == len(self._path):
            self._path.append(0)
        self._ways.append(ways)
        self.told.append(f"{what}: {self._path[at]}")
        return self._path[at]

    def next(self) -> bool:
        """Begin the next way; False if there is none left."""
        del self._path[len(self._ways) :]
        while self._path and self._path[-1] + 1 == self._ways[len(self._path) - 1]:
            self._path.pop()
        self._ways, self.told = [], []
        if not self._path:
            return False
        self._path[-1] += 1
        return True


@dataclass
class Task:
    label: str
    allowed: float | None
    sent: float
    lent: float
    """What is in the bank as it begins."""
    steps: Iterator[Pause] = field(default_factory=lambda: iter(()))
    due: float = 0.0
    """When it goes on."""
    opened: float | None = None
    stalled: float = 0.0
    cpu: float = 0.0
    """Seconds of CPU since the last beat."""
    computed: float = 0.0
    """Seconds of CPU in all."""
    behind: float = 0.0
    """Seconds of its question that had passed when its seat came home."""
    stood: float = 0.0
    """And for how long all had stood still meanwhile."""


@dataclass
class Due:
    since: float
    allowed: float | None
    stalled: float = 0.0
    home: float | None = None
    """When the seat came home."""


@dataclass
class Sitting:
    number: int
    part: Part
    clock: Clock
    bank: float
    row: int = 0
    gone: str = ""
    """Why it is never asked again: `left` or `forfeit`."""
    late: bool = False
    task: Task | None = None
    due: Due | None = None
    heard: int = 0
    fault: Verdict | None = None
    """From hearing, charged to the next question."""
    asked: list[tuple[int, float | None, float]] = field(default_factory=list)
    stale: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    total: float = 0.0
    longest: float = 0.0
    chombos: int = 0

    @property
    def away(self) -> Task:
        assert self.task is not None
        return self.task

    @property
    def state(self) -> str:
        busy = "late" if self.late else "asked"
        return "gone" if self.gone else busy if self.task is not None else "idle"


class Moments:
    """The seats of a table, and the time that passes for them. What is done here is seen by the judge alone."""

    def __init__(self, sits: Sequence[Sitting], ties: Ties) -> None:
        self.sits, self.ties = sits, ties
        self.now = 0.0
        self._last = 0.0
        """When the detector's last beat was."""
        self._next = BEAT
        self._cpu = 0.0
        """Seconds of CPU since then."""
        self._moved = 0.0
        """When the judge last did anything."""

    def used(self, task: Task) -> float:
        if task.opened is None:
            return task.behind
        return task.behind + self.now - task.opened - (0.0 if task.allowed is None else task.stalled)

    def look(self, sit: Sitting) -> None:
        """The judge looks at a seat now. If its player comes back in this very tick, it has or has not."""
        while (task := sit.task) is not None and task.due <= self.now + SAME:
            if not self.ties.choose(f"seat {sit.number} comes back before it is looked at"):
                return
            self._go_on(sit)

    def until_home(self, sit: Sitting, until: float | None = None) -> bool:
        """The judge waits for a seat until its time is up, or until that moment; whether the seat is home."""
        home = self._waited(sit, until)
        self._moved = self.now
        return home

    def until_any(self, sits: Sequence[Sitting]) -> None:
        """The judge waits until one of these seats is home, or the time of the question that is due to it is up."""
        while all(sit.task is not None for sit in sits):
            first = min((one for one in self.sits if one.task is not None), key=lambda one: (one.away.due, one.number))
            ends = max(self.now, min(map(self.due_ends, sits)))
            if first.away.due < ends - SAME:
                self._go_on(first)
            elif ends < inf:
                self._pass(ends)
                break
            else:
                raise Undecided("the judge waits for ever")
        self._moved = self.now

    def due_ends(self, sit: Sitting) -> float:
        """When the time of the question is up that is due to a seat."""
        due = sit.due
        assert due is not None
        return inf if due.allowed is None else due.since + due.stalled + due.allowed + sit.clock.margin

    def _waited(self, sit: Sitting, until: float | None) -> bool:
        while sit.task is not None:
            first = min((one for one in self.sits if one.task is not None), key=lambda one: self._due(one, sit))
            ends = max(self.now, self._deadline(sit) if until is None else until)
            mine, due = self._due(sit, sit)[0], self._due(first, sit)[0]
            if mine < inf and abs(mine - ends) < SAME and due > ends - SAME:
                if self.ties.choose(f"seat {sit.number} comes back in the tick in which its time is up"):
                    self._pass(max(mine, ends))
                    return False
                self._go_on(sit)
            elif due < ends - SAME:
                self._go_on(first)
            elif ends < inf:
                self._pass(ends)
                return False
            else:
                raise Undecided("the judge waits for ever")
        return True

    def _due(self, sit: Sitting, waited: Sitting) -> tuple[float, bool, int]:
        due = max(self.now, sit.away.due)
        if waited.task is not None and abs(due - max(self.now, waited.task.due)) < SAME:
            due = max(self.now, waited.task.due)
        return due, sit is not waited, sit.number

    def _deadline(self, sit: Sitting) -> float:
        task = sit.away
        if task.allowed is None:
            return inf
        began = task.sent if task.opened is None else task.opened
        return began + task.stalled + task.allowed + sit.clock.margin - task.behind

    def _go_on(self, sit: Sitting) -> None:
        """A player does what comes next, until it waits again or is home."""
        task = sit.away
        self._pass(task.due)
        for word, seconds in task.steps:
            if word in ("freezes", "computes"):
                self._stand(sit, seconds, computes=word == "computes")
                seconds = 0.0
            task.due = self.now + seconds
            return
        sit.task, sit.late = None, False
        if sit.due is not None:
            sit.due.home = self.now

    def _pass(self, to: float) -> None:
        self.now = max(self.now, to)
        while self._next < self.now - SAME:
            self._beat(self._next)
        if abs(self._next - self.now) < SAME:
            self._beat(self._next)

    def _beat(self, at: float) -> None:
        self._last, self._next, self._cpu = at, at + BEAT, 0.0
        for sit in self.sits:
            if sit.task is not None:
                sit.task.cpu = 0.0

    def _stand(self, by: Sitting, seconds: float, *, computes: bool) -> None:
        """Nobody goes on for so long: the process stands still, or a seat holds the interpreter."""
        for sit in self.sits:
            if sit is not by and sit.task is not None and sit.task.due <= self.now + SAME:
                raise Undecided(f"seat {sit.number} goes on in the tick in which seat {by.number} stops all")
        if self._next - self.now < SAME or self.now - max(self._last, self._moved) < SAME:
            raise Undecided("all stops in the tick of a beat, or in one in which the judge does something")
        task, ends = by.away, self.now + seconds
        if computes:
            task.cpu += seconds
            task.computed += seconds
            self._cpu += seconds
        gap = ends - self._last
        if abs(gap - STALL) < SAME or abs(self._next - ends) < SAME:
            raise Undecided("all goes on in the tick of a beat, or it is hardly a stall")
        if gap > STALL:
            for sit in self.sits:
                if sit.task is not None:
                    self._give_back(sit, sit.task, ends)
        self.now = ends
        if self._next < ends:
            self._beat(ends)

    def _give_back(self, sit: Sitting, task: Task, ends: float) -> None:
        if task.allowed is None or (task.cpu >= KEPT and task.cpu >= MOST * self._cpu):
            return
        began = task.sent if task.opened is None else task.opened
        since = max(self._last, began if sit.due is None else sit.due.since)
        task.stalled += (back := max(0.0, ends - since - task.cpu))
        if sit.due is not None:
            sit.due.stalled += back
