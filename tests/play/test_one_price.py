"""The same slow bot by every door on this machine: one answer that takes too long costs one answer."""

import shlex
import sys
from pathlib import Path

import pytest

from jantaku.table.judge.faults import OUT_OF_TIME
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from jantaku.table.play.seating.making import let_go
from jantaku.table.play.seating.roster import enlist
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.riichi.ruleset import preset, with_settings
from tests.judge.players import Log, join_table_threads
from tests.kit.pace import THREADED

SLIPS = """
import time
from jantaku.players.bots.shanten import Shanten


class Slips(Shanten):
    slipped = False

    def answer(self, question):
        if not self.slipped:
            self.slipped = True
            time.sleep(3.0)
        return super().answer(question)
"""
LIMIT = Clock(turn=1.0, reaction=1.0, margin=1.0)
"""A slip of three seconds is over before the second question's time is up, on a busy machine, too."""
CLIENT = f"exec:{shlex.quote(sys.executable)} -m jantaku.players.adapters.client --bot {{bot}} --dialect {{dialect}}"
DOORS = {
    "a class": "{bot}",
    "a process": "{bot}?isolate=process",
    "a program in Majiang's messages": f"{CLIENT}?dialect=majiang".replace("{dialect}", "majiang"),
    "a program in mjai": f"{CLIENT}?dialect=mjai".replace("{dialect}", "mjai"),
}


@pytest.mark.long
@pytest.mark.parametrize("mode", THREADED)
@pytest.mark.parametrize("door", DOORS)
def test_a_slip_costs_one_answer_by_every_door(door: str, mode: str, tmp_path: Path) -> None:
    (tmp_path / "slips.py").write_text(SLIPS, "utf-8")
    spec = DOORS[door].replace("{bot}", str(tmp_path / "slips.py") + ":Slips")
    rules = with_settings(preset("tenhou"), {"game.length": "one"})
    game, log = RiichiGame(rules, walls_from("1", 0, rules), ("slips", "b", "c", "d")), Log()
    players = [entrant.make(0) for entrant in enlist([spec, "shanten", "shanten", "shanten"])]
    try:
        Judge(game, players, mode=mode, clock=LIMIT, watches=[log], must_start=True).run()
    finally:
        let_go(*players)
        join_table_threads()
    first, *others = log.of(0)
    assert first.verdict in OUT_OF_TIME and all(answer.verdict.good for answer in others) and len(others) > 3
    assert all(answer.verdict.good for answer in log.every if answer.seat != 0)
