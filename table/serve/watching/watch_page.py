"""Starts the viewer of running games (`onlookers.py`) in a process of its own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

import websockets  # noqa: F401  the other process needs it, and this one says where it is missing

from jantaku.table.ground.errors import BadInput, TableFault
from jantaku.table.ground.installation import search_path


class WatchPage:
    """The viewer of the games in `folder`, all of the kind `game`, as a process of its own; a context manager. BadInput
    if the port cannot be had (0: any free one). TableFault if it does not start.

    At the end of the block it ends, after all onlookers have received everything.
    """

    def __init__(self, folder: Path, port: int, game: str = "riichi") -> None:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(search_path())}
        command = [sys.executable, "-P", "-m", "jantaku.table.serve.watching.onlookers", str(folder), str(port), game]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._end()
            raise TableFault("the viewer of running games did not start; what it said stands above")
        told = json.loads(line)
        if "error" in told:
            self._end()
            raise BadInput(f"--watch-port: {told['error']}")
        self.address: str = told["address"]
        """The page's URL, with its secret."""
        self.pid = self._process.pid

    def wait(self) -> None:
        """Wait for Ctrl-C, or for the process to end by itself, which it should not."""
        self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end()

    def _end(self) -> None:
        with self._process:  # closes both pipes, then waits
            pass
