"""Reads records of any format: detects the format, and completes what a foreign log omits."""

from pathlib import Path
from typing import Literal, get_args

import msgspec

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.follow import followed
from jantaku.table.languages.majiang.paifu import FORM_1
from jantaku.table.records.convert.completion import Imported, assumed, completed, rules_for, with_final
from jantaku.table.records.convert.mjai import read_mjai
from jantaku.table.records.convert.mjlog import read_mjlog
from jantaku.table.records.convert.tenhou6 import read_tenhou6, tenhou6_json
from jantaku.table.records.journal.lines import content_of, from_json
from jantaku.table.records.journal.read import Record, load
from jantaku.table.records.journal.sealed import SeedsOf, no_seeds
from jantaku.table.records.replay.verify import check_players, unfit
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.rules import Rules

Format = Literal["journal", "paifu", "2015", "mjai", "tenhou6"]
"""A format that is read and written."""
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
        from jantaku.table.records.journal.outline import outline  # only notebooks need it

        return outline(self.record, self.notes)


def read_any(path: Path, rules: Rules | None = None, form: Readable | None = None, seeds: SeedsOf = no_seeds) -> Read:
    """Read a record of any format; `form` None detects it. `rules` complete what a foreign log omits; they do not apply
    to a journal, which has its own. `seeds` open the journal of a killed game. Raises BadInput, with file and place, if
    it is not a record or contradicts itself."""
    content = content_of(path)
    form = form or recognised(path, content)
    if form in ("journal", "paifu", "2015"):
        record = load(path, seeds)
        read = Read(record, [record.hidden] if record.hidden else [])
        if record.form.fixed:
            read = _in_full(record, rules)
    else:
        read = _completed(_imported(path, content, form, rules), rules)
    if rules is not None and form != "journal":
        check_players(read.record, rules)
        read.record.rules = rules
    for _ in followed(read.record.log, str(path)):
        pass
    return read


def driving(path: Path, rules: Rules | None = None, seeds: SeedsOf = no_seeds) -> Record:
    """Read a record of any format so that it can drive a game: journals and 牌譜 unchanged, other logs completed by the
    rules. Arguments and errors are as for `read_any`."""
    if recognised(path, content_of(path)) in FOREIGN:
        return read_any(path, rules).record
    return load(path, seeds)


def recognised(path: Path, content: bytes) -> Readable:
    """Detect the format of a file by its content. Raises BadInput if it is not a record."""
    start = content.lstrip()[:1]
    if content.lstrip().startswith(b"http"):
        return "tenhou6"
    if start == b"<":
        return "mjlog"
    if start not in (b"{", b"["):
        raise BadInput(f"{path}: no record: it is not JSON, and no XML; formats are {', '.join(READABLE)}")
    try:
        first = from_json(content.split(b"\n", 1)[0])
    except ValueError:
        first = None
    if isinstance(first, list) or (isinstance(first, dict) and "type" in first):
        return "mjai"
    if isinstance(first, dict) and "rules" in first and "log" not in first:
        return "journal"
    if first is not None and not isinstance(first, dict):
        raise BadInput(f"{path}: no record; formats are {', '.join(READABLE)}")
    whole = tenhou6_json(path, content)
    if "log" not in whole:
        raw = "a raw record of Mahjong Soul, which an exporter to tenhou.net/6 has to turn into a log"
        if "head" in whole:
            raise BadInput(f"{path}: no record that is read: it looks like {raw}")
        raise BadInput(f"{path}: no record: it has neither “log” nor “type”; formats are {', '.join(READABLE)}")
    return "paifu" if "player" in whole else "tenhou6"


def _in_full(record: Record, given: Rules | None) -> Read:
    """Complete a 牌譜 of a form that omits values, so that it has all that 1.x has."""
    known = given or record.rules
    rules = known or ruleset.preset(record.form.preset)
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
    return f"rules not told; {preset} assumed, which {count - len(read.kept)} of {count} kyoku agree with"


def _imported(path: Path, content: bytes, form: Readable, rules: Rules | None) -> Imported:
    if form == "mjai":
        return read_mjai(path, content, rules)
    return read_mjlog(path, content) if form == "mjlog" else read_tenhou6(path, content)


def _completed(imported: Imported, given: Rules | None) -> Read:
    told = imported.record.rules
    rules = given or told or rules_for(imported)
    if not imported.record.log:
        raise BadInput(f"{imported.record.path}: it holds no kyoku")
    check_players(imported.record, rules)
    read = Read(*completed(imported.record, rules, imported.draws))
    read.notes[:0] = imported.notes
    if given is None and told is None:
        read.notes.append(_assumed(read, assumed(len(read.record.names), imported.base)))
    read.record.rules = rules
    if imported.ended:
        read.record = with_final(read.record, rules, imported.final)
    return read
