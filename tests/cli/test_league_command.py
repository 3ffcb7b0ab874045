"""`jantaku league` as a person uses it."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.command import Jantaku

EDITS = {
    "UPDATE units SET lineup = 'x' WHERE unit = 0": "table units, unit 0: lineup: JSON is malformed: ",
    "UPDATE units SET lineup = '[0,1,2,77]' WHERE unit = 0": "table units, unit 0: there is no bot 77",
    "UPDATE units SET lineup = '[0,1]' WHERE unit = 1": "table units, unit 1: the lineup is not of 4 different bots",
    "UPDATE bots SET player = 'x' WHERE id = 0": "table bots, id 0: player: JSON is malformed: ",
    """UPDATE bots SET player = '{"bot":5}' WHERE id = 0""": "table bots, id 0: Expected `str`, got `int` ",
    "DELETE FROM league": "table league: has 0 rows; one is wanted",
    "DELETE FROM bots": "table units, unit 0: there is no bot ",
    "UPDATE seats SET rank = 'x' WHERE game = 3 AND place = 0": "table seats, game 3, place 0: Expected `int ",
    "UPDATE seats SET faults = 'x' WHERE game = 3": "table seats, game 3, place 0: faults: JSON is malformed: ",
    """UPDATE seats SET faults = '{"x":1}' WHERE game = 3""": "table seats, game 3, place 0: a word of its",
    "UPDATE seats SET counts = 'x' WHERE game = 3": "table seats, game 3, place 0: counts: JSON is malformed: ",
    "UPDATE bots SET anchor = 'nan' WHERE id = 1": "table bots, id 1: Expected `float | null`, got `str` - at ",
    "UPDATE bots SET anchor = 9e999 WHERE id = 1": "table bots, id 1: Expected `float` <= ",
    "UPDATE bots SET id = 9 WHERE id = 3": "table bots, id 9: ids go up by one from 0, and there is no bot 3",
    "UPDATE league SET terms = 'x'": "table league: terms: JSON is malformed: ",
    """UPDATE league SET terms = json_set(terms, '$.clock.turn', 1e300)""": "table league: clock.turn: 1e+300 ",
    "UPDATE seats SET rank = 1 WHERE game = 3": "table games, game 3: its ranks in the table seats are not 1 to 4",
    "UPDATE seats SET points = NULL WHERE game = 3": "table seats, game 3, place 0: score and points are missing",
    "UPDATE seats SET bot = 4 WHERE game = 3": "table seats, game 3, place 0: there is no bot 4",
    "DELETE FROM seats WHERE game = 3": "table games, game 3: none of its seats is in the table seats",
    "DELETE FROM seats WHERE game = 7": "table games, game 7: none of its seats is in the table seats",
    "DELETE FROM seats WHERE game = 3 AND place = 2": "table games, game 3: its places in the table seats are not 0 ",
    "DELETE FROM units WHERE unit = 0": "table games, game 0: is not a hanchan of table 0",
    "UPDATE units SET unit = 1 << 62 WHERE unit = 0": "Expected `int` <= ",
    "UPDATE units SET batch = 1000000 WHERE unit = 0": "table units, unit 0: batch 1000000 of 2 tables; they go up",
}
"""What somebody has changed in the file by a query, and what is said of it."""
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
        (("play", "a.league", "--hanchan", "1", "--total", "9"), "give either --hanchan or --total"),
        (("new", "c.league", "--threads", "inline", "--limit", "3"), "threads = inline cannot keep a clock"),
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
    for words in (
        ("table", league),
        ("play", league, "--hanchan", "1"),
        ("site", league, "s"),
        ("export", league, "s.csv"),
    ):
        ran = jantaku("league", *words)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), (words, ran.err)
        assert ran.err.startswith(f"jantaku: {league}: ") and told in ran.err, words
    assert not Path("s").exists() and not Path("s.csv").exists()
