"""Writes records in any format, with a note on everything that the format cannot represent."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.majiang.items import final_of, items_of, writes_decimals
from jantaku.table.languages.majiang.paifu import FORM_2015, in_paifu, paifu, with_answers
from jantaku.table.languages.majiang.words import Item
from jantaku.table.records.convert.mjai import mjai_bytes
from jantaku.table.records.convert.readers import FORMATS, Format
from jantaku.table.records.convert.tenhou6 import tenhou6_of
from jantaku.table.records.journal.digest import Digest
from jantaku.table.records.journal.header import Header, titled
from jantaku.table.records.journal.lines import FORMAT
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.verify import standing_of
from jantaku.table.riichi.game import walls_from
from jantaku.table.riichi.pieces.tiles import NAMES
from jantaku.table.riichi.pieces.wall import Wall

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


def write_any(record: Record, form: Format, dialect: str = "wide") -> tuple[bytes, list[str]]:
    """Return a record in another format, and what that format cannot represent. Raises BadInput if it cannot be
    written."""
    content = _WRITERS[form](record, dialect)
    return content, _lost(record, form, dialect)


def ending_of(form: Format) -> str:
    """The ending of file names for a format."""
    return next(ending for ending, its in reversed(ENDINGS) if its == form)


def format_of(path: Path) -> Format:
    """The format for a file name. Raises BadInput for an unknown ending."""
    for ending, form in ENDINGS:
        if path.name.endswith(ending):
            return form
    raise BadInput(
        f"{path}: say with --write-as which format is meant ({', '.join(FORMATS)}), or end the name with one of "
        f"{', '.join(ending for ending, _ in ENDINGS)}"
    )


def _lost(record: Record, form: Format, dialect: str) -> list[str]:
    lost = []
    if record.answers and form != "journal":
        count = sum(len(turn["answers"]) for turn in record.answers.values())
        lost.append(f"{count} answer{'s' * (count != 1)} with their time and verdict: only a journal holds them")
    if record.walls and form != "journal" and (record.driven or record.seed is None):
        lost.append("walls: tiles that nobody saw are not kept")
    if form == "2015":
        lost.append("the riichi mark on opened hands; who is liable for a yakuman")
    if form == "mjai" and dialect == "mortal":
        lost.append("fu, han and yaku of wins; names and opened hands of draws")
    return lost


def extra_of(record: Record) -> Item:
    """What a replay by the engine needs beside a format's own keys. Without rules if they are unknown."""
    extra: Item = {}
    if record.rules is not None:
        extra["rules"] = msgspec.to_builtins(record.rules)
    if record.seed is not None:
        extra |= {"seed": record.seed, "number": record.number, "walls": record.school, "driven": record.driven}
    return extra


def _foreign_extra(record: Record) -> Item:
    extra = extra_of(record)
    if record.first_dealer:
        extra["qijia"] = record.first_dealer
    return extra | ({"title": record.title} if record.title else {})


def paifu_json(record: Record) -> Item:
    """Return the 1.x 牌譜 of a record."""
    title = record.title or titled("", "", record.seed, record.number)
    log = [items_of(in_paifu(kyoku)) for kyoku in record.log]
    decimals = writes_points_with_decimals(record)
    return paifu(title, record.names, record.first_dealer, log, record.final, extra_of(record), decimals=decimals)


def writes_points_with_decimals(record: Record) -> bool:
    """Whether final points are written with a decimal: by the rules if they are known, else by the points."""
    if record.rules is not None:
        return writes_decimals(record.rules)
    return record.final is not None and any(tenths % 10 for tenths in record.final.tenths or ())


def _paifu(record: Record, dialect: str) -> bytes:
    return msgspec.json.encode(paifu_json(record)) + b"\n"


def _paifu_2015(record: Record, dialect: str) -> bytes:
    return msgspec.json.encode(FORM_2015.whole(paifu_json(record))) + b"\n"


def _mjai(record: Record, dialect: str) -> bytes:
    return mjai_bytes(record, dialect, _foreign_extra(record))


def _tenhou6(record: Record, dialect: str) -> bytes:
    return msgspec.json.encode(tenhou6_of(record, _foreign_extra(record))) + b"\n"


def _journal(record: Record, dialect: str) -> bytes:
    if record.rules is None:
        raise BadInput(
            f"{record.path}: a journal says by which rules it was played, and these are not known; give --rules"
        )
    header = Header(
        jantaku=FORMAT,
        version="converted",
        game="riichi",
        rules=msgspec.to_builtins(record.rules),
        seed=record.seed or "",
        number=record.number,
        player=record.names,
        qijia=record.first_dealer,
        walls=record.school,
        driven=record.driven or record.seed is None,
        title=UNSET if record.title in ("", titled("", "", record.seed, record.number)) else record.title,
    )
    text = msgspec.json.encode(header) + b"\n"
    walls, digest, parts = walls_of(record), Digest(), []
    for number, kyoku in enumerate(record.log):
        lines: list[Any] = with_answers(items_of(kyoku), number + 1, record.answers)
        if number < len(walls):
            wall = walls[number]
            lines.insert(0, {"wall": "".join(NAMES[tile] for tile in wall.tiles), "dice": wall.dice})
        if record.final is not None and number + 1 == len(record.log):
            lines.append({"jieju": final_of(record.final, decimals=writes_decimals(record.rules))})
        text += b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
        parts += [text, digest.line(text)]
        text = b""
    return b"".join(parts)


def walls_of(record: Record) -> list[Wall]:
    """The walls of a record, one per kyoku: as recorded, or dealt from its seed; empty if neither is known."""
    if record.walls or record.seed is None or record.driven or record.rules is None:
        return record.walls
    dealt = walls_from(record.seed, record.number, record.rules, record.school)
    return [dealt(standing_of(record, kyoku)) for kyoku in range(len(record.log))]


_WRITERS: dict[Format, Callable[[Record, str], bytes]] = {
    "journal": _journal,
    "paifu": _paifu,
    "2015": _paifu_2015,
    "mjai": _mjai,
    "tenhou6": _tenhou6,
}
