"""A journal's lines, for every game: one JSON object each, the header first.

A kill loses at most the turn that is being written. Readers ignore an incomplete last line.
"""

import codecs
import gzip
import os
import re
import zlib
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from jantaku.table.ground.disk import no_remains
from jantaku.table.ground.errors import BadInput, OtherGame
from jantaku.table.ground.foreign.files import opened
from jantaku.table.records.journal import lines
from jantaku.table.riichi.pieces.wall import School

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


# The folder of a match or tournament: its plan file, and beside it the folder of its records.


# The first line of the journal of a riichi game.


# The answers in a journal: their shape, and the checks that all games share.


# The folder of a match or tournament: its plan file, and beside it the folder of its records.

RECORDS = "records"
"""The folder of records in a match's folder."""
KINDS = ("match", "tournament")
"""What a folder may hold."""


def plan_name(kind: str) -> str:
    """Return the name of the plan file of a kind."""
    return f"{kind}.json"


PLANS = frozenset(map(plan_name, KINDS))
"""The names of plan files."""


Format = Literal["journal", "paifu", "2015", "mjai", "tenhou6"]
"""A format that is read and written."""
ENDINGS: tuple[tuple[str, Format], ...] = (
    (".mjai.jsonl", "mjai"),
    (".mjai.json", "mjai"),
    (".mjson", "mjai"),
    (".tenhou6.json", "tenhou6"),
    (".2015.json", "2015"),
    (".jsonl", "journal"),
    (".json", "paifu"),
)
"""Formats by the ending of a file name; the first match counts."""
REVIEWS = ".review.jsonl"
"""The ending of reviews: commands that look for records in a folder skip them."""

# The first line of the journal of a riichi game.

DERIVED = re.compile(r"game-[0-9a-f]{32}\.(?P<bots>[0-9a-f]{32})")
"""The seed of a game in a run whose seed was not chosen: see `jantaku.table.play.seeds`."""
GAME = "riichi"
"""The value of `game` in the header of such a journal."""
Players = Annotated[tuple[str, ...], Meta(min_length=3, max_length=4)]
"""Names by player."""


class Header(lines.Head, frozen=True):
    """The first line: what is needed to play the game again."""

    player: Players
    qijia: int
    walls: School = "shared"
    """How draws go: from one wall that all seats share, or from a wall for each seat."""
    driven: bool = False
    """Whether the game began from another record: the seed does not give its walls."""
    commit: str | UnsetType = UNSET
    """The commitment to the seed, see `sealed.py`. Journals of format 1 have none."""
    sealed: bool | UnsetType = UNSET
    """Whether this is only the public part: the game is not over."""
    title: str | UnsetType = UNSET
    """The title of the game and, in a second line, when it was played, if these were given."""


def titled(title: str, date: str, seed: str | None, number: int) -> str:
    """Build a title from its two lines. Without `title` it names the seed, if that is known and was chosen by a
    person."""
    of_seed = "" if seed is None or DERIVED.fullmatch(seed) else f" seed {seed}"
    named = title or ("" if seed is None else f"jantaku{of_seed} game {number}")
    return f"{named}\n{date}" if date else named
