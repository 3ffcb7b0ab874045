"""`jantaku collect`: parts of a match become what one machine would have written, or nothing is written."""

import random
from pathlib import Path

import pytest

from tests.arena.match.matches import contents
from tests.arena.match.parts import cut_all, tree
from tests.kit.command import Jantaku

SETS = 6
FORMATS = {
    "1v3": ("--format", "1v3", "--players", "dice,tsumogiri"),
    "seats": ("--players", "dice,tsumogiri,caller,shanten"),
    "gauntlet": ("--format", "gauntlet", "--players", "dice,tsumogiri,caller,shanten,allround"),
}
QUICK = ("--length", "one", "--workers", "0", "--threads", "inline", "--seed", "5", "--sets", str(SETS), "--quiet")


@pytest.fixture
def whole(jantaku: Jantaku, tmp_path: Path) -> Path:
    """A match that one machine has played."""
    assert jantaku("match", *FORMATS["1v3"], *QUICK, "--out", str(tmp_path / "whole")).code == 0
    return tmp_path / "whole"


@pytest.mark.parametrize("form", FORMATS)
def test_parts_that_were_played_apart_become_the_match_of_one_machine(
    jantaku: Jantaku, tmp_path: Path, form: str
) -> None:
    words = ("match", *FORMATS[form], *QUICK)
    assert jantaku(*words, "--out", str(tmp_path / "whole")).code == 0
    parts = [str(tmp_path / f"part-{number}") for number in range(1, 5)]
    for number, part in enumerate(parts, 1):
        assert jantaku(*words, "--part", f"{number}/4", "--out", part).code == 0
    random.Random(1).shuffle(parts)
    ran = jantaku("collect", *parts, "--out", str(tmp_path / "match"), "--quiet")
    assert (ran.code, ran.err) == (0, "")
    assert contents(tmp_path / "match") == contents(tmp_path / "whole")


def test_parts_cut_out_of_a_match_become_that_match_in_every_byte(
    jantaku: Jantaku, tmp_path: Path, whole: Path
) -> None:
    parts = [str(part) for part in cut_all(whole, tmp_path, 4, SETS)]
    assert jantaku("collect", *reversed(parts), "--out", str(tmp_path / "match"), "--quiet").code == 0
    assert tree(tmp_path / "match") == tree(whole)


def test_what_is_missing_is_named_with_the_command_that_plays_it(jantaku: Jantaku, tmp_path: Path, whole: Path) -> None:
    first, second, *_ = (str(part) for part in cut_all(whole, tmp_path, 3, SETS))
    ran = jantaku("collect", first, second, "--out", str(tmp_path / "match"))
    assert ran.code == 3 and not (tmp_path / "match").exists()
    assert "4 sets of 6 are over" in ran.out
    command = ran.err.strip().partition("part 3/3 is missing: ")[2].split()
    command[-1] = str(tmp_path / "part-3-again")
    assert jantaku(*command[1:], "--workers", "0").code == 0
    again = ("collect", first, second, command[-1], "--out", str(tmp_path / "match"))
    assert jantaku(*again).code == 0
    assert contents(tmp_path / "match") == contents(whole)
