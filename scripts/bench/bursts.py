"""Drives a child process of the benchmark. Standard library only, because other engines' drivers import it, too.

A child warms up and prints a line with its counts. Then, for every line with a number of seconds on its standard input,
it plays until that much CPU time is used, and prints the result, one JSON line each.
"""

import gc
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, TextIO


@dataclass(slots=True)
class BurstCount:
    """What was played: hanchan, turns, questions, and options offered in them (0: not counted)."""

    hanchan: int = 0
    turns: int = 0
    questions: int = 0
    options: int = 0

    def add(self, other: "BurstCount") -> None:
        """Add another count to this one."""
        self.hanchan += other.hanchan
        self.turns += other.turns
        self.questions += other.questions
        self.options += other.options


Play = Callable[[int], BurstCount]
"""Plays the hanchan with that number."""


def serve(play: Play, warm_up: int, counting: Play | None = None, build: str = "") -> None:
    """Play `warm_up` hanchan, then whatever the parent requests, until it closes the pipe.

    `counting` plays like `play` and counts what `play` has no time to count; only its counts are reported. `build`, how
    the engine was built, is reported as well, and so is the memory held until then.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then closes the pipe
    out = _protocol()
    counted = BurstCount()
    for number in range(warm_up):
        done = play(number)
        counted.add(done if counting is None else counting(number))
    _say(out, {**asdict(counted), "build": build, "rss_mib": peak()})
    number = 0
    for line in sys.stdin:
        number = _burst(out, play, number, float(line))


def _protocol() -> TextIO:
    """Return the stream that the parent reads. Whatever an engine prints goes to stderr from now on."""
    out = os.fdopen(os.dup(1), "w")
    sys.stdout.flush()
    os.dup2(2, 1)
    return out


def _burst(out: TextIO, play: Play, number: int, seconds: float) -> int:
    """Play from hanchan `number` on until `seconds` of CPU time are used; return the number of the next one."""
    gc.collect()
    done = BurstCount()
    wall, cpu = time.perf_counter(), time.process_time()
    until = cpu + seconds
    while True:
        done.add(play(number))
        number += 1
        if (now := time.process_time()) >= until:
            break
    used = {"cpu": now - cpu, "wall": time.perf_counter() - wall}
    _say(out, {**used, **asdict(done), "rss_mib": peak()})
    return number


def peak() -> float:
    """Return the peak memory of this process in MiB. `getrusage` would include what the parent held before exec."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) / 1024
    except (OSError, StopIteration):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _say(out: TextIO, line: dict[str, Any]) -> None:
    print(json.dumps(line), file=out, flush=True)
