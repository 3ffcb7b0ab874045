"""Prints measurements as they come: one JSON line each, or tables for people."""

import json
from typing import Any

import msgspec
from rich.console import Console, RenderableType

Line = dict[str, Any]


class Part(msgspec.Struct):
    """The result of one part of a run, as JSON objects and as something that rich can print."""

    lines: list[Line]
    shown: RenderableType


class Output:
    """Standard output. Progress notes go to stderr."""

    def __init__(self, as_json: bool) -> None:
        self._json = as_json
        self._console = Console(width=None if Console().is_terminal else 110)
        self._notes = Console(stderr=True, highlight=False)

    def show(self, part: Part) -> None:
        """Print a finished part."""
        if self._json:
            for line in part.lines:
                print(json.dumps(line, ensure_ascii=False), flush=True)
        else:
            self._console.print(part.shown, soft_wrap=isinstance(part.shown, str), highlight=False)

    def note(self, text: str) -> None:
        """Print a progress note."""
        self._notes.print(f"bench: {text}", markup=False, soft_wrap=True)
