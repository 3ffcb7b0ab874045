"""kill -9 of a bot in the middle of a decision: the match is still played to its end."""

import tempfile
import threading
from pathlib import Path

import msgspec

from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.turn.responses import Mode
from jantaku.table.play.riichi import Keeping, RiichiTable
from jantaku.table.play.roster import enlist
from jantaku.table.play.runner import Plan, play
from jantaku.table.play.spec import Terms
from jantaku.table.records.journal.read import load
from jantaku.table.records.replay.verify import verify
from jantaku.table.riichi.ruleset import preset, with_settings
from scripts.environments import PYTHON
from scripts.faults.pace import CLOCK
from scripts.faults.playing import left_running, open_files

GAMES = 2
"""Games of each match; in each of them the bot is started, and killed, once."""
SEED = "kills"


class Killed(msgspec.Struct, frozen=True):
    """The result of a match: finished games, bad verdicts of the bot and of the others, records that `verify` rejects,
    and processes still running."""

    over: int
    gone: int
    others: int
    rejected: int
    left: int

    @property
    def wrong(self) -> bool:
        """Whether anything is not as it should be."""
        return self.over != GAMES or not self.gone or bool(self.others or self.rejected or self.left)


def run(decision: int) -> Killed:
    """Play a match in whose games the bot is killed while it thinks about the decision of that number, from 1."""
    before, files = set(threading.enumerate()), open_files()
    rules = with_settings(preset("majiang"), {"game.length": "tonpu"})
    killed = Terms(f"exec:{PYTHON} -m jantaku.players.broken.programs killed {decision}", name="killed")
    with tempfile.TemporaryDirectory(prefix="jantaku-kills-") as folder:
        entrants = tuple(enlist([killed, *["shanten"] * 3], Path(folder)))
        plan = Plan(entrants, GAMES, f"{SEED} {decision}", Mode.PER_TURN, CLOCK, OnFault.DEFAULT)
        names = [entrant.name for entrant in entrants]
        outcomes = list(play(plan, RiichiTable(rules, names, plan.seed, Keeping(Path(folder), "test"))))
        records = [load(Path(path)) for outcome in outcomes for path in outcome.records]
        rejected = sum(verify(record, record.rules or rules).difference is not None for record in records)
    return Killed(
        over=sum(outcome.ending == "over" for outcome in outcomes),
        gone=sum(outcome.faults[0].get("gone", 0) for outcome in outcomes),
        others=sum(sum(faults.values()) for outcome in outcomes for faults in outcome.faults[1:]),
        rejected=rejected,
        left=left_running(before, files),
    )
