"""What another process can see of this one while nothing runs in it: that it does not beat, and which thread computes.

A page of memory that both hold. No lock guards it: each number has one writer, and whoever reads looks again later.
"""

import contextlib
import mmap
import os
from pathlib import Path
from typing import Final

SLACK: Final = 10.0
"""Seconds without a beat beyond the longest time that any seat has, from which on nobody waits any longer."""
UNBOUNDED: Final = 60.0
"""The same where no clock runs: so long a single call may keep the interpreter's lock."""
SEATS: Final = 64
SIZE: Final = 1024
"""Bytes of the page at the least."""
_BEATS, _BOUND, _THREADS = 0, 1, 2
_COMPUTES, _FAR_MORE = 0.1, 4.0
"""A thread that is said to keep the lock takes at least so much of a core, and so many times as much as any other."""


class Vitals:
    """The page. `memory` is shared by who beats and who watches."""

    def __init__(self, memory: "mmap.mmap | memoryview") -> None:
        self.numbers = memoryview(memory).cast("B").cast("q")

    def beat(self) -> None:
        """The interpreter runs."""
        self.numbers[_BEATS] += 1

    def bound(self, seconds: float) -> None:
        """From so many seconds without a beat on nobody need wait; 0: nothing is played."""
        self.numbers[_BOUND] = int(seconds * 1000)

    def enter(self, seat: int, thread: int) -> None:
        """The thread of that native number is in the player of a seat."""
        self.numbers[_THREADS + seat % SEATS] = thread


class Watcher:
    """Watches the process `pid` by its vitals. `look` is called again and again."""

    def __init__(self, vitals: Vitals, pid: int) -> None:
        self._numbers, self._pid = vitals.numbers, pid
        self._seen, self._silent, self._stopped, self._looked = -1, 0.0, 0.0, 0.0
        self._computed: dict[int, float] = {}

    def look(self, at: float) -> bool:
        """Whether it has been silent for too long. Only time counts in which the watcher itself was awake, and in which
        the process was not stopped by a signal."""
        beats, bound = self._numbers[_BEATS], self._numbers[_BOUND] / 1000
        passed, self._looked = min(at - self._looked, 1.0), at
        if beats != self._seen or not bound:
            self._seen, self._silent, self._stopped, self._computed = beats, 0.0, 0.0, {}
        elif _is_stopped(self._pid):
            self._silent, self._stopped = 0.0, self._stopped + passed
        else:
            self._silent += passed
        if self._silent and not self._computed:
            self._computed = {seat: _cpu(self._pid, thread) for seat, thread in self._threads()}
        return bool(bound) and self._silent > bound

    @property
    def silent(self) -> float:
        """Seconds for which it has been silent."""
        return self._silent

    @property
    def stopped(self) -> float:
        """Seconds for which it has been stopped by a signal: 0 unless that is longer than any silence may be."""
        return self._stopped if self._stopped > self._numbers[_BOUND] / 1000 else 0.0

    def culprit(self) -> int | None:
        """The seat whose thread has computed all the time that the process was silent; None if none can be named."""
        grown = [(_cpu(self._pid, thread) - self._computed.get(seat, 0.0), seat) for seat, thread in self._threads()]
        (most, seat), (next_most, _) = sorted([*grown, (0.0, -1), (0.0, -1)], reverse=True)[:2]
        return seat if most > _COMPUTES * self._silent and most > _FAR_MORE * next_most else None

    def _threads(self) -> list[tuple[int, int]]:
        return [(seat, thread) for seat in range(SEATS) if (thread := self._numbers[_THREADS + seat])]


def _cpu(pid: int, thread: int) -> float:
    """Seconds of CPU that a thread of another process has used."""
    with contextlib.suppress(OSError, IndexError, ValueError):
        words = _stat(Path(f"/proc/{pid}/task/{thread}/stat"))
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _is_stopped(pid: int) -> bool:
    try:
        return _stat(Path(f"/proc/{pid}/stat"))[0] == "T"
    except (OSError, IndexError):
        return False


def _stat(path: Path) -> list[str]:
    """From the state on; a name before it may have blanks."""
    return path.read_text().rpartition(")")[2].split()
