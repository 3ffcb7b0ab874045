"""Copies of a league: merged, exported, and none of their hanchan counted twice."""

import csv
import json
from pathlib import Path

import pytest

from table.errors import BadInput
from table.league.export import export, rows_of
from table.league.file import LeagueFile, records_of
from table.league.merging import merge
from table.league.pool import League
from table.league.terms import newcomer
from tests.league.leagues import begun, play, terms


def copy_of(league: League, to: Path, branch: str = "") -> League:
    """A copy, of a branch of its own if that is named."""
    league.file.copied(to, records=True)
    copy = League(LeagueFile.open(to))
    if branch:
        copy.branch_off(branch)
    return copy


def test_a_copy_that_played_on_comes_back_and_each_hanchan_counts_once(tmp_path: Path) -> None:
    league = begun(tmp_path / "a.league")
    play(league, 4, tmp_path / "s")
    copy = copy_of(league, tmp_path / "b.league", "there")
    play(league, 4, tmp_path / "s")
    play(copy, 8, tmp_path / "s")
    came = merge(league, copy)
    assert (came.new, came.known, came.otherwise, league.played) == (8, 4, 0, 16)
    assert merge(league, copy).new == 0 and league.played == 16
    walls = {(line.seed, line.set) for line in league.lines()}
    assert len(walls) == 4 and {branch for branch, _ in walls} == {"main", "there"}
    records = sorted(path.name for path in records_of(league.file.path).glob("*.jsonl"))
    assert records == [line[-1] for line in league.file.all("SELECT record FROM games ORDER BY game")]
    assert {one.games for one in league.history()} == {8, 16}, "rated with what came"
    assert play(league, 4, tmp_path / "s") == 4


def test_a_plain_copy_plays_the_same_hanchan_and_merging_it_adds_nothing(tmp_path: Path) -> None:
    league = begun(tmp_path / "a.league")
    copy = copy_of(league, tmp_path / "b.league")
    play(league, 6, tmp_path / "s")
    play(copy, 7, tmp_path / "s")
    came = merge(league, copy)
    assert (came.new, came.known, came.otherwise) == (1, 6, 0)


def test_bots_are_told_apart_by_their_code_when_files_are_merged(tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    league = begun(tmp_path / "a.league")
    copy = copy_of(league, tmp_path / "b.league", "there")
    for of, kind in ((league, "dice import Dice"), (copy, "tsumogiri import Tsumogiri")):
        bot.write_text(f"from players.bots.{kind} as Mine\n")
        of.add(*newcomer(f"{bot}:Mine"))
    came = merge(league, copy)
    assert came.bots == ("Mine@2",)
    assert [one.state for one in league.bots if one.name == "Mine"] == ["active", "candidate"]


def test_a_league_of_other_rules_is_not_merged(tmp_path: Path) -> None:
    league, other = begun(tmp_path / "a.league"), begun(tmp_path / "b.league", of=terms(seed=6, batch=3))
    with pytest.raises(
        BadInput, match=r"is another league than .*: batch: 2 here, 3 there; the seeds; nothing was cha"
    ):
        merge(league, other)


def test_a_branch_is_named_once(tmp_path: Path) -> None:
    league = begun(tmp_path / "a.league")
    with pytest.raises(BadInput, match="--branch main: the league has that branch already"):
        league.refuse_branch("main")


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
