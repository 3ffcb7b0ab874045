"""What stops a table inside is void, is said to be ours, and does not end the match."""

from pathlib import Path
from typing import Any

import pytest

from jantaku.table.arena.match import hanchan
from jantaku.table.arena.match.figures.summary import DEFECT
from jantaku.table.ground.errors import TableFault
from jantaku.table.play.runner import play_one
from tests.arena.match.matches import play_match, small_plan
from tests.kit.command import Jantaku

FAULT = "table 1, turn 2: AssertionError: not held"


def _breaks_in_game_2(plan: Any, number: int, opener: Any, **how: Any) -> Any:
    if number == 2:
        raise TableFault(FAULT)
    return play_one(plan, number, opener, **how)


def test_a_hanchan_that_breaks_the_game_is_void_and_the_match_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hanchan, "play_one", _breaks_in_game_2)
    done = play_match(tmp_path / "match", small_plan())
    assert (done.tally.games, done.tally.void, done.tally.defects) == (11, 1, 1)
    assert done.results.figures is not None and done.results.figures.void_reasons == (f"{DEFECT}{FAULT}",)


def test_the_command_says_so_at_its_end_with_exit_code_70(
    jantaku: Jantaku, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hanchan, "play_one", _breaks_in_game_2)
    folder = str(tmp_path / "match")
    words = ("--players", "dice,tsumogiri,dice,tsumogiri", "--sets", "1", "--length", "one")
    ran = jantaku("match", *words, "--workers", "0", "--out", folder)
    assert ran.code == 70 and "1 kyoku is void by a defect of jantaku itself" in ran.err
    assert "3 kyoku in 1 set, " in ran.out
