"""`jantaku league` as a person uses it."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from scripts.attacks.leagues import EDITS
from tests.kit.command import Jantaku

BOTS = ("dice", "tsumogiri", "dice?name=second", "tsumogiri?name=fourth")


@pytest.fixture
def league(jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A league of four that has played eight hanchan."""
    monkeypatch.chdir(tmp_path)
    new = ("--length", "one", "--threads", "inline", "--seed", "5", "--batch", "2")
    assert jantaku("league", "new", "a.league", *new).code == 0
    assert jantaku("league", "add", "a.league", *BOTS).out.splitlines()[-1] == "fourth@1 is active"
    ran = jantaku("league", "play", "a.league", "--hanchan", "8", "--workers", "0")
    assert ran.code == 0 and "8 hanchan played, 8 in all" in ran.out
    return "a.league"


def test_a_league_is_played_on_and_its_table_printed(jantaku: Jantaku, league: str) -> None:
    ran = jantaku("league", "play", league, "--total", "12", "--workers", "0")
    assert "4 hanchan played, 12 in all" in ran.out
    told = jantaku("league", "table", league)
    assert told.code == 0 and max(map(len, told.out.splitlines())) <= 80
    found = json.loads(jantaku("league", "table", league, "--json").out)
    assert found["hanchan"] == 12 and {one["bot"] for one in found["bots"]} == {
        "dice@1",
        "tsumogiri@1",
        "second@1",
        "fourth@1",
    }


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("add", "a.league", "dice"), "its code is that of dice@1"),
        (("add", "a.league", "dice?name=a@2"), "stands before the number of a version"),
        (("table", "b.league"), "there is no such league"),
        (("new", "a.league"), "exists already"),
        (("promote", "a.league", "dice"), "only a candidate can be promoted"),
        (("reject", "a.league", "dcie"), "there is no bot dcie; did you mean dice"),
        (
            ("merge", "a.league", "b.league"),
            "merge is no command any more; two files are two leagues; query both with ",
        ),
        (("export", "a.league", "b.csv"), "export is no command any more; the file is SQLite: its tables games, "),
        (("play", "a.league", "--hanchan", "1", "--total", "9"), "give either --hanchan or --total"),
        (
            ("new", "c.league", "--threads", "inline", "--limit", "3"),
            "--threads inline cannot keep a clock: leave --limit away",
        ),
    ],
)
def test_bad_input_is_one_line(jantaku: Jantaku, league: str, words: tuple[str, ...], told: str) -> None:
    before = Path(league).read_bytes()
    ran = jantaku("league", *words)
    assert ran.code == 2 and ran.out == "" and told in ran.err and ran.err.count("\n") == 1
    assert Path(league).read_bytes() == before


@pytest.mark.parametrize(("query", "told"), EDITS.items())
def test_a_row_that_is_wrong_is_told_by_its_table_and_number(
    jantaku: Jantaku, league: str, query: str, told: str
) -> None:
    with closing(sqlite3.connect(league)) as base, base:
        base.execute(query)
    for words in (("table", league), ("play", league, "--hanchan", "1"), ("site", league, "s")):
        ran = jantaku("league", *words)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), (words, ran.err)
        assert ran.err.startswith(f"jantaku: {league}: ") and told in ran.err, words
    assert not Path("s").exists()
