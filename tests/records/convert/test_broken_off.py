"""A log that breaks off behind two kans in a row: others write an indicator at another place than the engine."""

import json
from pathlib import Path

import pytest

from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.replay.fitting import rules_of
from jantaku.table.records.replay.verify import verify

HANDS = [
    ["E", "E", "S", "S", "2m", "3m", "4m", "5p", "6p", "7p", "9s", "9s", "1m"],
    ["E", "1p", "2p", "3p", "4p", "5p", "6p", "7p", "8p", "9p", "1s", "2s", "3s"],
    ["S", "4s", "5s", "6s", "7s", "8s", "1m", "4m", "7m", "2p", "5m", "8m", "9m"],
    ["W", "W", "N", "N", "P", "P", "F", "F", "C", "C", "3s", "6s", "2s"],
]


def turn(actor: int, drawn: str, discarded: str) -> list[object]:
    discard = {"type": "dahai", "actor": actor, "pai": discarded, "tsumogiri": drawn == discarded}
    return [{"type": "tsumo", "actor": actor, "pai": drawn}, discard]


def called(target: int, pai: str, discarded: str) -> list[object]:
    pon = {"type": "pon", "actor": 0, "target": target, "pai": pai, "consumed": [pai, pai]}
    return [pon, {"type": "dahai", "actor": 0, "pai": discarded, "tsumogiri": False}]


LINES = [
    {"type": "start_game", "names": ["a", "b", "c", "d"]},
    {"type": "start_kyoku", "bakaze": "E", "dora_marker": "1s", "kyoku": 1, "honba": 0, "kyotaku": 0, "oya": 0}
    | {"scores": [25000] * 4, "tehais": HANDS},
    *turn(0, "7s", "7s"),
    *turn(1, "4s", "E"),
    *called(1, "E", "1m"),
    *turn(1, "5s", "5s"),
    *turn(2, "9p", "S"),
    *called(2, "S", "9s"),
    *turn(1, "6s", "6s"),
    *turn(2, "8p", "8p"),
    *turn(3, "9m", "9m"),
    {"type": "tsumo", "actor": 0, "pai": "E"},
    {"type": "kakan", "actor": 0, "pai": "E", "consumed": ["E"] * 3},
    {"type": "tsumo", "actor": 0, "pai": "S"},
    {"type": "kakan", "actor": 0, "pai": "S", "consumed": ["S"] * 3},
    {"type": "dora", "dora_marker": "3p"},
    {"type": "tsumo", "actor": 0, "pai": "8s"},
    {"type": "dora", "dora_marker": "7p"},
    {"type": "dahai", "actor": 0, "pai": "8s", "tsumogiri": True},
]


@pytest.mark.parametrize("end", range(len(LINES) - 8, len(LINES) + 1))
def test_every_cut_behind_two_kans_in_a_row_agrees_as_far_as_it_goes(tmp_path: Path, end: int) -> None:
    (file := tmp_path / "cut.mjson").write_text("\n".join(map(json.dumps, LINES[:end])))
    record = read_any(file).record
    found = verify(record, rules_of(record))
    assert found.difference is None and not found.complete
    assert len(record.log[0]) >= end - 1, "and nothing of it is lost"
