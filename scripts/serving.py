"""Starts commands and servers as a user does, checks what the user sees, and finds what they leave behind."""

import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO

import msgspec

ROOT = Path(__file__).parents[1]
DEFECT = 70
SHOWN = 1500
"""Characters of each stream in the evidence."""
OURS = re.compile(r"^Traceback \(most recent call last\)", re.MULTILINE)
"""A traceback of jantaku itself. A bot's traceback is part of a fault's report, and indented."""


class Failed(Exception):
    """What should hold does not. The text is the evidence."""


class Ran(msgspec.Struct, frozen=True):
    """A finished command. The checks return it, or raise Failed with what there was to see."""

    words: tuple[str, ...]
    code: int
    out: str
    err: str
    seconds: float

    def sound(self) -> "Ran":
        """Check for success, a failed check or bad input: no traceback, no defect, no escape sequence from foreign
        text."""
        if self.code not in (0, 1, 2):
            raise self.failed(f"exit code {self.code}")
        return self.clean()

    def clean(self) -> "Ran":
        """Check, for any exit code: no traceback, no defect, no control character that a terminal obeys."""
        if self.code == DEFECT or "a defect of jantaku itself" in self.err:
            raise self.failed("a defect of jantaku itself")
        if OURS.search(f"{self.err}\n{self.out}"):
            raise self.failed("a traceback")
        if found := sorted({char for char in self.out + self.err if _commands_a_terminal(char)}):
            raise self.failed(f"control characters {found!r} reach the terminal")
        return self

    def fine(self) -> "Ran":
        return self.with_code(0)

    def refused(self) -> "Ran":
        """Check for bad input: exit code 2, and one line for each mistake."""
        self.with_code(2)
        lines = self.err.strip().splitlines()
        if not lines or not all(line.startswith("jantaku: ") for line in lines):
            raise self.failed("not a line for each mistake")
        return self

    def with_code(self, *codes: int) -> "Ran":
        """Check for one of these exit codes, and that it is clean."""
        self.clean()
        if self.code not in codes:
            raise self.failed(f"exit code {self.code}, not {' or '.join(map(str, codes))}")
        return self

    def failed(self, what: str) -> Failed:
        streams = "".join(
            f"\n  {name}: {text.strip()[-SHOWN:]!r}" for name, text in (("stdout", self.out), ("stderr", self.err))
        )
        return Failed(f"{what}: jantaku {shlex.join(self.words)[:SHOWN]}{streams}")


def _commands_a_terminal(char: str) -> bool:
    return (char < " " and char not in "\n\r\t") or "\x7f" <= char <= "\x9f"


def start(
    *words: str,
    cwd: Path,
    env: Mapping[str, str | None] | None = None,
    python: Sequence[str] = (),
    before: Callable[[], None] | None = None,
) -> subprocess.Popen[bytes]:
    """Start it with three pipes, in this process group. `before` runs in the new process."""
    return subprocess.Popen(
        [sys.executable, *python, "-m", "jantaku", *words],
        cwd=cwd,
        env=environment(env or {}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=before,
    )


def environment(changes: Mapping[str, str | None]) -> dict[str, str]:
    """Return this process's environment with changes; the project can be imported from any folder."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    wanted = {**os.environ, "PYTHONPATH": path, **changes}
    return {name: value for name, value in wanted.items() if value is not None}


STARTING = 20.0
"""Seconds in which a server must be ready."""
ENDING = 5.0
"""Seconds in which it must end after Ctrl-C."""
_PORT = re.compile(r"(?:ws|http)://(\[[0-9a-f:]+\]|[\w.-]+):(\d+)")


class Serving:
    """`jantaku WORDS --port 0` (or `play WORDS`, which has no `--port`), from the line that names its address to
    Ctrl-C; a context manager.

    Leaving the context fails if the server has ended already, takes too long to end, or has printed a traceback.
    """

    def __init__(self, *words: str, cwd: Path, env: Mapping[str, str | None] | None = None) -> None:
        self._words = words if "--port" in words or words[0] == "play" else (*words, "--port", "0")
        self.process = start(*self._words, cwd=cwd, env=env)
        self._lines = {"out": list[str](), "err": list[str]()}
        self._arrived = threading.Condition()
        self._readers = [
            threading.Thread(target=self._read, args=(name, stream), daemon=True)
            for name, stream in (("out", self.process.stdout), ("err", self.process.stderr))
        ]
        for reader in self._readers:
            reader.start()
        self._stopped = False
        self.host, self.port = self._address()

    def __enter__(self) -> "Serving":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if error is not None:
            self.process.kill()
            self.process.wait()
        elif not self._stopped:
            self.stop()

    def at(self, path: str, scheme: str = "ws") -> str:
        return f"{scheme}://{self.host}:{self.port}{path}"

    def line(self, pattern: str, seconds: float) -> str:
        """Return the first line of output that matches. Failed if there is none in time."""
        until = time.monotonic() + seconds
        with self._arrived:
            while True:
                for line in self._lines["out"] + self._lines["err"]:
                    if re.search(pattern, line):
                        return line
                if not self._arrived.wait(max(0.0, until - time.monotonic())) and time.monotonic() >= until:
                    raise self.so_far().failed(f"no line with {pattern!r} after {seconds:g} s")

    def so_far(self) -> Ran:
        """Return the output so far; exit code 0 while it runs."""
        with self._arrived:
            out, err = ("".join(self._lines[name]) for name in ("out", "err"))
        return Ran(self._words, self.process.poll() or 0, out, err, 0.0)

    def stop(self, number: int = signal.SIGINT, code: int | None = None) -> Ran:
        """End it by a signal. Failed if it had ended before, or does not end in time, or ends badly."""
        if self.process.poll() is not None:
            raise self.so_far().failed(f"the server has ended by itself with {self.process.returncode}")
        self._stopped = True
        self.process.send_signal(number)
        try:
            self.process.wait(ENDING)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failed(f"the server is not gone {ENDING:g} s after signal {number}") from None
        for reader in self._readers:
            reader.join(ENDING)
        ran = self.so_far().clean()
        return ran if code is None else ran.with_code(code)

    def _address(self) -> tuple[str, int]:
        """Read the address from the first line; if the server refuses to start, its output is the evidence."""
        found = _PORT.search(self.line(_PORT.pattern, STARTING))
        assert found is not None
        return found[1], int(found[2])

    def _read(self, name: str, stream: IO[bytes] | None) -> None:
        assert stream is not None and self.process.stdin is not None
        with stream:
            for line in stream:
                with self._arrived:
                    self._lines[name].append(line.decode(errors="replace"))
                    self._arrived.notify_all()
        self.process.stdin.close()


# --- what is left behind

MARK = "JANTAKU_MARK"
"""Environment variable by which what a test starts is found again."""


def carrying(mark: str) -> Iterator[int]:
    """Yield the processes with this mark except this one; none without /proc. Zombies do not count."""
    wanted = f"{MARK}={mark}".encode()
    for entry in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):  # it ended just now, or belongs to another user
            if wanted in _environment(entry.parent).split(b"\0") and int(entry.parent.name) != os.getpid():
                yield int(entry.parent.name)


def _environment(process: Path) -> bytes:
    """Read the environment of a process. One that is about to run another program has none for a moment, nor any
    words, although the other program is there (kernel threads and zombies have no program): that moment is waited
    for."""
    until = time.monotonic() + 5
    while True:
        content = (process / "environ").read_bytes()
        if content or (process / "cmdline").read_bytes() or time.monotonic() > until:
            return content
        os.readlink(process / "exe")
        time.sleep(0.001)


def command_of(process: int) -> str:
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return "ended just now"
    return b" ".join(words).decode(errors="replace").strip()[:200]


def waited_for(mark: str, seconds: float) -> list[int]:
    """Return the processes that are still there after `seconds`."""
    until = time.monotonic() + seconds
    while (found := list(carrying(mark))) and time.monotonic() < until:
        time.sleep(0.05)
    return found


def end_all(mark: str) -> None:
    """Kill all of them, including those started meanwhile: a process on its way into another program may be overlooked
    once, so that none has to be found twice in a row."""
    until, none = time.monotonic() + 5, 0
    while none < 2 and time.monotonic() < until:
        found = list(carrying(mark))
        none = 0 if found else none + 1
        for process in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.01)
