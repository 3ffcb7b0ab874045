"""`jantaku show`: a position line is drawn with its options, and a record's questions are printed as lines."""

import json
from pathlib import Path

import pytest

from jantaku.table.riichi.line import read_line
from tests.kit.command import Jantaku
from tests.riichi.line import CLAIM, OWN, THREE

DATA = Path(__file__).parents[1] / "data"
RECORD = DATA / "records-1" / "tonpu" / "game-0000.json"


def test_a_line_is_drawn_with_its_options_and_shanten(jantaku: Jantaku) -> None:
    ran = jantaku("show", CLAIM)
    assert (ran.code, ran.err) == (0, "")
    assert "東二局 0本場  供託1  残り36枚  ドラ表示 9p" in ran.out
    assert "[1m◂ 2m 3m]" in ran.out and "«6s»" in ran.out and ran.out.count("▒▒") == 13 + 13 + 10
    assert ran.out.endswith("東 may claim m9 of 北, shanten 3; it may: m789- pass\n")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (OWN, "南 has drawn p5, shanten 1; it may: m8 p3 s3 s5 s9 z3 p5_"),
        (THREE, "南 has called z2 and discards, shanten 1; it may: p1 p3 p0 p6 p7 p8 s3 s4 s9 z1"),
    ],
)
def test_a_line_tells_what_the_seat_may_do(jantaku: Jantaku, line: str, told: str) -> None:
    assert jantaku("show", line).out.splitlines()[-1] == told


def test_a_line_is_data_where_json_is_asked_for(jantaku: Jantaku) -> None:
    told = json.loads(jantaku("show", CLAIM, "--json").out)
    assert (told["line"], told["asked"], told["shanten"]) == (CLAIM, "discard", 3)
    assert told["view"]["hand"] == "m4788p4407s4z1,m1-23" and told["options"] == [{"fulou": "m789-"}, {}]
    assert len(told["numbers"]) == 2


def test_the_questions_of_a_turn_are_printed_as_lines_that_can_be_shown(jantaku: Jantaku) -> None:
    lines = [jantaku("show", str(RECORD), "--kyoku", "2", *words, "--line") for words in ((), ("--turn", "12"))]
    assert [ran.code for ran in lines] == [0, 0] and [ran.err for ran in lines] == ["", ""]
    whole, one = (ran.out.splitlines() for ran in lines)
    assert 1 <= len(one) < len(whole) and set(one) < set(whole)
    assert all(read_line(line).line == line and " E2 " in line for line in whole)
    assert jantaku("show", one[0]).code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("jtk1", "tenhou", "E1"), "a position line has spaces; put all of it in single quotes: jantaku show 'jtk1 …'"),
        (("jtk1 tenhou E1",), "position line: it has 3 fields; allowed are 13 where 4 play"),
        ((OWN.replace("m8p3", "m8"),), "position line, column"),
        ((OWN, "--turn", "3"), "--turn: only for records; a position line is one question, and names its rules"),
        ((OWN, "--line", "--rules", "showa"), "--line, --rules: only for records; a position line is one question"),
        ((str(RECORD), "--line", "--json"), "--line and --json exclude each other"),
        ((str(RECORD), "--line", "--kyoku", "99"), "has no kyoku 99; it has 5"),
        ((str(RECORD), "--line", "--turn", "900"), "no seat had more than one option there"),
        (
            (str(DATA / "records-1" / "daifugo" / "game-0000.jsonl"), "--line"),
            "which has no position lines; riichi has them",
        ),
    ],
)
def test_what_cannot_be_shown_is_one_line(jantaku: Jantaku, words: tuple[str, ...], said: str) -> None:
    ran = jantaku("show", *words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err and ran.err.count("\n") == 1


def test_a_line_is_viewed_with_a_past_that_is_told_to_be_made_up(jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku("view", CLAIM, "--export", str(tmp_path / "line.html"))
    assert (ran.code, ran.err) == (0, "")
    page = (tmp_path / "line.html").read_text("utf-8")
    assert "a past that could have led to this position: its hidden tiles" in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((CLAIM, str(RECORD)), "a position line is viewed alone; leave "),
        ((CLAIM.replace("left=36", "left=9"),), "position line, column "),
        (("jtk1",), "a position line has spaces; put all of it in single quotes"),
    ],
)
def test_a_line_that_cannot_be_viewed_is_refused_in_one(jantaku: Jantaku, words: tuple[str, ...], said: str) -> None:
    ran = jantaku("view", *words, "--no-browser")
    assert ran.code == 2 and said in ran.err and ran.err.count("\n") == 1
