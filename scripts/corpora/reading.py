"""Reads collections of games: one JSON object per line, plain or gzip; its keys tell the format."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from jantaku.table.ground.errors import BadInput
from scripts.collected import reader_of, texts
from scripts.corpora import majiang, riichienv, tenhou
from scripts.corpora.record import GameRecord, Line, Skipped

_READERS: tuple[tuple[str, Callable[[Line], GameRecord | Skipped]], ...] = (
    ("xml", tenhou.read_game),
    ("paipu", majiang.read_game),
    ("steps", riichienv.read_game),
)
"""A key that only one format has, and that format's reader."""
Menus = Mapping[str, object]
_UNREADABLE = (json.JSONDecodeError, KeyError, TypeError, ValueError, IndexError, StopIteration, BadInput)


def read(path: Path, menus: Menus | None = None) -> Iterator[GameRecord | Skipped]:
    """Yield every record of a file, with its `menus` if they are given. BadInput names the file, and the line at
    fault."""
    for number, text in texts(path):
        yield _read_line(path, number, text, menus or {})


def menus_of(path: Path) -> Menus:
    """Read menus by the game's id from a collection of lines with `id` and `kyoku`. BadInput if it is none."""
    try:
        return {line["id"]: line["kyoku"] for line in (json.loads(text) for _, text in texts(path))}
    except _UNREADABLE as error:
        raise BadInput(f"{path}: no collection of menus ({type(error).__name__}: {error})") from error


def _read_line(path: Path, number: int, text: str, menus: Menus) -> GameRecord | Skipped:
    try:
        line = json.loads(text)
        if isinstance(line, dict) and line.get("id") in menus:
            line["menus"] = menus[line["id"]]
        return reader_of(line, _READERS)(line)
    except _UNREADABLE as error:
        raise BadInput(
            f"{path}, line {number}: not a game that this command reads ({type(error).__name__}: {error})"
        ) from error
