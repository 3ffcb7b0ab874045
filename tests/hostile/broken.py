"""Plays a case, and checks its result and what it leaves behind."""

import contextlib
import gc
import os
import threading
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from jantaku.players.adapters.pipes import guardian
from jantaku.players.adapters.program import programs_left
from jantaku.players.bots.shanten import Shanten
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.players.broken.stuck import let_all_go
from jantaku.table.ground.port import Action, Answer, Player, Question
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from jantaku.table.play.seating.making import let_go
from jantaku.table.play.seating.roster import enlist
from jantaku.table.play.seating.spec import Terms
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.events import KyokuStart
from jantaku.table.riichi.game import RiichiGame, walls_from
from jantaku.table.serve.net.limits import Limits
from jantaku.table.serve.transport import WaitingPort
from scripts.environments import PYTHON, ROOT
from scripts.serving import carrying
from tests.broken import bots
from tests.broken.catalogue import AT, TOO_LONG, ViceMoment
from tests.broken.clients import Client
from tests.hostile.cases import IN_PROCESS, Case
from tests.kit.clocks import CLOCK, LIMIT, clock_for, too_long
from tests.kit.pace import UNIT

TOLERANCE = 0.25
"""Seconds over the deadline that an idle machine may take."""
KYOKU = 2
"""A case is played until this many kyoku have ended."""
SEED = "23"
"""Walls on which seat 0 has every moment in the first kyoku."""
IMPATIENT = 2 * UNIT
"""Seconds between pings, and for a pong, for players that show no sign of life."""
_GOODBYE = 10.0
"""Seconds in which everything that was told to end must end."""


class Report(msgspec.Struct):
    """The result of a case. Times in seconds; `bound` is limit + bank + margin + tolerance."""

    verdict: str
    blamed: tuple[int, ...]
    stale: int
    longest: float
    starting: float
    bound: float
    alike: bool
    left: int

    def wrong(self, case: Case) -> list[str]:
        assert CLOCK.start is not None
        found = {
            "verdict": self.verdict not in case.expected,
            "blame": bool(set(self.blamed) - {0}) or (self.verdict != "ok") != (self.blamed == (0,)),
            "time": self.longest > self.bound or self.starting > CLOCK.start + TOLERANCE,
            "others": not self.alike,
            "left running": self.left > 0,
        }
        return [word for word, is_so in found.items() if is_so]


class FaultWitness(Shanten):
    """A bot that records everything it could notice: events, and the terms of its questions."""

    def __init__(self) -> None:
        super().__init__()
        self.noticed: list[Any] = []

    def hear(self, event: Any) -> None:
        self.noticed.append(event)
        super().hear(event)

    def answer(self, question: Question) -> Action:
        self.noticed.append(question)
        return super().answer(question)


class Few:
    """A watch that keeps all answers, stops the judge after a few kyoku, and measures wall time."""

    def __init__(self) -> None:
        self.judge: Judge | None = None
        self.every: list[Answer] = []
        self.longest = self.starting = 0.0
        self._kyoku = 0
        self._last = time.monotonic()
        self._begun = False

    def events(self, new: Sequence[Any]) -> None:
        self._look()
        self._kyoku += sum(isinstance(event, KyokuStart) for event in new)
        if self._kyoku > KYOKU and self.judge is not None:
            self.judge.stop()

    def answers(self, turn: int, answers: Sequence[Answer]) -> None:
        self._look()
        self.every.extend(answers)

    def _look(self) -> None:
        """Measure how long nothing happened: before the first turn that is the start, afterwards a turn."""
        last, self._last = self._last, time.monotonic()
        if self._begun:
            self.longest = max(self.longest, self._last - last)
        else:
            self._begun, self.starting = True, self._last - last


class Course(msgspec.Struct):
    """The course of a game: what the other three noticed, all answers, stale replies of seat 0."""

    noticed: list[list[Any]]
    watch: Few
    stale: int


def play(player: Player, clock: Clock = CLOCK, mode: str = "per-turn") -> Course:
    """Play a few kyoku of `player` with three witnesses."""
    rules, watch = ruleset.resolve("majiang").rules, Few()
    game = RiichiGame(rules, walls_from(SEED, 0, rules), ("broken", "b", "c", "d"), 1)
    others = [FaultWitness() for _ in range(3)]
    judge = Judge(game, [player, *others], clock=[clock, CLOCK, CLOCK, CLOCK], mode=mode, watches=[watch])
    watch.judge = judge
    try:
        result = judge.run()
    finally:
        let_go(player)
    return Course([other.noticed for other in others], watch, result.seats[0].stale)


@cache
def clean(mode: str) -> Course:
    return play(Tsumogiri(), mode=mode)


def run(case: Case) -> Report:
    mode = IN_PROCESS.get(case.transport, "per-turn")
    undisturbed = clean(mode)
    before, files, clock = set(threading.enumerate()), open_files(), clock_for(case.dialect)
    with seated(case.transport, case.vice, case.moment) as player:
        course = play(player, clock, mode)
    let_all_go()
    bad = [answer for answer in course.watch.every if not answer.verdict.good]
    return Report(
        verdict=next((str(answer.verdict) for answer in bad if answer.seat == 0), "ok"),
        blamed=tuple(sorted({answer.seat for answer in bad})),
        stale=course.stale,
        longest=course.watch.longest,
        starting=course.watch.starting,
        bound=LIMIT + clock.bank + clock.margin + TOLERANCE,
        alike=course.noticed == undisturbed.noticed,
        left=left_running(before, files),
    )


# --- seating


@contextlib.contextmanager
def seated(transport: str, vice: str, moment: str) -> Iterator[Player]:
    kind, _, dialect = transport.partition(" ")
    if kind == "ws":
        with _client(vice, moment) as player:
            yield player
        return
    if kind == "exec":
        command = f"exec:{PYTHON} -m tests.broken {vice} {moment} {dialect}"
        terms = Terms(command, dialect=dialect, env={TOO_LONG: str(too_long(dialect)), "PYTHONPATH": str(ROOT)})
    elif kind == "isolated":
        env = {AT: moment, TOO_LONG: str(too_long(""))}
        terms = Terms(f"tests.broken.bots:{vice}", isolate="process", env=env)
    else:
        yield getattr(bots, vice)(moment, too_long(""))
        return
    yield enlist([terms])[0].make(0)


@contextlib.contextmanager
def _client(vice: str, moment: str) -> Iterator[Player]:
    """Make a seat that waits for a client, and the client."""
    limits = Limits(origins=(), ping=IMPATIENT, pong=IMPATIENT) if vice == "sends_no_pong" else Limits(origins=())
    port = WaitingPort("127.0.0.1", 0, limits)
    try:
        awaited = port.expect("broken", "majiang")
        client = Client(awaited.address, vice, ViceMoment(moment), too_long("majiang"))
        try:
            yield awaited.seat()
        finally:
            client.join()
    finally:
        port.close()


# --- what is left


def left_running(before: set[threading.Thread], files: int) -> int:
    """Count the programs, threads and open files (pipes and sockets) that are still there when all should have ended.

    `before` and `files` are the threads and the number of open files before.
    """
    until = time.monotonic() + _GOODBYE
    while True:
        threads = [thread for thread in threading.enumerate() if thread not in before]
        left = programs_left() + len(threads)
        if not left:
            guardian.dismiss()  # it stays while there are processes to guard
            gc.collect()  # websockets' server leaves its selector to the collector
            left = len(list(carrying(str(os.getpid())))) + max(0, open_files() - files)
        if not left or time.monotonic() > until:
            return left
        for thread in threads:
            thread.join(0.05)
        time.sleep(0.01)


def open_files() -> int:
    """Return how many files, pipes and sockets this process has open, 0 if that cannot be seen."""
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0
