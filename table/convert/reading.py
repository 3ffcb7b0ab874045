"""Records of any format: which one it is, and what a foreign log leaves out."""

from pathlib import Path
from typing import Literal, get_args

import msgspec

from table.convert.building import Imported
from table.convert.completing import ASSUMED, completed, rules_for, with_final
from table.convert.mjai import read_mjai
from table.convert.tenhou6 import read_tenhou6, tenhou6_json
from table.errors import BadInput
from table.formats.follow import followed
from table.record.lines import content_of, from_json
from table.record.read import Record, load
from table.record.unsealed import SeedsOf, no_seeds
from table.riichi.rules import Rules

Format = Literal["journal", "paifu", "2015", "mjai", "tenhou6"]
FORMATS: tuple[Format, ...] = get_args(Format)


class Read(msgspec.Struct):
    """A record from anywhere, and what there is to say about it. `kept`: kyoku, from 1, that the rules do not fit, so
    that nothing was filled in, and why; the notes say so too."""

    record: Record
    notes: list[str]
    kept: dict[int, str] = {}


def read_any(path: Path, rules: Rules | None = None, form: Format | None = None, seeds: SeedsOf = no_seeds) -> Read:
    """Read a record of any format; `form` None finds out which. `rules` complete what a foreign log leaves out, `seeds`
    open the journal of a game that was killed.

    Raises BadInput with file and place for what is no record, or contradicts itself.
    """
    content = content_of(path)
    form = form or recognised(path, content)
    if form in ("journal", "paifu", "2015"):
        record = load(path, seeds)
        read = Read(record, [record.hidden] if record.hidden else [])
        known = rules or record.rules
        if record.form == "2015" and known:
            read = Read(*completed(record, known))
            read.record.form = "1.x"
    else:
        read = _completed(read_mjai(path, content) if form == "mjai" else read_tenhou6(path, content), rules)
    if rules is not None:
        read.record.rules = rules
    for _ in followed(read.record.log, str(path)):
        pass
    return read


def form_of(path: Path) -> Format:
    """The format of a file. Raises BadInput if it cannot be read or is no record."""
    return recognised(path, content_of(path))


def recognised(path: Path, content: bytes) -> Format:
    """The format of a file by what is in it. Raises BadInput if it is none."""
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


def _completed(imported: Imported, given: Rules | None) -> Read:
    told = imported.record.rules
    rules = given or told or rules_for(imported)
    if not imported.record.log:
        raise BadInput(f"{imported.record.path}: it holds no kyoku")
    read = Read(*completed(imported.record, rules, imported.draws))
    if given is None and told is None:
        count = len(read.record.log)
        agreed = count - len(read.kept)
        read.notes.append(f"rules not told; {ASSUMED} assumed, which {agreed} of {count} kyoku agree with")
    read.record.rules = rules
    if imported.ended:
        read.record = with_final(read.record, rules)
    return read
