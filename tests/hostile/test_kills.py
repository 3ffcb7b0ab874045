"""Everything that plays is killed with SIGKILL at random moments: nothing that was promised is lost.

A match and a tournament are resumed until they are over: the folder equals an undisturbed one, byte for byte. Of games
that were told to be over, records are kept and verify; the journal of a running game is whole up to its last line.
`JANTAKU_KILLS`, `JANTAKU_SETS` and `JANTAKU_SEED` say how often, of how many wall sets (half as many rounds), and when.
"""

import os
from pathlib import Path
from random import Random

import pytest

from scripts import kills

KILLS, SETS = (int(os.environ.get(f"JANTAKU_{name}", usual)) for name, usual in (("KILLS", "40"), ("SETS", "40")))
SEED = os.environ.get("JANTAKU_SEED", "1")
SERVING = {"play": kills.kill_play, "serve": kills.kill_serve, "daifugo": kills.kill_daifugo}
HOURS = pytest.mark.timeout(4 * 3600)


@pytest.mark.kills
@HOURS
@pytest.mark.parametrize("command", kills.BEGIN)
def test_after_any_kill_a_resumed_command_has_every_hanchan_once(command: str, tmp_path: Path) -> None:
    print(kills.kill(command, tmp_path, KILLS, Random(f"{SEED} {command}"), SETS))


@pytest.mark.long
@pytest.mark.slow
def test_after_four_kills_a_resumed_match_has_every_hanchan_once(tmp_path: Path) -> None:
    assert "identical to the undisturbed match" in kills.kill("match", tmp_path, 4, Random("1 match"), 6)


@pytest.mark.kills
@HOURS
@pytest.mark.parametrize("command", SERVING)
def test_what_was_told_to_be_over_is_kept_and_verifies(command: str, tmp_path: Path) -> None:
    print(SERVING[command](tmp_path, KILLS, Random(f"{SEED} {command}")))
