"""The memory, processes and CPU time that a program and all its descendants use. Read from /proc."""

import contextlib
import math
import os
import threading

from jantaku.table.ground.clock import cpu_of_process, now

TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
FRESH = 0.05
"""Seconds for which a list of processes is recent enough to add up CPU time."""
_KIB = 1024
_PIECE = 1 << 14


class Tree:
    """The processes below `root`, whatever their groups and sessions. For any thread."""

    def __init__(self, root: int) -> None:
        self.root = root
        self._lock = threading.Lock()
        self._last: dict[int, float] = {root: 0.0}
        """By process, its CPU seconds at the last look."""
        self._gone = 0.0
        """CPU seconds of processes that were seen and have ended since."""
        self._looked = 0.0

    def look(self, most: float = math.inf) -> tuple[list[int], int]:
        """Return all processes that still exist, and the number of threads. The walk stops beyond `most`, as a fork
        bomb is faster than the walk."""
        with self._lock:
            return self._look(most)

    def _look(self, most: float = math.inf) -> tuple[list[int], int]:
        found, waiting, count = list[int](), [self.root], 0
        while waiting and count <= most:
            process = waiting.pop()
            try:
                threads = os.listdir(f"/proc/{process}/task")
            except OSError:  # ended meanwhile
                continue
            found.append(process)
            count += len(threads)
            for thread in threads:
                with contextlib.suppress(OSError):
                    waiting.extend(map(int, _read(f"/proc/{process}/task/{thread}/children").split()))
        if waiting:  # the walk stopped early
            return found, count
        for process in self._last.keys() - set(found):
            self._gone += self._last.pop(process)
        for process in found:
            self._last.setdefault(process, 0.0)
        self._looked = now()
        return found, count

    def cpu(self, *, fresh: bool = False) -> float:
        """CPU seconds of all processes so far; of ended ones, as far as they were seen."""
        with self._lock:
            if fresh or now() - self._looked > FRESH:
                self._look()
            for process in list(self._last):
                with contextlib.suppress(OSError):
                    self._last[process] = cpu_of_process(process)
            return self._gone + sum(self._last.values())


def memory_of(process: int) -> int:
    """Bytes of memory that belong to a process: anonymous, shared and swapped; 0 if it has ended. Memory shared by two
    processes counts for both."""
    return _sum(f"/proc/{process}/status", (b"RssAnon:", b"RssShmem:", b"VmSwap:")) or 0


def share_of(process: int) -> int:
    """The same, with shared memory divided among the processes that share it. Slower."""
    found = _sum(f"/proc/{process}/smaps_rollup", (b"Pss_Anon:", b"Pss_Shmem:", b"SwapPss:"))
    return memory_of(process) if found is None else found


def _sum(path: str, words: tuple[bytes, ...]) -> int | None:
    """The sum in bytes of the lines that begin with these words; None if the file cannot be read."""
    try:
        lines = _read(path).splitlines()
    except OSError:
        return None
    return sum(int(line.split()[1]) * _KIB for line in lines if line.startswith(words))


def _read(path: str) -> bytes:
    """Read a file of /proc. This happens forty times a second for every thread, and a file object would take three
    times as long."""
    file = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    try:
        text = b""
        while piece := os.read(file, _PIECE):
            text += piece
        return text
    finally:
        os.close(file)
