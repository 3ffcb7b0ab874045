"""A journal's lines, for every game: one JSON object each, the header first.

A kill loses at most the turn that is being written. Readers ignore an incomplete last line.
"""

import codecs
import gzip
import os
import zlib
from pathlib import Path
from typing import Any

import msgspec

from jantaku.table.ground.disk import no_remains
from jantaku.table.ground.errors import BadInput, OtherGame
from jantaku.table.ground.foreign.files import opened

FORMAT = 2
"""Version of the journal's format; docs/records.md says what changed. Readers refuse a newer one."""

Line = dict[str, Any]


class Head(msgspec.Struct, frozen=True):
    """The fields that every game's header begins with: the format, the program, the game and its rules."""

    jantaku: int
    version: str
    game: str
    rules: dict[str, Any]
    seed: str
    number: int


LARGEST = 256 << 20
"""The largest record in bytes, unpacked. A hanchan has some 100,000; decompression stops at this size."""


def content_of(path: Path) -> bytes:
    """Return the content of a file, decompressed if it is gzip, without a byte order mark; FILE#2 is the second of
    several games in an array, as 電脳麻将 saves them. Raises BadInput if it cannot be read or is larger than
    `LARGEST`."""
    path, number = _file_and_number(path)
    content = _whole(path)
    games = _games(content)
    if number is None and len(games) > 1:
        raise BadInput(f"{path}: it holds {len(games)} games; name one of them, {path}#1 to {path}#{len(games)}")
    if number is not None and not 0 < number <= len(games):
        raise BadInput(f"{path}: there is no game {number} in it; it holds {len(games) or 'one record'}")
    return games[(number or 1) - 1] if games else content


def games_in(path: Path) -> list[Path]:
    """Return what to read of a file: itself, or FILE#1, FILE#2, … where it holds several games."""
    with opened(_file_and_number(path)[0]) as file:
        start = file.read(1 << 16).lstrip()
    several = start[:1] in (b"[", b"\x1f", b"\xef") or b'"log"' in start  # packed, or behind a mark
    if not several or _file_and_number(path)[1] is not None:
        return [path]
    numbers = range(1, len(_games(_whole(path))) + 1)
    return [path.with_name(f"{path.name}#{number}") for number in numbers] if len(numbers) > 1 else [path]


def _file_and_number(path: Path) -> tuple[Path, int | None]:
    name, _, number = path.name.rpartition("#")
    if not name or not number.isdecimal() or path.exists():
        return path, None
    return path.with_name(name), int(number)


def _games(content: bytes) -> list[bytes]:
    """The games of an array, or of a file with one a line; empty for any other file, as one with mjai events."""
    start = content.lstrip()[:1]
    try:
        if start == b"{" and b'"log"' in content.lstrip().partition(b"\n")[0] and is_one_a_line(content):
            found = [line for line in content.splitlines() if line.strip()]
        else:
            found = (
                [bytes(one) for one in msgspec.json.decode(content, type=list[msgspec.Raw])] if start == b"[" else []
            )
        first = from_json(found[0]) if found else None
    except (ValueError, RecursionError):
        return []
    return found if isinstance(first, dict) and "log" in first else []


def is_one_a_line(content: bytes) -> bool:
    """Whether the first two lines of a file are a JSON value each."""
    lines = content.strip().split(b"\n", 2)[:2]
    try:
        return len([from_json(line) for line in lines]) > 1
    except ValueError:
        return False


def _whole(path: Path) -> bytes:
    with opened(path) as file:
        packed = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        try:
            content = (gzip.GzipFile(fileobj=file) if packed else file).read(LARGEST + 1)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise BadInput(f"{path}: packed, and not whole: {error}") from error
    if len(content) > LARGEST:
        raise BadInput(f"{path}: too large for a record: more than {LARGEST >> 20} MiB{' unpacked' * packed}")
    return content.removeprefix(codecs.BOM_UTF8)


def from_json(text: bytes | str) -> Any:
    """Parse JSON. Raises ValueError for anything else, including NaN, lone surrogates and excessive nesting."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ValueError(str(error)) from None


def game_in(content: bytes) -> str | None:
    """The game that the first line of a journal names; None if the content does not begin like a journal."""
    try:
        first = from_json(content.partition(b"\n")[0])
    except ValueError:
        return None
    game = first.get("game") if isinstance(first, dict) else None
    return game if isinstance(game, str) else None


def refuse_other(path: Path | str, content: bytes, game: str) -> None:
    """Raise OtherGame for the journal of another game."""
    if (named := game_in(content)) not in (None, game):
        raise OtherGame(str(named), str(path))


def is_ours(content: bytes) -> bool:
    """Whether a file begins like a journal of ours, of any game."""
    try:
        first = from_json(content.partition(b"\n")[0])
    except ValueError:
        return False
    return isinstance(first, dict) and "rules" in first and "log" not in first


def read_lines(path: Path, content: bytes) -> list[Line]:
    """Return the lines of a journal, the header first. Raises BadInput, with the line, for anything that is not a
    journal."""
    *lines, _half = content.split(b"\n")
    found: list[Line] = []
    for number, line in enumerate(lines, 1):
        try:
            item = from_json(line)
        except ValueError:
            raise BadInput(f"{path} line {number}: broken, not JSON") from None
        if not isinstance(item, dict):
            raise BadInput(f"{path} line {number}: not a JSON object")
        found.append(item)
    if not found:
        raise BadInput(f"{path}: the header line is missing")
    written = found[0].get("jantaku")
    if type(written) is not int or written < 1:
        said = "missing" if written is None else msgspec.json.encode(written).decode()[:40]
        raise BadInput(f"{path} line 1: jantaku is {said}; it is the format's number, from 1 to {FORMAT}")
    if written > FORMAT:
        raise BadInput(f"{path}: written in format {written}; this jantaku reads up to {FORMAT}")
    return found


def write_whole(path: Path, content: bytes) -> None:
    """Write a file atomically: it appears complete or not at all. Never replaces a file: BadInput if it exists, or if
    the disk refuses."""
    if os.path.lexists(path):  # do not write through a dangling link either
        raise BadInput(f"{path} exists already; nothing was overwritten")
    part = path.with_name(path.name + ".part")
    try:
        with no_remains(part):
            part.write_bytes(content)
            os.replace(part, path)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError) and not path.parent.exists()
        why = f"there is no folder {path.parent}" if missing else error.strerror
        raise BadInput(f"{path} cannot be written: {why}") from error
