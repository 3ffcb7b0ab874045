"""Carries records through every format and back, and compares them event by event.

    python -m scripts.roundtrips FILE…

Reads our journals and 牌譜, mjai and tenhou.net/6 logs, and sample files (.jsonl.gz) whose lines hold one of these
under `paipu`, `events` or `json`. For each way it prints how many kyoku there are, how many came back identical, and
how many differ for a named reason: something that the format cannot hold and the rules do not tell. The last line is
`TOTAL K kyoku D different, E of them explained`; the exit code is 0 only if all are explained.
"""

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.majiang.items import items_of
from jantaku.table.languages.majiang.order import in_paifu
from jantaku.table.languages.majiang.rule import Item, from_majiang
from jantaku.table.records.convert.readers import Format, Read, read_any, write_any
from jantaku.table.records.journal.read import Record
from jantaku.table.riichi.ruleset import preset
from scripts.collected import texts

WAYS: tuple[tuple[Format, str, str], ...] = (
    ("paifu", "wide", ".json"),
    ("2015", "wide", ".2015.json"),
    ("journal", "wide", ".jsonl"),
    ("mjai", "wide", ".mjson"),
    ("mjai", "gimite", ".mjson"),
    ("mjai", "mortal", ".mjson"),
    ("mjai", "riichienv", ".mjson"),
    ("tenhou6", "wide", ".json"),
)


NOT_HELD: dict[str, tuple[str, ...]] = {
    "2015": ("shoupai",),
    "mjai mortal": ("fu", "fanshu", "defen", "hupai"),
    "tenhou6": ("fu",),
}
"""Parts of a win that these formats do not hold: in 2015 the mark of riichi on the hand, in tenhou6 fu from a mangan
up."""
HANDS = "nobody pays at the draw: the format does not tell who opened a hand, and the rules allow more than one"
WHOSE = "nobody pays for the chombo: the format does not tell whose it was, and takes it for another draw"
VALUE = "the format does not tell the whole value of a win, and by our rules it is another"


class Difference(NamedTuple):
    """How a kyoku came back differently, and the named reason if there is one."""

    text: str
    reason: str = ""


def main(files: list[str]) -> int:
    """Run all ways over all files."""
    kyoku, same, explained = Counter[str](), Counter[str](), Counter[tuple[str, str]]()
    for name, read in (found for file in files for found in records(Path(file))):
        kyoku["import agrees"] += len(read.record.log)
        same["import agrees"] += len(read.record.log) - len(read.kept)
        for number, why in read.kept.items():
            print(f"{name}: kyoku {number}: kept unchanged: {why}")
        for form, dialect, ending in WAYS:
            way = f"{form} {dialect}" if form == "mjai" else form
            for number, difference in enumerate(compared(read.record, form, dialect, ending), 1):
                kyoku[way] += 1
                same[way] += difference is None
                if difference is not None and difference.reason:
                    explained[way, difference.reason] += 1
                elif difference is not None:
                    print(f"{name} {way} kyoku {number}: {difference.text}")
    for way, count in kyoku.items():
        print(f"{way}: {count} kyoku, {same[way]} identical")
    for (way, reason), count in explained.items():
        print(f"{way}: {count} explained: {reason}")
    different = sum(kyoku.values()) - sum(same.values())
    print(f"TOTAL {sum(kyoku.values())} kyoku {different} different, {explained.total()} of them explained")
    return 1 if different > explained.total() else 0


def records(path: Path) -> Iterator[tuple[str, Read]]:
    if not path.name.endswith(".jsonl.gz"):
        yield path.name, read_any(path)
        return
    for number, text in texts(path):
        line = json.loads(text)
        name = f"{path.name}:{line.get('id', number - 1)}"
        try:
            found = read_line(line)
        except BadInput as error:
            print(f"{name}: refused: {error}")
            continue
        if found is not None:
            yield name, found


def read_line(line: dict[str, Any]) -> Read | None:
    """Return the record in a line of a sample file; None if it holds none. A log that tenhou's rules do not fit is
    tried under Mahjong Soul's."""
    if "paipu" in line:
        rules = from_majiang(line["rule"])
        return _read(json.dumps(line["paipu"]), rules)
    if "json" in line:
        text = json.dumps(line["json"])
    elif "events" in line:
        text = "\n".join(json.dumps(event) for event in line["events"])
    else:
        return None
    read = _read(text)
    if read.kept:
        other = _read(text, preset("mahjongsoul"))
        if len(other.notes) < len(read.notes):
            return other
    return read


def _read(text: str, rules: Any = None) -> Read:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        path.write_text(text)
        return read_any(path, rules)


def compared(record: Record, form: Format, dialect: str, ending: str) -> Iterator[Difference | None]:
    """Yield for each kyoku how it comes back differently from a format; None if it is identical."""
    try:
        content, _ = write_any(record, form, dialect)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"back{ending}"
            path.write_bytes(content)
            back = read_any(path, record.rules).record
    except BadInput as error:
        for _ in record.log:
            yield Difference(str(error))
        return
    not_held = NOT_HELD.get(f"{form} {dialect}" if form == "mjai" else form, ())
    ends, untold = _ends(record) != _ends(back), False
    for number, kyoku in enumerate(record.log):
        theirs = back.log[number] if number < len(back.log) else []
        last = number == len(record.log) - 1
        found = (
            _difference(items_of(in_paifu(kyoku)), items_of(in_paifu(theirs)), not_held)
            if theirs
            else Difference("it is missing")
        )
        untold = untold or (found is not None and found.reason == WHOSE)
        if found is None and ends and last:  # a penalty is part of the final points
            found = Difference(f"ends with {_ends(back)}, not {_ends(record)}", WHOSE if untold else "")
        yield found


def _ends(record: Record) -> tuple[Any, ...]:
    return record.names, record.first_dealer, record.final, record.rules, record.seed


def _difference(ours: list[Item], theirs: list[Item], not_held: Sequence[str]) -> Difference | None:
    """Return the first difference without a named reason, else the first one."""
    explained = None
    for event in range(max(len(ours), len(theirs))):
        a = ours[event] if event < len(ours) else {}
        b = theirs[event] if event < len(theirs) else {}
        if a == b:
            continue
        reason = _reason(a, b, not_held)
        text = f"event {event + 1}: {json.dumps(a, ensure_ascii=False)} became {json.dumps(b, ensure_ascii=False)}"
        if not reason:
            return Difference(text)
        explained = explained or Difference(text, reason)
    return explained


def _reason(ours: Item, theirs: Item, not_held: Sequence[str]) -> str:
    """Return why a format that does not hold these parts of a win gives back another item; empty if it should not."""
    if "hule" in ours and "hule" in theirs:
        rest = [{key: value for key, value in item["hule"].items() if key not in not_held} for item in (ours, theirs)]
        return VALUE if rest[0] == rest[1] else ""
    if not_held and "pingju" in ours and "pingju" in theirs:
        a, b = ours["pingju"], theirs["pingju"]
        if "l" in a and not any(a["fenpei"]):
            return WHOSE
        same = all(a[key] == b[key] for key in ("name", "fenpei")) and not any(a["fenpei"])
        return HANDS if same else ""
    return ""


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except BadInput as error:
        sys.exit(f"roundtrips: {error}")
