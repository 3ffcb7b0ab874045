"""Records from one format to another, with a word on everything that a format cannot hold."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from table.errors import BadInput
from table.record.convert_building import Imported
from table.record.convert_completing import ASSUMED, completed, rules_for, with_final
from table.record.follow import followed, in_play_order, with_answers
from table.record.items import Item, writes_decimals
from table.record.journal import Header
from table.record.lines import FORMAT, content_of, from_json
from table.record.mjai_read import read_mjai
from table.record.mjai_write import mjai_bytes
from table.record.paifu import as_2015
from table.record.read import Record, load
from table.record.tenhou6_read import read_tenhou6, tenhou6_json
from table.record.tenhou6_write import tenhou6_of
from table.riichi.flow.hanchan import Standing
from table.riichi.game import walls_from
from table.riichi.pieces.tiles import NAMES
from table.riichi.pieces.wall import Wall
from table.riichi.rules import Rules

Format = Literal["journal", "paifu", "2015", "mjai", "tenhou6"]
FORMATS: tuple[Format, ...] = get_args(Format)
ENDINGS: tuple[tuple[str, Format], ...] = (
    (".mjai.jsonl", "mjai"),
    (".mjai.json", "mjai"),
    (".mjson", "mjai"),
    (".tenhou6.json", "tenhou6"),
    (".2015.json", "2015"),
    (".jsonl", "journal"),
    (".json", "paifu"),
)
"""What a file's name says of its format; the first that fits."""


class Read(msgspec.Struct):
    """A record from anywhere, and what there is to say about it."""

    record: Record
    notes: list[str]


def read_any(path: Path, rules: Rules | None = None, form: Format | None = None) -> Read:
    """Read a record of any format; `form` None finds out which. `rules` complete what a foreign log leaves out.

    Raises BadInput with file and place for what is no record, or contradicts itself.
    """
    content = content_of(path)
    form = form or recognised(path, content)
    if form in ("journal", "paifu", "2015"):
        record = load(path)
        read = Read(record, [])
        known = rules or record.rules
        if record.form == "2015" and known:
            read = Read(*completed(record, known))
            read.record.form, read.record.final = "1.x", _final_of_1x(record.final, known)
    else:
        read = _completed(read_mjai(path, content) if form == "mjai" else read_tenhou6(path, content), rules)
    if rules is not None:
        read.record.rules = rules
    for _ in followed(read.record.log, str(path)):
        pass
    return read


def _final_of_1x(final: Item | None, rules: Rules) -> Item | None:
    """The end of a game as 1.x has it: points are text."""
    if final is None:
        return None
    style = ".1f" if writes_decimals(rules) else ".0f"
    return {**final, "point": [format(point, style) for point in final["point"]]}


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
    record, notes = completed(imported.record, rules, imported.draws, imported.unpaid)
    if given is None and told is None:
        agreed = len(record.log) - sum("kept as it is" in note for note in notes)
        notes.append(f"rules not told; {ASSUMED} assumed, which {agreed} of {len(record.log)} kyoku agree with")
    record.rules = rules
    if imported.ended:
        record = with_final(record, rules)
    return Read(record, [*imported.notes, *notes])


def write_any(record: Record, form: Format, dialect: str = "wide") -> tuple[bytes, list[str]]:
    """A record in another format, and what that format cannot hold. Raises BadInput where it cannot be written."""
    content = _WRITERS[form](record, dialect)
    return content, _lost(record, form, dialect)


def format_of(path: Path) -> Format:
    """The format that a file's name asks for. Raises BadInput."""
    for ending, form in ENDINGS:
        if path.name.endswith(ending):
            return form
    raise BadInput(
        f"{path}: say with --to which format is meant ({', '.join(FORMATS)}), or end the name with one of "
        f"{', '.join(ending for ending, _ in ENDINGS)}"
    )


def _lost(record: Record, form: Format, dialect: str) -> list[str]:
    lost = []
    if record.answers and form != "journal":
        count = sum(len(turn["answers"]) for turn in record.answers.values())
        lost.append(f"{count} answers with their time and verdict: only a journal holds them")
    if record.walls and form != "journal" and (record.driven or record.seed is None):
        lost.append("walls: tiles that nobody saw are not kept")
    if form == "2015":
        lost.append("the riichi mark on opened hands; who is liable for a yakuman")
    if form == "mjai" and dialect == "mortal":
        lost.append("fu, han and yaku of wins; names and opened hands of draws")
    return lost


def extra_of(record: Record) -> Item:
    """What a re-drive needs, to be kept beside a format's own keys. Empty where the rules are not known."""
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
    """The 1.x 牌譜 of a record."""
    title = record.title
    if not title and record.seed is not None:
        title = f"jantaku seed {record.seed} game {record.number}"
    final = record.final or {"defen": [], "point": [], "rank": []}
    extra = extra_of(record)
    paifu = {"title": title, "player": list(record.names), "qijia": record.first_dealer, "log": record.log}
    return paifu | {key: final[key] for key in ("defen", "point", "rank")} | ({"jantaku": extra} if extra else {})


def _paifu(record: Record, dialect: str) -> bytes:
    return msgspec.json.encode(paifu_json(record)) + b"\n"


def _paifu_2015(record: Record, dialect: str) -> bytes:
    return msgspec.json.encode(as_2015(paifu_json(record))) + b"\n"


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
    )
    lines: list[Any] = [header]
    walls = walls_of(record)
    for number, kyoku in enumerate(record.log):
        if number < len(walls):
            lines.append({"wall": "".join(NAMES[tile] for tile in walls[number].tiles), "dice": walls[number].dice})
        lines += with_answers(in_play_order(kyoku), number + 1, record.answers)
    if record.final is not None:
        lines.append({"jieju": record.final})
    return b"".join(msgspec.json.encode(line) + b"\n" for line in lines)


def walls_of(record: Record) -> list[Wall]:
    """The walls that a record tells or that its seed gives, one a kyoku; empty where neither is known."""
    if record.walls or record.seed is None or record.driven or record.rules is None:
        return record.walls
    deal = walls_from(record.seed, record.number, record.rules, record.school)
    walls = []
    for kyoku in record.log:
        qipai = kyoku[0]["qipai"]
        number = qipai["zhuangfeng"] * 4 + qipai["jushu"]
        walls.append(deal(Standing(number, qipai["changbang"], qipai["lizhibang"], (0, 0, 0, 0), number)))
    return walls


_WRITERS: dict[Format, Callable[[Record, str], bytes]] = {
    "journal": _journal,
    "paifu": _paifu,
    "2015": _paifu_2015,
    "mjai": _mjai,
    "tenhou6": _tenhou6,
}
