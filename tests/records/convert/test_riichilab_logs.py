"""Logs of riichi.dev: gzip, keys in alphabetical order, without names, without points at the end, with slips."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.ground.errors import BadInput
from jantaku.table.languages.facts import DrawFact
from jantaku.table.languages.mjai.reader import Hearer
from jantaku.table.records.convert.readers import read_any, write_any
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.verify import verify
from jantaku.table.riichi import events
from jantaku.table.riichi.pieces.board import Board
from jantaku.table.riichi.ruleset import preset

Line = dict[str, Any]


@pytest.fixture(scope="module")
def played(game_folder: Path) -> Record:
    return read_any(game_folder / "game-0000.jsonl").record


def told(record: Record) -> list[Line]:
    lines = [json.loads(line) for line in write_any(record, "mjai", "riichilab")[0].splitlines()]
    return [{"type": "start_game"}, *lines[1:-1], {"type": "end_game"}]


def kept(lines: list[Line], folder: Path) -> Path:
    path = folder / "game.jsonl.gz"
    path.write_bytes(gzip.compress("".join(json.dumps(line, sort_keys=True) + "\n" for line in lines).encode()))
    return path


def test_a_log_is_imported_and_verifies(played: Record, tmp_path: Path) -> None:
    assert played.rules is not None
    record = read_any(kept(told(played), tmp_path), played.rules).record
    assert record.log == played.log
    assert verify(record, played.rules).difference is None


def test_the_event_that_contradicts_those_before_is_named(played: Record, tmp_path: Path) -> None:
    lines = told(played)
    at = next(number for number, line in enumerate(lines) if line["type"] == "dahai")
    lines[at]["pai"] = next(pai for pai in ("1m", "9s", "E", "C") if pai not in str(lines[1]) + str(lines[2]))
    with pytest.raises(BadInput, match=rf"line {at + 1}: kyoku 1 event {at}: seat 0 does not hold"):
        read_any(kept(lines, tmp_path))


@pytest.mark.parametrize("deltas", [[-5000, -2000, 8000, -2000], [-4000, -2000, 8000, -2000]])
def test_a_draw_that_counts_the_riichi_sticks_once_more_pays_what_was_paid(deltas: list[int]) -> None:
    board = Board(preset("tenhou"))
    events.KyokuStart(0, 1, 0, 0, 0, (35600, 19000, 28600, 16800), 0, (None,) * 4).apply(board)
    events.Riichi(0).apply(board)
    hearer = Hearer(board)
    draw = hearer.hear({"type": "ryukyoku", "reason": "nagashimangan", "deltas": deltas})
    assert isinstance(draw, DrawFact)
    assert draw.deltas == (-4000, -2000, 8000, -2000)
