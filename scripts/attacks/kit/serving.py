"""Starts a server as a user does, and checks how it ends."""

import re
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import IO

from scripts.attacks.kit.attack import Failed
from scripts.attacks.kit.command import Ran, start

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
        self.host, self.port = self._address()

    def __enter__(self) -> "Serving":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        if error is not None:
            self.process.kill()
            self.process.wait()
        else:
            self.stop()

    def at(self, path: str, scheme: str = "ws") -> str:
        """Return the URL of a path."""
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
