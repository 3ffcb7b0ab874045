"""A match of three: paired walls in three rotations, figures, records that verify, and resuming."""

import json
from pathlib import Path

import pytest

from tests.kit.command import Jantaku

MATCH = ("match", "--rules", "tenhou-3p", "--length", "one", "--seed", "5", "--threads", "inline")


@pytest.mark.long
def test_three_meet_in_three_rotations_on_the_same_walls(jantaku: Jantaku, tmp_path: Path) -> None:
    folder = tmp_path / "m"
    ran = jantaku(*MATCH, "--players", "shanten,dice,caller", "--sets", "2", "--out", str(folder))
    assert ran.code == 0 and "1st 2nd 3rd %" in ran.out
    lines = [json.loads(line) for line in (folder / "journal.jsonl").read_text("utf-8").splitlines()[1:]]
    firsts = [line["players"][0] for line in lines[:3]]
    assert len(lines) == 6 and set(firsts) == {"shanten", "dice", "caller"}
    assert len({line["seed"] for line in lines[:3]}) == 1 and all(sorted(line["ranks"]) == [1, 2, 3] for line in lines)
    assert jantaku("verify", *sorted(map(str, (folder / "records").glob("*.jsonl")))).code == 0


def test_formats_of_other_tables_are_refused_in_a_line(jantaku: Jantaku, tmp_path: Path) -> None:
    ran = jantaku(*MATCH, "--format", "2v2", "--players", "shanten,caller")
    assert (ran.code, ran.err) == (2, "jantaku: format 2v2 seats 4; for 3 players there is 1v2\n")
    ran = jantaku("match", "--format", "1v2", "--players", "shanten,caller")
    assert (ran.code, ran.err) == (2, "jantaku: format 1v2 seats 3; for 4 players there is 1v3 and 2v2\n")
