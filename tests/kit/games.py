"""Other programs' recorded games, and ways to change them."""

import dataclasses
import gzip
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from jantaku.table.languages.facts import DrawFact, WinFact
from scripts.corpora import record as recorded
from scripts.corpora.following import Difference, follow
from scripts.corpora.reading import read
from scripts.corpora.record import GameRecord, KyokuRecord

GAMES = Path(__file__).parents[1] / "data" / "games"
FILES = sorted(GAMES.glob("*.jsonl.gz"))
TENHOU, MAJIANG, RIICHIENV, SCRIPT, THREE = (
    GAMES / f"{name}.jsonl.gz" for name in ("tenhou", "majiang_core", "riichienv", "majiang_script", "three")
)


@cache
def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in gzip.decompress(file.read_bytes()).decode().splitlines()]


@cache
def records(file: Path) -> list[GameRecord]:
    return [record for record in read(file) if isinstance(record, GameRecord)]


def record(file: Path, name: str) -> GameRecord:
    return next(record for record in records(file) if record.name == name)


def first(file: Path) -> GameRecord:
    return records(file)[0]


def everything() -> Iterable[tuple[GameRecord, KyokuRecord]]:
    return ((record, kyoku) for file in FILES for record in records(file) for kyoku in record.kyoku)


def difference(record: GameRecord) -> Difference:
    _, found = follow(record)
    assert found is not None
    return found


def with_kyoku(record: GameRecord, number: int, **changes: Any) -> GameRecord:
    kyoku = record.kyoku
    kyoku[number] = dataclasses.replace(kyoku[number], **changes)
    return recorded.with_kyoku(record, kyoku)


def with_deal(record: GameRecord, number: int, **changes: Any) -> GameRecord:
    deal, *rest = record.log[number]
    return with_kyoku(record, number, log=(msgspec.structs.replace(deal, **changes), *rest))


def with_fact(record: GameRecord, number: int, place: int, **changes: Any) -> GameRecord:
    kyoku = record.kyoku[number]
    old = kyoku.facts[place]
    new = msgspec.structs.replace(old, **changes)
    return with_kyoku(record, number, log=tuple(new if fact is old else fact for fact in kyoku.log))


def with_decision(record: GameRecord, number: int, place: int, **changes: Any) -> GameRecord:
    decisions = list(record.kyoku[number].decisions)
    decisions[place] = msgspec.structs.replace(decisions[place], **changes)
    return with_kyoku(record, number, decisions=tuple(decisions))


def wins(kyoku: KyokuRecord) -> list[WinFact]:
    return [fact for fact in kyoku.facts if isinstance(fact, WinFact)]


def ended(kyoku: KyokuRecord, reason: str) -> bool:
    end = kyoku.facts[-1]
    return isinstance(end, DrawFact) and end.reason == reason
