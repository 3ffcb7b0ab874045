"""One discard, three answers that take 20 ms each: how long does the turn take?

In every kyoku of these games the dealer discards the tile of its second draw; one of the others may call chi on it, one
pon and one ron. All three need 20 ms, then the ron ends the kyoku. (Not at the first draw: in that turn all players
still hear of the deal.) As threads they sleep; as processes as many of them as there are cores compute, and the others
answer at once.
"""

import os
import time
from collections.abc import Callable, Sequence
from statistics import median, quantiles
from typing import Any

from rich.table import Table

from jantaku.players.base import RiichiPlayer
from jantaku.table.ground.clock import now
from jantaku.table.ground.port import Action, Answer, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.play.roster import enlist, let_go
from jantaku.table.play.spec import Terms
from jantaku.table.riichi.actions import PASS, Call, Ron
from jantaku.table.riichi.game import RiichiGame
from jantaku.table.riichi.pieces.melds import MeldKind
from jantaku.table.riichi.position import rules_of, stack
from scripts.bench.output import Line, Part

NEEDED = 0.020
"""Seconds that each of the three needs."""
GOAL = 0.023
HANDS = ("", "m46", "m55", "m34p23488s234567")
DRAWS = "z1234m5"


class Ready(RiichiPlayer):
    """Takes a ron, else plays the default, at once."""

    listens = False

    def answer(self, question: Question) -> Action:
        """Think about another seat's discard, then return a ron or the default."""
        win = self.find(question, Ron)
        if PASS in question.options:
            self.think(0 if win else 1 if self._may_pon(question) else 2)
        return win or question.default

    def think(self, place: int) -> None:
        """Spend the time before the reaction. `place`: 0 for the ron, 1 for the pon, 2 for the chi."""

    def _may_pon(self, question: Question) -> bool:
        return any(call.meld.kind == MeldKind.PON for call in self.find_all(question, Call))


class Sleeper(Ready):
    """Sleeps before it reacts, like a remote player."""

    def think(self, place: int = 0) -> None:
        time.sleep(NEEDED)


class Computer(Ready):
    """Computes before it reacts, if there is a core for it."""

    def think(self, place: int = 0) -> None:
        """Use CPU time of this process."""
        until = time.process_time() + NEEDED
        while place < cores() and time.process_time() < until:
            pass


class Turns:
    """Collects the seconds of turns in which three seats were asked to react. Implements `Watch`."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self._began = now()

    def events(self, new: Sequence[Any]) -> None:
        """Note the time: the next turn begins after this."""
        self._began = now()

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        if any(not answer.verdict.good for answer in answers):
            raise RuntimeError(f"a bot of the benchmark was at fault: {answers}")
        if len(answers) >= 3:  # a discard with a single option is no question
            self.seconds.append(now() - self._began)


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def reactions(rounds: int) -> Part:
    """Play `rounds` games in each way, and report the times of their turns, beside one bare sleep or computation."""
    apart = [Terms(f"{__name__}:Computer", isolate="process")] * 4
    here = [f"{__name__}:Sleeper"] * 4
    ways: dict[str, Callable[[], list[float]]] = {
        "sleep, bare": lambda: [_timed(Sleeper().think) for _ in range(10)],
        "sleep, three resident threads": lambda: _turns("resident", here),
        "sleep, three threads of the turn": lambda: _turns("per-turn", here),
        "compute, bare": lambda: [_timed(Computer().think) for _ in range(10)],
        f"compute, {_in_words(min(3, cores()))}": lambda: _turns("resident", apart),
    }
    found: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, measure in ways.items():
            found[name] += measure()
    return _part(found)


def _in_words(processes: int) -> str:
    return "one process" if processes == 1 else f"{processes} processes at once"


def _turns(mode: str, players: Sequence[str | Terms]) -> list[float]:
    """Return the seconds of the turns of one game."""
    rules = rules_of("tenhou", {})
    game = RiichiGame(rules, lambda at: stack(rules, HANDS, draws=DRAWS), ("a", "b", "c", "d"))
    turns = Turns()
    seated = [entrant.make(0) for entrant in enlist(players)]
    try:
        Judge(game, seated, mode=mode, watches=[turns], must_start=True).run()
    finally:
        let_go(*seated)
    return turns.seconds


def _timed(think: Callable[[], None]) -> float:
    began = now()
    think()
    return now() - began


def _part(found: dict[str, list[float]]) -> Part:
    table = Table(title=f"a turn in which others need {NEEDED * 1000:.0f} ms for their reaction, not pinned")
    table.add_column("who", no_wrap=True)
    for name in ("turns", "median ms", "p90 ms", "most ms", "goal"):
        table.add_column(name, justify="right")
    lines: list[Line] = []
    for name, seconds in found.items():
        middle, high, most = median(seconds) * 1000, quantiles(seconds, n=10)[8] * 1000, max(seconds) * 1000
        goal = "" if name.endswith("bare") else f"≤ {GOAL * 1000:.0f} ms"
        table.add_row(name, str(len(seconds)), f"{middle:.2f}", f"{high:.2f}", f"{most:.2f}", goal)
        figures = {"median_ms": round(middle, 3), "p90_ms": round(high, 3), "most_ms": round(most, 3)}
        lines.append({"row": "reaction", "who": name, "turns": len(seconds), **figures, "goal": goal})
    return Part(lines, table)
