"""Copies of a league."""

import sqlite3
from contextlib import closing
from pathlib import Path

from jantaku.table.arena.league.file import LeagueFile
from jantaku.table.arena.league.pool import League
from tests.arena.league.leagues import begun, play

DOCS = Path(__file__).parents[3] / "docs"


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


def test_the_query_of_the_page_has_a_row_for_every_seat_of_every_hanchan(tmp_path: Path) -> None:
    play(begun(tmp_path / "a.league"), 4, tmp_path / "s")
    query = (DOCS / "league.md").read_text("utf-8").partition("```sql\n")[2].partition("```")[0]
    with closing(sqlite3.connect(tmp_path / "a.league")) as file:
        rows = file.execute(query).fetchall()
    assert len(rows) == 16 and {row[4] for row in rows} == {"dice", "tsumogiri", "second", "fourth"}
