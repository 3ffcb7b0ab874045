"""Carries records through every format and back and compares them event by event.

    python -m scripts.roundtrips FILE…

Reads our journals and 牌譜, mjai and tenhou.net/6 logs, and sample files (.jsonl.gz) whose lines hold one of
these under `paipu`, `events` or `json`. For each way it prints kyoku and how many came back identical; the last
line is `TOTAL K kyoku D different`; the exit code is 0 only if D is 0.
"""

import gzip
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from table.errors import BadInput
from table.record.convert import Format, Read, read_any, write_any
from table.record.items import Item
from table.record.read import Record
from table.riichi.majiang_rule import from_majiang
from table.riichi.ruleset import preset

WAYS: tuple[tuple[Format, str, str], ...] = (
    ("paifu", "wide", ".json"),
    ("journal", "wide", ".jsonl"),
    ("mjai", "wide", ".mjson"),
    ("mjai", "gimite", ".mjson"),
    ("mjai", "mortal", ".mjson"),
    ("mjai", "riichienv", ".mjson"),
    ("tenhou6", "wide", ".json"),
)


def main(files: list[str]) -> int:
    """Run all ways over all files."""
    kyoku, same = Counter[str](), Counter[str]()
    shown = Counter[str]()
    for name, read in (found for file in files for found in records(Path(file))):
        told = [note for note in read.notes if "kept as it is" in note]
        kyoku["import agrees"] += len(read.record.log)
        same["import agrees"] += len(read.record.log) - len(told)
        for note in told:
            print(f"{name}: {note}")
        for form, dialect, ending in WAYS:
            way = f"{form} {dialect}" if form == "mjai" else form
            for number, difference in enumerate(compared(read.record, form, dialect, ending), 1):
                kyoku[way] += 1
                same[way] += difference is None
                if difference is not None:
                    shown[way] += 1
                    if shown[way] <= 5:
                        print(f"{name} {way} kyoku {number}: {difference}")
    for way, count in kyoku.items():
        print(f"{way}: {count} kyoku, {same[way]} identical")
    different = sum(kyoku.values()) - sum(same.values())
    print(f"TOTAL {sum(kyoku.values())} kyoku {different} different")
    return 1 if different else 0


def records(path: Path) -> Iterator[tuple[str, Read]]:
    """Every record of a file with its name."""
    if not path.name.endswith(".jsonl.gz"):
        yield path.name, read_any(path)
        return
    for number, text in enumerate(gzip.decompress(path.read_bytes()).splitlines()):
        line = json.loads(text)
        name = f"{path.name}:{line.get('id', number)}"
        try:
            found = read_line(line)
        except BadInput as error:
            print(f"{name}: refused: {error}")
            continue
        if found is not None:
            yield name, found


def read_line(line: dict[str, Any]) -> Read | None:
    """The record in a line of a sample file; None if it holds none. A log that tenhou's rules do not fit is tried
    under Mahjong Soul's."""
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
    if any("kept as it is" in note for note in read.notes):
        other = _read(text, preset("mahjongsoul"))
        if len(other.notes) < len(read.notes):
            return other
    return read


def _read(text: str, rules: Any = None) -> Read:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        path.write_text(text)
        return read_any(path, rules)


def compared(record: Record, form: Format, dialect: str, ending: str) -> Iterator[str | None]:
    """By kyoku, where the record comes back differently from a format; None where it is identical."""
    try:
        content, _ = write_any(record, form, dialect)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"back{ending}"
            path.write_bytes(content)
            back = read_any(path, record.rules).record
    except BadInput as error:
        for _ in record.log:
            yield str(error)
        return
    ends = _ends(record) != _ends(back)
    for number, kyoku in enumerate(record.log):
        theirs = back.log[number] if number < len(back.log) else []
        last = number == len(record.log) - 1
        yield _difference(kyoku, theirs) or (f"ends with {_ends(back)}, not {_ends(record)}" if ends and last else None)


def _ends(record: Record) -> tuple[Any, ...]:
    return record.names, record.first_dealer, record.final, record.rules, record.seed


def _difference(ours: list[Item], theirs: list[Item]) -> str | None:
    for event in range(max(len(ours), len(theirs))):
        a = ours[event] if event < len(ours) else None
        b = theirs[event] if event < len(theirs) else None
        if a != b:
            return f"event {event + 1}: {json.dumps(a, ensure_ascii=False)} became {json.dumps(b, ensure_ascii=False)}"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
