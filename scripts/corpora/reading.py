"""Reads collections of games: one JSON object a line, plain or gzip. The format is told from the keys."""

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from scripts.corpora import majiang, riichienv, tenhou
from scripts.corpora.record import GameRecord, Line, Skipped
from table.errors import BadInput

_READERS: tuple[tuple[str, Callable[[Line], GameRecord | Skipped]], ...] = (
    ("xml", tenhou.read_game),
    ("paipu", majiang.read_game),
    ("steps", riichienv.read_game),
)
"""A key that only this format has, and its reader."""
_UNREADABLE = (json.JSONDecodeError, KeyError, TypeError, ValueError, IndexError, StopIteration, BadInput)


def read(path: Path) -> Iterator[GameRecord | Skipped]:
    """Every record of a file. BadInput names the file, and the line if it is one line's fault."""
    opener: Callable[..., Any] = gzip.open if path.suffix == ".gz" else open
    number = 0
    try:
        with opener(path, "rt", encoding="utf-8") as lines:
            for number, text in enumerate(lines, start=1):
                yield _read_line(path, number, text)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror or error})") from error
    except (EOFError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: broken after line {number} ({error})") from error


def _read_line(path: Path, number: int, text: str) -> GameRecord | Skipped:
    try:
        line = json.loads(text)
        return _reader(line)(line)
    except _UNREADABLE as error:
        raise BadInput(
            f"{path}, line {number}: not a game that this command reads ({type(error).__name__}: {error})"
        ) from error


def _reader(line: Line) -> Callable[[Line], GameRecord | Skipped]:
    for key, reader in _READERS:
        if key in line:
            return reader
    raise ValueError(f"unknown keys {', '.join(sorted(line))}")
