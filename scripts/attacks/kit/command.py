"""Runs the command `jantaku` as a user does, with a bound, and checks what the user sees."""

import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NoReturn

import msgspec

from jantaku.__main__ import run
from scripts.attacks.kit.attack import Failed

ROOT = Path(__file__).parents[3]
DEFECT = 70
MEMORY = 3 << 30
"""Most bytes that a command may use to read something hostile."""
SHOWN = 1500
"""Characters of each stream in the evidence."""
OURS = re.compile(r"^Traceback \(most recent call last\)", re.MULTILINE)
"""A traceback of jantaku itself. A bot's traceback is part of a fault's report, and indented."""


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
        """Check for exit code 0."""
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
        """Make the evidence."""
        streams = "".join(
            f"\n  {name}: {text.strip()[-SHOWN:]!r}" for name, text in (("stdout", self.out), ("stderr", self.err))
        )
        return Failed(f"{what}: jantaku {shlex.join(self.words)[:SHOWN]}{streams}")


def _commands_a_terminal(char: str) -> bool:
    return (char < " " and char not in "\n\r\t") or "\x7f" <= char <= "\x9f"


def jantaku(
    *words: str | Path,
    cwd: Path,
    seconds: float = 60.0,
    env: Mapping[str, str | None] | None = None,
    stdin: bytes = b"",
    python: Sequence[str] = (),
) -> Ran:
    """Run it to its end. Failed if it takes more than `seconds`. `env`: changes of the environment; None removes a
    variable."""
    given = tuple(map(str, words))
    began = time.monotonic()
    process = start(*given, cwd=cwd, env=env, python=python)
    try:
        out, err = process.communicate(stdin, seconds)
    except subprocess.TimeoutExpired as late:
        process.kill()
        raise Failed(f"not over after {seconds:g} s: jantaku {shlex.join(given)[:SHOWN]}") from late
    taken = time.monotonic() - began
    return Ran(given, process.returncode, out.decode(errors="replace"), err.decode(errors="replace"), taken)


def forked(*words: str | Path, cwd: Path, seconds: float = 60.0, interrupt_at: bytes = b"") -> Ran:
    """Do the same in a fork of this process, which need not import anything: for rows by the hundred. The process must
    have no threads. Use `jantaku` for anything that depends on the start of the interpreter. Ctrl-C is sent when
    `interrupt_at` is printed."""
    given = tuple(map(str, words))
    began = time.monotonic()
    out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115 -- closed with this frame
    child = os.fork()
    if child == 0:
        _become(given, cwd, out.fileno(), err.fileno())
    until = began + seconds
    while (ended := os.waitpid(child, os.WNOHANG))[0] == 0:
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise Failed(f"not over after {seconds:g} s: jantaku {shlex.join(given)[:SHOWN]}")
        if interrupt_at and interrupt_at in os.pread(out.fileno(), 1 << 16, 0):
            os.kill(child, signal.SIGINT)
            interrupt_at = b""
        time.sleep(0.002)
    texts = [os.pread(stream.fileno(), 1 << 24, 0).decode(errors="replace") for stream in (out, err)]
    return Ran(given, os.waitstatus_to_exitcode(ended[1]), texts[0], texts[1], time.monotonic() - began)


def _become(words: tuple[str, ...], cwd: Path, out: int, err: int) -> NoReturn:
    """Behave like `python -m jantaku WORDS` from here on, to the end of the interpreter."""
    code = 1
    try:
        with open(os.devnull, "rb") as nothing:
            for stream, number in ((nothing.fileno(), 0), (out, 1), (err, 2)):
                os.dup2(stream, number)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
        os.chdir(cwd)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        sys.argv, sys.path[0:0] = ["jantaku", *words], [str(cwd)]
        run()
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 0 if left.code is None else 1
    except BaseException:
        traceback.print_exc()
    finally:
        threading._shutdown()  # type: ignore[attr-defined] # as the interpreter does: threads that are no daemons
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def start(
    *words: str,
    cwd: Path,
    env: Mapping[str, str | None] | None = None,
    python: Sequence[str] = (),
    before: Callable[[], None] | None = None,
) -> subprocess.Popen[bytes]:
    """Start it with three pipes, in the attack's process group. `before` runs in the new process."""
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
