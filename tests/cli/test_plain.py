"""Terminals that cannot show Japanese."""

import io
import sys
from pathlib import Path

import pytest

from jantaku.table.cli.main import main
from tests.kit.command import Jantaku


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437"])
def test_a_terminal_without_japanese_shows_letters_for_tiles_and_winds(
    jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    folder = tmp_path / "games"
    words = ("--players", "dice,caller,dice,caller", "--length", "one", "--threads", "inline", "--seed", "3")
    assert jantaku("play", *words, "--out", str(folder)).code == 0
    screen = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(screen, encoding=encoding, errors="strict"))
    with pytest.raises(SystemExit):
        main(("show", str(folder / "game-0000.jsonl"), "--turn", "40"))
    told = screen.getvalue().decode(encoding)
    assert told.startswith("E 1  0 honba  sticks 0  left ") and "?" not in told
    assert [line[1:4] for line in told.splitlines()[1:5]] == ["E *", "S  ", "W  ", "N  "]
