"""Reads records of any format: detects the format, and completes what a foreign log leaves out."""

from pathlib import Path
from typing import Literal, get_args

import msgspec

from jantaku.table.convert.building import Imported
from jantaku.table.convert.completing import assumed, completed, rules_for, with_final
from jantaku.table.convert.mjai import read_mjai
from jantaku.table.convert.tenhou6 import read_tenhou6, tenhou6_json
from jantaku.table.errors import BadInput
from jantaku.table.formats.follow import followed
from jantaku.table.formats.majiang.forms import FORM_1
from jantaku.table.record.lines import content_of, from_json
from jantaku.table.record.read import Record, load
from jantaku.table.record.unsealed import SeedsOf, no_seeds
from jantaku.table.replay.fitting import unfit
from jantaku.table.replay.verify import check_players
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.rules import Rules

Format = Literal["journal", "paifu", "2015", "mjai", "tenhou6"]
FORMATS: tuple[Format, ...] = get_args(Format)


class Read(msgspec.Struct):
    """A record of any origin, with notes for a person. `kept`: kyoku, from 1, that do not fit the rules, so that
    nothing was filled in, and why; the notes say so too."""

    record: Record
    notes: list[str]
    kept: dict[int, str] = {}


def read_any(path: Path, rules: Rules | None = None, form: Format | None = None, seeds: SeedsOf = no_seeds) -> Read:
    """Read a record of any format; `form` None detects it. `rules` complete what a foreign log leaves out, and are
    nothing to a journal, which tells its own; `seeds` open the journal of a game that was killed. Raises BadInput with
    file and place for what is not a record, or contradicts itself."""
    content = content_of(path)
    form = form or recognised(path, content)
    if form in ("journal", "paifu", "2015"):
        record = load(path, seeds)
        read = Read(record, [record.hidden] if record.hidden else [])
        if record.form.fixed:
            read = _in_full(record, rules)
    else:
        read = _completed(read_mjai(path, content, rules) if form == "mjai" else read_tenhou6(path, content), rules)
    if rules is not None and form != "journal":
        check_players(read.record, rules)
        read.record.rules = rules
    for _ in followed(read.record.log, str(path)):
        pass
    return read


def driving(path: Path, rules: Rules | None = None, seeds: SeedsOf = no_seeds) -> Record:
    """A record of any format as one that can drive a game: ours and 牌譜 word by word, what other logs leave out
    completed by the rules. Arguments and errors as of `read_any`."""
    if recognised(path, content_of(path)) in ("mjai", "tenhou6"):
        return read_any(path, rules).record
    return load(path, seeds)


def recognised(path: Path, content: bytes) -> Format:
    """The format of a file by its content. Raises BadInput if it is not a record."""
    start = content.lstrip()[:1]
    if content.lstrip().startswith(b"http"):
        return "tenhou6"
    if start not in (b"{", b"["):
        raise BadInput(f"{path}: no record: it is not JSON; formats are {', '.join(FORMATS)}")
    try:
        first = from_json(content.split(b"\n", 1)[0])
    except ValueError:
        first = None
    if isinstance(first, list) or (isinstance(first, dict) and "type" in first):
        return "mjai"
    if isinstance(first, dict) and "rules" in first and "log" not in first:
        return "journal"
    if first is not None and not isinstance(first, dict):
        raise BadInput(f"{path}: no record; formats are {', '.join(FORMATS)}")
    whole = tenhou6_json(path, content)
    if "log" not in whole:
        raise BadInput(f"{path}: no record: it has neither “log” nor “type”; formats are {', '.join(FORMATS)}")
    return "paifu" if "player" in whole else "tenhou6"


def _in_full(record: Record, given: Rules | None) -> Read:
    """A 牌譜 of a form that does not tell everything, with the rest as in 1.x."""
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
    """That nobody told the rules, and how well these fit."""
    count = len(read.record.log)
    return f"rules not told; {preset} assumed, which {count - len(read.kept)} of {count} kyoku agree with"


def _completed(imported: Imported, given: Rules | None) -> Read:
    told = imported.record.rules
    rules = given or told or rules_for(imported)
    if not imported.record.log:
        raise BadInput(f"{imported.record.path}: it holds no kyoku")
    check_players(imported.record, rules)
    read = Read(*completed(imported.record, rules, imported.draws))
    if given is None and told is None:
        read.notes.append(_assumed(read, assumed(len(read.record.names))))
    read.record.rules = rules
    if imported.ended:
        read.record = with_final(read.record, rules)
    return read
