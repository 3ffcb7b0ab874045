"""Drives a child process of the benchmark. Standard library only, because other engines' drivers import it, too.

A child warms up and prints a line with its build. Then, for every line with a number of seconds on its standard input,
it plays until that much CPU time is used, and prints the result, one JSON line each.
"""

import gc
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, TextIO


@dataclass(slots=True)
class BurstCount:
    """What was played: hanchan, turns and questions (0: not counted)."""

    hanchan: int = 0
    turns: int = 0
    questions: int = 0

    def add(self, other: "BurstCount") -> None:
        self.hanchan += other.hanchan
        self.turns += other.turns
        self.questions += other.questions


Play = Callable[[int], BurstCount]
"""Plays the hanchan with that number."""


def serve(play: Play, warm_up: int, build: str = "") -> None:
    """Play `warm_up` hanchan, then whatever the parent requests, until it closes the pipe. `build`: how the engine was
    built."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then closes the pipe
    out = _protocol()
    for number in range(warm_up):
        play(number)
    _say(out, {"build": build})
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
    _say(out, {"cpu": now - cpu, "wall": time.perf_counter() - wall, **asdict(done)})
    return number


def _say(out: TextIO, line: dict[str, Any]) -> None:
    print(json.dumps(line), file=out, flush=True)
