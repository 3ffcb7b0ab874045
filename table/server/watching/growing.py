"""A journal that is being written, as those see it who look on and may see everything."""

import json
from pathlib import Path
from typing import Any

from table.record import digest
from table.record.sealed import growing

_HEADER = b'{"jantaku"'


class Growing:
    """The lines of a journal as they come."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read = 0
        self._half = b""

    def news(self) -> list[bytes]:
        """The lines that were finished since the last call; none if the file is not there."""
        try:
            content = growing(self._path, self._read)
        except FileNotFoundError:  # not yet, or of a game that nobody sat down to
            return []
        self._read += len(content)
        *lines, self._half = (self._half + content).split(b"\n")
        return [line for line in lines if not line.startswith(digest.BEGINNING)]


def is_header(line: bytes) -> bool:
    """Whether a line is a journal's first."""
    return line.startswith(_HEADER)


def head_of(header: bytes, title: str = "") -> dict[str, Any]:
    """What people who look on are told of a game by its journal's first line."""
    told = json.loads(header)
    title = title or f"seed {told['seed']} game {told['number']}"
    head = {"title": title, "player": told["player"], "qijia": told["qijia"], "walls": told["walls"]}
    return {**head, "game": told["number"]}
