"""What a program and all that it has started use: memory, processes, CPU time. Read from /proc."""

import contextlib
import math
import os
import threading
import time

TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
FRESH = 0.05
"""Seconds for which the list of processes is good enough to add up CPU time."""
_KIB = 1024


def cpu_of(process: int) -> float:
    """CPU seconds of one process with all its threads. OSError if it is no more."""
    return time.clock_gettime((~process << 3) | 2)  # as clock_getcpuclockid(3) makes it


class Tree:
    """The processes below `root`, wherever their groups and sessions are. For any thread."""

    def __init__(self, root: int) -> None:
        self.root = root
        self._lock = threading.Lock()
        self._last: dict[int, float] = {root: 0.0}
        """CPU seconds by process, of those that were there when we last looked."""
        self._gone = 0.0
        """CPU seconds of those that have ended since they were seen."""
        self._looked = 0.0
        self._threads = 0

    def processes(self) -> list[int]:
        """All of them, and none that is no more."""
        with self._lock:
            return self._look()

    def threads(self, most: int) -> int:
        """How many processes and threads there are. The walk ends beyond `most`: a bomb is faster than we look."""
        with self._lock:
            self._look(most)
            return self._threads

    def _look(self, most: float = math.inf) -> list[int]:
        found, waiting = [], [self.root]
        self._threads = 0
        while waiting and self._threads <= most:
            process = waiting.pop()
            try:
                threads = os.listdir(f"/proc/{process}/task")
            except OSError:  # ended meanwhile
                continue
            found.append(process)
            self._threads += len(threads)
            for thread in threads:
                with contextlib.suppress(OSError), open(f"/proc/{process}/task/{thread}/children", "rb") as file:
                    waiting.extend(map(int, file.read().split()))
        if waiting:  # not all of them were looked at
            return found
        for process in self._last.keys() - set(found):
            self._gone += self._last.pop(process)
        for process in found:
            self._last.setdefault(process, 0.0)
        self._looked = time.monotonic()
        return found

    def cpu(self, *, fresh: bool = False) -> float:
        """CPU seconds of all of them so far, with those that have ended as far as they were seen."""
        with self._lock:
            if fresh or time.monotonic() - self._looked > FRESH:
                self._look()
            for process in list(self._last):
                with contextlib.suppress(OSError):
                    self._last[process] = cpu_of(process)
            return self._gone + sum(self._last.values())


def memory_of(process: int) -> int:
    """Bytes that nobody but its family can have: anonymous, shared and swapped; 0 if it is no more. What is shared
    between two processes counts for both."""
    found = 0
    with contextlib.suppress(OSError), open(f"/proc/{process}/status", "rb") as file:
        for line in file:
            if line.startswith((b"RssAnon:", b"RssShmem:", b"VmSwap:")):
                found += int(line.split()[1]) * _KIB
    return found


def share_of(process: int) -> int:
    """The same with what is shared divided among those that share it. Slower."""
    found = 0
    try:
        with open(f"/proc/{process}/smaps_rollup", "rb") as file:
            for line in file:
                if line.startswith((b"Pss_Anon:", b"Pss_Shmem:", b"SwapPss:")):
                    found += int(line.split()[1]) * _KIB
    except OSError:
        return memory_of(process)
    return found
