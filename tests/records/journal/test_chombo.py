"""A game with chombo that was killed: the walls of a kyoku that was dealt again come from the seed as well."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from jantaku.table.records.journal.read import load
from jantaku.table.records.journal.sealed import commitment
from jantaku.table.records.replay.verify import chombos, verify
from tests.kit.careless import careless_game


def public(line: dict[str, Any]) -> dict[str, Any]:
    """A line as the journal of a running game has it."""
    for key in line.keys() & {"zimo", "gangzimo"}:
        line[key]["p"] = ""
    if "qipai" in line:
        line["qipai"]["shoupai"] = [""] * 4
    return line


def test_a_kyoku_that_was_dealt_again_is_opened_by_the_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    game = careless_game(tmp_path, "mleague", seed="5")
    path = tmp_path / "game-0000.jsonl"
    whole = load(path)
    header, *lines = whole.lines
    header |= {"commit": commitment(whole.seed or "", 0), "seed": "", "sealed": True}
    told = [public(line) for line in lines if not line.keys() & {"wall", "turn", "digest", "jieju"}]
    left = tmp_path / "left.jsonl"
    left.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in (header, *told)))
    again = load(left, lambda number: [whole.seed or ""])
    assert sum(chombos(again.log, 4)) == sum(game.standing.chombos) > 1
    assert [wall.tiles for wall in again.walls] == [wall.tiles for wall in whole.walls]
    assert verify(again, game.rules).difference is None
