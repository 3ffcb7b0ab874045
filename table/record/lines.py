"""A journal's lines whatever the game: one JSON object each, the header first.

A kill loses at most the turn that is being written. Whoever reads takes half a last line as not there.
"""

import json
import os
from pathlib import Path
from typing import Any

import msgspec

from table.errors import BadInput
from table.record.writing import Journal as Journal

FORMAT = 1
"""Version of the journal's format. Readers refuse a newer one."""

Line = dict[str, Any]


class Head(msgspec.Struct, frozen=True):
    """What the first line of every game's journal begins with: the format, the program, the game and its rules."""

    jantaku: int
    version: str
    game: str
    rules: dict[str, Any]
    seed: str
    number: int


def read_lines(path: Path, content: bytes) -> list[Line]:
    """The lines of a journal, the header first. BadInput with the line for what is none of ours."""
    *lines, _half = content.split(b"\n")
    found: list[Line] = []
    for number, line in enumerate(lines, 1):
        try:
            item = json.loads(line)
        except ValueError:
            raise BadInput(f"{path} line {number}: broken, not JSON") from None
        if not isinstance(item, dict):
            raise BadInput(f"{path} line {number}: not a JSON object")
        found.append(item)
    if not found:
        raise BadInput(f"{path}: the header line is missing")
    if found[0].get("jantaku", 0) > FORMAT:
        raise BadInput(f"{path}: written in format {found[0]['jantaku']}; this jantaku reads up to {FORMAT}")
    return found


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that is there complete or not at all. Raises BadInput; never replaces a file."""
    if path.exists():
        raise BadInput(f"{path} exists already; nothing was overwritten")
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(content)
        os.replace(part, path)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from error
