"""What a test sees of other processes, and how it waits for what they or other threads do."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.kit.pace import SOON


def wait_until(condition: Callable[[], object]) -> None:
    """Wait for what others are about to bring on. AssertionError if they do not."""
    until = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.005)


def state_of(pid: int) -> str:
    """The letter of a process's state; nothing where there is no such process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


def runs(pid: int) -> bool:
    """Whether it runs: one that has ended may wait for somebody who takes note of it."""
    return state_of(pid) not in ("", "Z")


def child_of(pid: int) -> int:
    """The first process that a process has started."""
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


def run_python(program: str, *words: str, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """A program in a Python of its own, once it has ended."""
    return subprocess.run([sys.executable, "-c", program, *words], cwd=cwd, capture_output=True, text=True, check=False)
