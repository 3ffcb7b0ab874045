"""`jantaku show`: a position line is drawn with its options, and a record's questions are printed as lines."""

import json
from pathlib import Path

from jantaku.table.riichi.line import read_line
from tests.kit.cases import cases
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


@cases(
    "line, told",
    (OWN, "南 has drawn p5, shanten 1; it may: m8 p3 s3 s5 s9 z3 p5_"),
    (THREE, "南 has called z2 and discards, shanten 1; it may: p1 p3 p0 p6 p7 p8 s3 s4 s9 z1"),
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


def test_a_line_is_viewed_with_a_past_that_is_told_to_be_made_up(jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku("view", CLAIM, "--export", str(tmp_path / "line.html"))
    assert (ran.code, ran.err) == (0, "")
    page = (tmp_path / "line.html").read_text("utf-8")
    assert "a past that could have led to this position: its hidden tiles" in page
