"""The table of decisions, read back and held against the records."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from table.errors import BadInput
from table.formats.facts import DrawFact, WinFact
from table.port import Action
from table.record.read import Record, load
from table.replay.decision_table import DecisionTable, seen_columns
from table.replay.decisions import decisions
from table.replay.verify import game_of
from table.riichi.option_numbers import number_of
from table.riichi.pieces.seats import by_seat

parquet = pytest.importorskip("pyarrow.parquet", reason="the extra “parquet” is not installed")


def written(path: Path, *records: Record) -> list[dict[str, Any]]:
    with DecisionTable(path) as table:
        for record in records:
            assert table.add(record) is None
    rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    assert (len(rows), table.games) == (table.rows, len(records))
    return rows


def test_the_columns_are_those_of_the_docs(game_folder: Path, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "learning.md").read_text("utf-8")
    listed = page.partition("## Columns")[2].partition("## Option numbers")[0]
    names = [
        name for line in listed.splitlines() if line.startswith("| `") for name in line.split("|")[1].split("`")[1::2]
    ]
    written(tmp_path / "d.parquet", load(game_folder / "game-0000.jsonl"))
    found = parquet.read_schema(tmp_path / "d.parquet")
    assert names == found.names
    assert found.metadata == {b"jantaku.table": b"1", b"jantaku.options": b"1"}


@pytest.mark.parametrize("name", ["game-0000.jsonl", "game-0000.json"])
def test_a_game_played_by_the_answers_of_its_rows_is_the_record(game_folder: Path, tmp_path: Path, name: str) -> None:
    """Nothing but the engine tells the options here, and what the game's own board shows of a seat is in the row."""
    record = load(game_folder / name)
    rows = iter(written(tmp_path / "d.parquet", record))
    assert record.rules is not None
    game = game_of(record, record.rules, "rows")

    def answered(player: int, options: tuple[Action, ...]) -> Action:
        if len(options) == 1:
            return options[0]
        row = next(rows)
        seat = (player - game.first_dealer - game.standing.kyoku) % 4
        assert (row["player"], row["kyoku"]) == (player, game.rounds)
        assert row["options"] == [number_of(option) for option in options]
        seen = msgspec.json.decode(msgspec.json.encode(seen_columns(game.kyoku.board, seat)))
        assert {name: row[name] for name in seen} == seen
        place: int = row["options"].index(row["answer"])
        return options[place]

    while (turn := game.turn()) is not None:
        game.act(answered(turn.seat, turn.choice.options))
        responses: list[Action | None] = [None] * 4
        for player in range(4):
            if player != turn.seat and (choice := game.reaction(player)) is not None:
                responses[player] = answered(player, choice.options)
        game.rule(responses)
    assert next(rows, None) is None
    assert record.final is not None and game.events[-1].tenths == record.final.tenths


def test_every_row_tells_what_came_of_it(game_folder: Path, tmp_path: Path) -> None:
    record = load(game_folder / "game-0000.jsonl")
    final, seen = record.final, set()
    assert final is not None and final.ranks is not None
    for row in written(tmp_path / "d.parquet", record):
        kyoku = record.log[row["kyoku"] - 1]
        dealer = (row["player"] - row["seat"]) % 4
        result = kyoku[-1]
        assert isinstance(result, WinFact | DrawFact) and result.deltas is not None
        paid = sum(type(fact).__name__ == "Riichi" for fact in kyoku)
        assert sum(row["gains"]) == sum(result.deltas) - 1000 * paid
        assert (row["winners"] == [result.seat]) if isinstance(result, WinFact) else (row["winners"] == [])
        assert row["dealt_in"] == (result.source if isinstance(result, WinFact) else None)
        assert row["final_points"] == list(by_seat(final.scores, dealer))
        assert row["ranks"] == list(by_seat(final.ranks, dealer))
        seen.add(row["ended"])
    assert len(seen) > 1


def test_rows_have_the_answers_of_the_record(game_folder: Path, tmp_path: Path) -> None:
    record = load(game_folder / "game-0000.jsonl")
    rows = written(tmp_path / "d.parquet", record)
    told = [answer for turn in record.answers.values() for answer in turn["answers"]]
    assert [(row["player"], row["verdict"], row["used"]) for row in rows] == [
        (answer["seat"], answer["verdict"], answer["used"]) for answer in told
    ]
    assert [one.number for one in decisions(record)] == [row["answer"] for row in rows]


def test_what_the_record_does_not_tell_is_null(game_folder: Path, tmp_path: Path) -> None:
    """Its last kyoku without a result, and no end of the game."""
    record = load(game_folder / "game-0000.jsonl")
    record.final, record.log[-1] = None, record.log[-1][:-1]
    rows = written(tmp_path / "d.parquet", record)
    assert all(row["ranks"] is None and row["final_points"] is None for row in rows)
    assert {row["gains"] is None for row in rows if row["kyoku"] == len(record.log)} == {True}
    assert not any(row["gains"] is None for row in rows if row["kyoku"] < len(record.log))


def test_a_table_appears_only_when_it_is_whole(game_folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "d.parquet"
    broken = load(game_folder / "game-0000.jsonl")
    broken.rules = None
    with pytest.raises(BadInput, match="by which rules"):
        written(path, load(game_folder / "game-0000.jsonl"), broken)
    assert list(tmp_path.iterdir()) == []
    path.write_text("mine")
    with pytest.raises(BadInput, match="exists already"):
        DecisionTable(path)
    assert path.read_text() == "mine"


def test_a_disk_that_is_full_is_said_in_a_line_and_nothing_is_left(game_folder: Path, tmp_path: Path) -> None:
    command = f"ulimit -f 4; exec {sys.executable} -m table decisions {game_folder} {tmp_path / 'd.parquet'}"
    ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=50)
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1), ran.stderr
    assert "d.parquet cannot be written: " in ran.stderr and "File too large" in ran.stderr
    assert list(tmp_path.iterdir()) == []
