"""Reads records of any format: detects the format, and completes what a foreign log omits.

`write_any` writes records in any format, with a note on everything that the format cannot represent.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec
from msgspec import UNSET

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import followed
from jantaku.table.languages.majiang.forms import FORM_1, FORM_2015
from jantaku.table.languages.majiang.items import final_of, items_of, writes_decimals
from jantaku.table.languages.majiang.order import in_paifu, with_answers
from jantaku.table.languages.majiang.paifu import paifu
from jantaku.table.languages.majiang.rule import Item
from jantaku.table.records.convert.completion import assumed, completed, rules_for, with_final
from jantaku.table.records.convert.following import Imported
from jantaku.table.records.convert.mjai import mjai_bytes, read_mjai
from jantaku.table.records.convert.mjlog import read_mjlog
from jantaku.table.records.convert.tenhou6 import read_tenhou6, tenhou6_json, tenhou6_of
from jantaku.table.records.journal.digest import Digest
from jantaku.table.records.journal.header import Header, titled
from jantaku.table.records.journal.killed import SeedsOf, no_seeds
from jantaku.table.records.journal.lines import FORMAT, content_of, from_json, is_one_a_line
from jantaku.table.records.journal.places import ENDINGS as ENDINGS
from jantaku.table.records.journal.places import Format as Format
from jantaku.table.records.journal.read import Record, load
from jantaku.table.records.replay.fitting import unfit
from jantaku.table.records.replay.verify import check_players, standing_of
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.game import walls_from
from jantaku.table.riichi.pieces.tiles import NAMES
from jantaku.table.riichi.pieces.wall import Wall
from jantaku.table.riichi.rules import Rules

FORMATS: tuple[Format, ...] = get_args(Format)
Readable = Literal["journal", "paifu", "2015", "mjai", "tenhou6", "mjlog"]
"""A format that is read."""
READABLE: tuple[Readable, ...] = get_args(Readable)
FOREIGN: tuple[Readable, ...] = ("mjai", "tenhou6", "mjlog")
"""The formats that are completed by rules."""


class Read(msgspec.Struct):
    """A record of any origin, with notes for a person. `kept` has the kyoku, from 1, that do not fit the rules and so
    were not completed, each with the reason, which the notes contain as well."""

    record: Record
    notes: list[str]
    kept: dict[int, str] = {}

    def _repr_html_(self) -> str:
        """What a notebook shows: the record, and the notes below it."""
        return self.record.outlined(self.notes)


def read_any(path: Path, rules: Rules | None = None, form: Readable | None = None, seeds: SeedsOf = no_seeds) -> Read:
    """Read a record of any format; `form` None detects it. `rules` complete what a foreign log omits; they do not apply
    to a journal, which has its own. `seeds` open the journal of a killed game. Raises BadInput, with file and place, if
    it is not a record or contradicts itself."""
    return _read(path, rules, form, seeds, None)


def driving(
    path: Path, rules: Rules | None = None, seeds: SeedsOf = no_seeds, otherwise: Rules | None = None
) -> Record:
    """Read a record of any format so that it can drive a game: journals and 牌譜 unchanged, other logs completed by the
    rules. `otherwise` are the rules for a log that names none, if no `rules` are given. The other arguments and errors
    are as for `read_any`."""
    if recognised(path, content_of(path)) not in FOREIGN:
        record = load(path, seeds)
        if record.form.exact:
            return record
    return _read(path, rules, None, no_seeds, otherwise).record


def _read(path: Path, rules: Rules | None, form: Readable | None, seeds: SeedsOf, otherwise: Rules | None) -> Read:
    content = content_of(path)
    form = form or recognised(path, content)
    if form in ("journal", "paifu", "2015"):
        record = load(path, seeds)
        read = Read(record, [record.hidden] if record.hidden else [])
        if record.form.fixed:
            read = _in_full(record, rules or record.rules or otherwise)
    else:
        read = _completed(_imported(path, content, form, rules), rules, otherwise)
    if rules is not None and form != "journal":
        check_players(read.record, rules)
        read.record.rules = rules
    for _ in followed(read.record.log, str(path)):
        pass
    return read


def recognised(path: Path, content: bytes) -> Readable:
    """Detect the format of a file by its content. Raises BadInput if it is not a record."""
    start = content.lstrip()[:1]
    if content.lstrip().startswith(b"http"):
        return "tenhou6"
    if start == b"<":
        return "mjlog"
    if start not in (b"{", b"["):
        raise BadInput(f"{path}: not a record: it is neither JSON nor XML; formats are {', '.join(READABLE)}")
    try:
        first = from_json(content.split(b"\n", 1)[0])
    except ValueError:
        first = None
    if isinstance(first, list) or (isinstance(first, dict) and "type" in first):
        return "mjai"
    if isinstance(first, dict) and "rules" in first and "log" not in first:
        return "journal"
    if first is not None and not isinstance(first, dict):
        raise BadInput(f"{path}: not a record; formats are {', '.join(READABLE)}")
    if isinstance(first, dict) and "publicObservation" in first:
        raise BadInput(f"{path}: not a record that jantaku reads: it looks like states of Mjx; give the game's mjlog")
    if is_one_a_line(content):
        raise BadInput(f"{path}: not a record: its lines are JSON, but neither journal, mjai nor tenhou6")
    whole = tenhou6_json(path, content)
    if "log" not in whole:
        raw = "a raw record of Mahjong Soul; convert it by an exporter to tenhou.net/6 first"
        if "head" in whole:
            raise BadInput(f"{path}: not a record that jantaku reads: it looks like {raw}")
        raise BadInput(f"{path}: not a record: it has neither “log” nor “type”; formats are {', '.join(READABLE)}")
    return "paifu" if "player" in whole else "tenhou6"


def _in_full(record: Record, known: Rules | None) -> Read:
    """Complete a 牌譜 of a form that omits values, so that it has all that 1.x has."""
    rules = known or ruleset.with_settings(ruleset.preset(record.form.preset), record.form.rules_in(record.title))
    read = Read(*completed(record, rules))
    if known is None:
        read.notes.append(_assumed(read, record.form.preset))
    elif read.kept and (why := unfit(record, rules)):
        read.notes.append(why)
    read.record.form, read.record.rules = FORM_1, rules
    return read


def _assumed(read: Read, preset: str) -> str:
    """The note that the rules were assumed, and how many kyoku fit them."""
    count = len(read.record.log)
    return f"the file does not name its rules; {preset} is assumed, which {count - len(read.kept)} of {count} kyoku fit"


def _imported(path: Path, content: bytes, form: Readable, rules: Rules | None) -> Imported:
    if form == "mjai":
        return read_mjai(path, content, rules)
    return read_mjlog(path, content) if form == "mjlog" else read_tenhou6(path, content)


def _completed(imported: Imported, given: Rules | None, otherwise: Rules | None) -> Read:
    known = given or imported.record.rules or otherwise
    rules = known or rules_for(imported)
    if not imported.record.log:
        raise BadInput(f"{imported.record.path}: it has no kyoku")
    check_players(imported.record, rules)
    read = Read(*completed(imported.record, rules, imported.draws))
    read.notes[:0] = imported.notes
    if known is None:
        read.notes.append(_assumed(read, assumed(len(read.record.names), imported.base)))
    read.record.rules = rules
    if imported.ended:
        read.record = with_final(read.record, rules, imported.final)
    return read


def write_any(record: Record, form: Format, dialect: str = "wide") -> tuple[bytes, list[str]]:
    """Return a record in another format, and what that format cannot represent. Raises BadInput if it cannot be
    written."""
    content = _WRITERS[form](record, dialect)
    return content, _lost(record, form, dialect)


def ending_of(form: Format) -> str:
    return next(ending for ending, its in reversed(ENDINGS) if its == form)


def format_of(path: Path) -> Format:
    """The format for a file name. Raises BadInput for an unknown ending."""
    for ending, form in ENDINGS:
        if path.name.endswith(ending):
            return form
    raise BadInput(
        f"{path}: name the format with --write-as ({', '.join(FORMATS)}), or end the name with one of "
        f"{', '.join(ending for ending, _ in ENDINGS)}"
    )


def _lost(record: Record, form: Format, dialect: str) -> list[str]:
    lost = []
    if record.answers and form != "journal":
        count = sum(len(turn["answers"]) for turn in record.answers.values())
        lost.append(f"{count} answer{'s' * (count != 1)} with their time and verdict: only a journal keeps them")
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
