"""A journal's lines, for every game: one JSON object each, the header first.

A kill loses at most the turn that is being written. Readers ignore an incomplete last line.

The header of a journal, and the names in the folder of a match.

The lines of a riichi journal as typed values: one definition for everything that counts or replays journals.

`read.load` reads a whole record, with every tile. This reads only the answers, and what figures are counted from, which
is several times as fast.
"""

import codecs
import gzip
import math
import os
import re
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from jantaku.table.ground.disk import no_remains
from jantaku.table.ground.errors import BadInput, OtherGame
from jantaku.table.ground.foreign import opened, shaped
from jantaku.table.ground.port import Verdict
from jantaku.table.judge.faults import ANSWERED
from jantaku.table.languages.majiang.paifu import Decimal, Seat
from jantaku.table.languages.majiang.rule import Item
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
    """Return the content of a file, decompressed if it is gzip, without a byte order mark. Raises BadInput if it cannot
    be read or is larger than `LARGEST`."""
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

RECORDS = "records"
"""The folder of records in a match's folder."""
KINDS = ("match", "tournament")
"""What a folder may hold."""


def plan_name(kind: str) -> str:
    """Return the name of the plan file of a kind."""
    return f"{kind}.json"


PLANS = frozenset(map(plan_name, KINDS))
"""The names of plan files."""


# The first line of the journal of a riichi game.

DERIVED = re.compile(r"game-[0-9a-f]{32}\.(?P<bots>[0-9a-f]{32})")
"""The seed of a game in a run whose seed was not chosen: see `jantaku.table.play.seeds`."""
GAME = "riichi"
"""The value of `game` in the header of such a journal."""
Players = Annotated[tuple[str, ...], Meta(min_length=3, max_length=4)]
"""Names by player."""


class Header(Head, frozen=True):
    """The first line: what is needed to play the game again."""

    player: Players
    qijia: int
    walls: School = "shared"
    """The wall school: see `seat_wall.py`."""
    driven: bool = False
    """Whether the game began from another record, so that its walls are not those of the seed."""
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


class JournalHead(msgspec.Struct):
    """The first line, without the fields that nothing is counted from. `rules` are JSON, as they are written."""

    jantaku: int
    seed: str
    number: int
    player: Players
    qijia: int
    rules: msgspec.Raw
    walls: School = "shared"


class JournalAnswer(msgspec.Struct, kw_only=True, gc=False):
    """What every game's journal says of an answer."""

    seat: Seat
    verdict: Verdict
    used: float
    reason: str = ""


class ReadAnswer(JournalAnswer, kw_only=True, gc=False):
    """An answer with its reply as it is written: most readers do not look into it."""

    reply: msgspec.Raw = msgspec.Raw(b"{}")


class AtSeat(msgspec.Struct, gc=False):
    """An item about one seat of the kyoku."""

    l: Seat  # noqa: E741  (the record's word for a seat)


class Dealt(msgspec.Struct, gc=False):
    """The deal of a kyoku. `jushu` counts the kyoku of its round wind."""

    jushu: Seat


class Won(AtSeat, gc=False):
    """A win. `baojia` is the seat that pays a ron."""

    defen: int
    baojia: Seat | None = None


class Drawn(msgspec.Struct, gc=False):
    """A kyoku without a win. `l` is the seat whose chombo ended it."""

    l: Seat | None = None  # noqa: E741


class GameEnd(msgspec.Struct):
    """The end of the game, by player."""

    defen: tuple[int, ...]
    rank: tuple[int, ...]
    point: tuple[Decimal, ...]


class JournalItem(msgspec.Struct):
    """A line after the first. `turn` and `answers` are set together, of the other fields at most one; none of them on
    lines that nothing is counted from."""

    turn: int = 0
    answers: tuple[ReadAnswer, ...] = ()
    qipai: Dealt | None = None
    lizhi: AtSeat | None = None
    fulou: AtSeat | None = None
    hule: Won | None = None
    pingju: Drawn | None = None
    jieju: GameEnd | None = None


_HEAD: Final = msgspec.json.Decoder(JournalHead)
_ITEM: Final = msgspec.json.Decoder(JournalItem)


def read_items(content: bytes, where: str) -> tuple[JournalHead, list[JournalItem]]:
    """Read a journal. An incomplete last line is ignored. BadInput, with `where` and the line, if it cannot be read."""
    head, _, lines = content[: content.rfind(b"\n") + 1].partition(b"\n")
    try:
        header = _HEAD.decode(head)
    except (ValueError, RecursionError) as error:  # bytes that are not UTF-8 raise no DecodeError
        refuse_other(where, content, GAME)
        raise BadInput(f"{where} line 1: not the header of a jantaku journal: {error}") from None
    try:
        return header, _ITEM.decode_lines(lines)
    except (ValueError, RecursionError):
        _refuse_broken(lines, where)
        raise


def _refuse_broken(lines: bytes, where: str) -> None:
    """Raise BadInput for the first line that cannot be read."""
    for number, line in enumerate(lines.split(b"\n")[:-1], 2):
        try:
            _ITEM.decode(line)
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{where} line {number}: broken: {type(error).__name__}: {error}") from None


# The answers in a journal: their shape, and the checks that all games share.

Discarded = Annotated[str, Meta(pattern=r"^[mpsz][0-9]_?\*?\Z")]
MICROSECOND = 1e-6
"""The precision of times in a journal, in seconds."""
MeldText = Annotated[str, Meta(pattern=r"^[mpsz][-+=0-9]{3,6}\Z")]


class _Reply(Struct):
    """A seat's reply; an empty object is a pass."""

    dapai: Discarded | UnsetType = UNSET
    fulou: MeldText | UnsetType = UNSET
    gang: MeldText | UnsetType = UNSET
    hule: str | UnsetType = UNSET
    daopai: str | UnsetType = UNSET
    chombo: str | UnsetType = UNSET


class _Answer(JournalAnswer, kw_only=True):
    question: int
    reply: _Reply
    allowed: float | None = None
    cpu: float = 0.0
    wall: float = 0.0
    stalled: float = 0.0
    meta: Any = None


class _Turn(Struct):
    turn: int
    answers: list[_Answer]


def refuse_misshapen_answers(path: Path, answers: Mapping[tuple[int, int], Item]) -> None:
    """Raise BadInput, with the place, for the first answer of a record that does not have the shape of an answer."""
    for (kyoku, before), turn in answers.items():
        shaped(turn, _Turn, f"{path} kyoku {kyoku}: answers after event {before}")


def refuse_misshapen_reply(reply: Item, where: str) -> None:
    """Raise BadInput if a reply does not have the shape of a reply."""
    shaped(reply, _Reply, where)


def wrong_answer(answer: Item, default: Any, penalty: Any = None) -> tuple[str, str] | None:
    """Return what is wrong with an answer and what it should be; None if nothing is. `default` is the reply that is
    played for a seat without a good answer; `penalty` may replace an unusable one."""
    verdict, used, allowed = answer["verdict"], answer["used"], answer.get("allowed")
    for key in ("used", "cpu", "wall", "stalled"):
        if not math.isfinite(seconds := answer.get(key, 0.0)) or seconds < 0:
            return f"{key} {seconds}", "has 0 seconds or more"
    if allowed is not None and (math.isnan(allowed) or allowed < 0):
        return f"allowed {allowed}", "has 0 seconds or more"
    if verdict == Verdict.LATE and allowed is None:
        return f"{verdict} without a clock", "has that only where a time was allowed"
    if penalty is not None and answer["reply"] == penalty:
        allowed = f"has that for {' or '.join(ANSWERED)}"
        return None if verdict in ANSWERED else (f"{verdict}: {_written(penalty)}", allowed)
    if not Verdict(verdict).good:
        return (
            None
            if answer["reply"] == default
            else (f"{verdict}: {_written(answer['reply'])}", f"plays {_written(default)}")
        )
    if answer.get("reason"):
        return f"{verdict} with a reason", "has none for an answer that was played"
    if verdict == Verdict.OK and allowed is not None and used > allowed + MICROSECOND:
        return f"{verdict} after {used} s of {allowed}", "has that for answers in time"
    if verdict == Verdict.OK_MARGIN and (allowed is None or used < allowed - MICROSECOND):
        return f"{verdict} after {used} s of {allowed}", "has that for answers beyond the time that was allowed"
    return None


def _written(value: Any) -> str:
    return msgspec.json.encode(value).decode()
