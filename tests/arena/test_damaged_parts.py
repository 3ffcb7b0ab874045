"""Damaged sets of parts: `jantaku collect` refuses each in one line or names what lacks, and never sums wrongly."""

import os
import random
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from tests.arena.match.matches import contents, cut_all
from tests.kit.command import Jantaku

SETS, PARTS, EACH = 6, 3, 10
WORDS = ("match", "--format", "1v3", "--players", "dice,tsumogiri", "--sets", str(SETS))
QUICK = ("--length", "one", "--workers", "0", "--threads", "inline", "--quiet")


class Whole(NamedTuple):
    """A match, and one of another seed, with the parts of both."""

    folder: Path
    parts: Sequence[Path]
    others: Sequence[Path]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    from jantaku.table.cli.main import main

    base, found = tmp_path_factory.mktemp("whole"), []
    for seed in ("5", "6"):
        with pytest.raises(SystemExit):
            main([*WORDS, *QUICK, "--seed", seed, "--out", str(base / seed)])
        found.append(cut_all(base / seed, base / f"parts-{seed}", PARTS, SETS))
    return Whole(base / "5", *found)


class Damage:
    """One set of parts that is to be damaged, and the lots for it."""

    def __init__(self, folder: Path, whole: Whole, seed: int) -> None:
        self.lots, self.whole = random.Random(seed), whole
        self.parts = [Path(shutil.copytree(part, folder / part.name)) for part in whole.parts]
        self.part = self.lots.choice(self.parts)

    def record(self, ending: str) -> Path:
        return self.lots.choice(sorted((self.part / "records").glob(f"*{ending}")))

    def other(self, path: Path) -> Path:
        """The same file in the match of another seed."""
        return self.whole.others[0].parent / path.relative_to(self.part.parent)

    def change(self, path: Path, change: Callable[[bytes], bytes]) -> None:
        before = path.read_bytes()
        path.write_bytes(change(before))
        assert path.read_bytes() != before, "nothing was damaged"

    def lines(self, change: Callable[[list[bytes]], list[bytes]]) -> None:
        """Change the lines of the journal, without its head."""

        def changed(content: bytes) -> bytes:
            head, *lines = content.splitlines(keepends=True)
            return b"".join([head, *change(lines)])

        self.change(self.part / "journal.jsonl", changed)

    def one_number(self, pattern: bytes) -> None:
        """Make one number in the journal larger by one."""

        def changed(lines: list[bytes]) -> list[bytes]:
            at = self.lots.randrange(len(lines))
            found = self.lots.choice([*re.finditer(pattern, lines[at])])
            new = str(int(found[1]) + 1).encode()
            lines[at] = lines[at][: found.start(1)] + new + lines[at][found.end(1) :]
            return lines

        self.lines(changed)

    def byte(self, path: Path) -> None:
        """Put another byte into a file."""

        def changed(content: bytes) -> bytes:
            at = self.lots.randrange(len(content) - 1)
            return content[:at] + bytes([content[at] ^ (1 << self.lots.randrange(7))]) + content[at + 1 :]

        self.change(path, changed)

    def key(self, name: str, key: str, value: object) -> None:
        """Put another value into a JSON file of the part."""

        def changed(content: bytes) -> bytes:
            return msgspec.json.encode({**msgspec.json.decode(content), key: value})

        self.change(self.part / name, changed)


def _swap(damage: Damage) -> None:
    one, other = damage.lots.sample(damage.parts, 2)
    for name in ("journal.jsonl", "records"):
        (one / name).rename(one / "kept")
        (other / name).rename(one / name)
        (one / "kept").rename(other / name)


def _foreign_hanchan(damage: Damage) -> None:
    record = damage.record(".jsonl")
    number = int(record.stem[5:])
    foreign = damage.other(damage.part / "journal.jsonl").read_bytes().splitlines(keepends=True)[1:]
    line = next(line for line in foreign if msgspec.json.decode(line)["game"] == number)
    damage.lines(lambda lines: [line if msgspec.json.decode(one)["game"] == number else one for one in lines])
    for path in (record, record.with_suffix(".json")):
        shutil.copy(damage.other(path), path)


def _other_part(damage: Damage) -> None:
    shutil.copytree(damage.other(damage.part), damage.part, dirs_exist_ok=True)


def _twice(damage: Damage) -> None:
    again = Path(shutil.copytree(damage.part, damage.part.with_name("again")))
    damage.parts.append(again)
    damage.part = again
    damage.one_number(rb'"deal_ins":(\d+)')


def _folder_for(name: str) -> Callable[[Damage], None]:
    def replaced(damage: Damage) -> None:
        path = damage.part / name
        path.unlink()
        path.mkdir()

    return replaced


def _pipe(damage: Damage) -> None:
    path = damage.record(".jsonl")
    path.unlink()
    os.mkfifo(path)


DAMAGES: dict[str, Callable[[Damage], None]] = {
    "a number of counts": lambda damage: damage.one_number(rb'"(?:wins|riichi|kyoku|deal_ins|tsumo)":(\d+)'),
    "a score or a rank": lambda damage: damage.one_number(rb"[\[,](\d+)[,\]]"),
    "the number of a set or hanchan": lambda damage: damage.one_number(rb'"(?:game|set)":(\d+)'),
    "a byte of the journal": lambda damage: damage.byte(damage.part / "journal.jsonl"),
    "a line is gone": lambda damage: damage.lines(lambda lines: lines[1:]),
    "a line is there twice": lambda damage: damage.lines(lambda lines: [*lines, damage.lots.choice(lines)]),
    "half a line in the middle": lambda damage: damage.lines(lambda lines: [lines[0][:30], *lines[1:]]),
    "the end of the journal is gone": lambda damage: damage.lines(lambda lines: [*lines[:-1], lines[-1][:-9]]),
    "the journal is of another match": lambda damage: damage.change(
        damage.part / "journal.jsonl", lambda _: damage.other(damage.part / "journal.jsonl").read_bytes()
    ),
    "a hanchan of another match with its record": _foreign_hanchan,
    "a part of another match": _other_part,
    "two parts are exchanged": _swap,
    "a part is there twice and differs": _twice,
    "a record is gone": lambda damage: damage.record(".jsonl").unlink(),
    "a 牌譜 is gone": lambda damage: damage.record(".json").unlink(),
    "a record is cut": lambda damage: damage.change(
        damage.record(".jsonl"), lambda content: content[: len(content) // 2]
    ),
    "a record is of another match": lambda damage: damage.change(
        path := damage.record(".jsonl"), lambda _: damage.other(path).read_bytes()
    ),
    "a record is a pipe": _pipe,
    "the plan is of another version": lambda damage: damage.key("match.json", "version", "0.0.1"),
    "the plan has another bot": lambda damage: damage.key("match.json", "fingerprints", ["0" * 12, "1" * 12]),
    "the plan is no plan": lambda damage: damage.change(damage.part / "match.json", lambda _: b"{}"),
    "part.json is of another part": lambda damage: damage.key(
        "part.json", "part", msgspec.json.decode((damage.part / "part.json").read_bytes())["part"] % PARTS + 1
    ),
    "part.json is torn": lambda damage: damage.change(damage.part / "part.json", lambda content: content[:9]),
    "the journal is a folder": _folder_for("journal.jsonl"),
    "part.json is a folder": _folder_for("part.json"),
}


@pytest.mark.parametrize("what", DAMAGES)
def test_no_damaged_set_of_parts_is_summed_wrongly(jantaku: Jantaku, tmp_path: Path, whole: Whole, what: str) -> None:
    wanted = contents(whole.folder)
    for seed in range(EACH):
        folder = tmp_path / str(seed)
        damage = Damage(folder, whole, seed)
        DAMAGES[what](damage)
        ran = jantaku("collect", *map(str, damage.parts), "--out", str(folder / "out"), "--quiet")
        if ran.code == 0:
            assert contents(folder / "out") == wanted, f"{what}, {seed}: another sum"
            raise AssertionError(f"{what}, {seed}: is not noticed")
        assert ran.code in (2, 3) and not (folder / "out").exists() and not (folder / "out.part").exists()
        assert ran.err.count("\n") == 1 and "Traceback" not in ran.err and "sorry" not in ran.err, ran.err
        assert ran.code == 2 or "missing" in ran.err or "not finished" in ran.err, ran.err
