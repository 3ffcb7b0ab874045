"""Copies of a league, and what is exported of it."""

import csv
import json
from pathlib import Path

import pytest

from jantaku.table.arena.league.file import LeagueFile
from jantaku.table.arena.league.pool import League
from jantaku.table.arena.league.site import export, rows_of
from jantaku.table.ground.errors import BadInput
from tests.arena.league.leagues import begun, play


def test_the_file_of_a_branch_that_an_older_version_made_plays_on_walls_of_its_own(tmp_path: Path) -> None:
    league = begun(tmp_path / "a.league")
    play(league, 4, tmp_path / "s")
    league.file.copied(tmp_path / "b.league", records=True)
    with LeagueFile.open(tmp_path / "b.league") as file, file.writing():
        file.write("UPDATE league SET branch = 'there'")
    copy = League(LeagueFile.open(tmp_path / "b.league"))
    play(copy, 12, tmp_path / "s")
    lines = list(copy.lines())
    assert {(line.seed, line.set) for line in lines} == {
        *(("main", walls) for walls in range(2)),
        *(("there", walls) for walls in range(2)),
    }
    assert lines[0].print != lines[8].print and copy.played == 16


def test_every_seat_is_a_row_of_an_export(tmp_path: Path) -> None:
    league = begun(tmp_path / "a.league")
    play(league, 4, tmp_path / "s")
    assert export(league, tmp_path / "a.csv") == export(league, tmp_path / "a.jsonl") == 16
    rows = list(rows_of(league))
    with (tmp_path / "a.csv").open() as file:
        assert [row["rank"] for row in csv.DictReader(file)] == [str(row["rank"]) for row in rows]
    assert [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()] == rows
    assert {row["bot"] for row in rows} == {"dice", "tsumogiri", "second", "fourth"}
    with pytest.raises(BadInput, match=r"is exported as .csv, .jsonl, .parquet"):
        export(league, tmp_path / "a.txt")


def test_an_export_to_parquet_has_the_same_rows(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra “parquet” is not installed")
    league = begun(tmp_path / "a.league")
    play(league, 2, tmp_path / "s")
    export(league, tmp_path / "a.parquet")
    assert parquet.read_table(tmp_path / "a.parquet").to_pylist() == list(rows_of(league))
