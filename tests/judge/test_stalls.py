"""The table's process stands still: nobody is blamed for that but who kept the interpreter's lock; and what counts as
silence for who watches a process."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.ground.port import Action, Player, Question, Verdict
from jantaku.table.judge.heartbeat import SIZE, Heartbeat, Supervision
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.timing import Clock
from tests.judge.players import Log, Writer, always
from tests.kit.cases import cases
from tests.kit.pace import SOON, THREADED
from tests.kit.processes import child_of, state_of, wait_until
from tests.kit.simulated import compute, sleep
from tests.kit.toy import ToyGame

CLOCK = Clock(turn=0.3, reaction=0.3, margin=0.1)

KEEPS = """import os, sys, time
from jantaku.players.bots.tsumogiri import Tsumogiri
class Keeps(Tsumogiri):
    asked = 0
    def answer(self, question):
        self.asked += 1
        if self.asked == 2:
            began = time.thread_time()
            while time.thread_time() - began < 0.6:
                sum(range(2 * 10**7))
        return question.default
class Switches(Tsumogiri):
    asked = 0
    def answer(self, question):
        self.asked += 1
        if self.asked == 2:
            sys.setswitchinterval(5)
            began = time.thread_time()
            while time.thread_time() - began < 0.6:
                pass
            sys.setswitchinterval(0.005)
        return question.default
class Sleeps(Tsumogiri):
    def answer(self, question):
        first = not os.path.exists("asked")
        open("asked", "w").close()
        time.sleep(0.3 if first else 0.02)  # for so long who has seen the file can stop the table at this question
        return question.default
class Called(Tsumogiri):
    def answer(self, question):
        from jantaku.table.riichi.actions import Call
        time.sleep(0.02)
        return next((option for option in question.options if isinstance(option, Call)), question.default)
"""


@pytest.mark.simulated
@pytest.mark.parametrize("mode", THREADED)
def test_only_who_keeps_the_lock_is_blamed(mode: str) -> None:
    begun = threading.Barrier(3)

    def claims_slowly(question: Question) -> Action:
        if "claim" in question.options:
            begun.wait(SOON)
            sleep(0.05)
        return "claim" if "claim" in question.options else question.default

    def claims_and_keeps(question: Question) -> Action:
        if "claim" in question.options:
            begun.wait(SOON)
            compute(0.8)
        return question.default

    log = Log()
    players: list[Player] = [always("show"), Writer(claims_and_keeps), Writer(claims_slowly), Writer(claims_slowly)]
    Judge(ToyGame(turns=1), players, mode=mode, clock=CLOCK, watches=[log]).run()
    assert [answer.verdict.good for answer in log.every] == [True, False, True, True], log.every
    assert log.of(1)[0].verdict in (Verdict.LATE, Verdict.SILENT)
    assert all(answer.used < 0.4 for answer in log.every if answer.seat != 1)
    assert max(answer.stalled for answer in log.every if answer.seat != 1) > 0.3


def _table(folder: Path, *words: str) -> "subprocess.Popen[str]":
    (folder / "odd.py").write_text(KEEPS)
    return subprocess.Popen(
        [sys.executable, "-m", "jantaku", "play", "--length", "one", "--seed", "7", "--out", "out", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _answers(folder: Path) -> list[dict[str, Any]]:
    lines = map(json.loads, (folder / "out" / "game-0000.jsonl").read_text().splitlines())
    return [answer for line in lines for answer in line.get("answers", ())]


@pytest.mark.real_time
@pytest.mark.parametrize(("mode", "bot"), [("per-turn", "odd:Keeps"), ("resident", "odd:Switches")])
def test_innocents_beside_a_bot_that_keeps_the_lock(bot: str, mode: str, tmp_path: Path) -> None:
    players = f"{bot},odd:Called,odd:Called,odd:Called"
    with _table(tmp_path, "--players", players, "--threads", mode, "--limit", "0.3") as process:
        _, err = process.communicate(timeout=SOON)
    assert process.returncode == 0, err
    order = json.loads((tmp_path / "out" / "game-0000.jsonl").read_text().splitlines()[0])["player"]
    culprit = order.index(bot.partition(":")[2])
    bad = [answer for answer in _answers(tmp_path) if answer["verdict"] not in ("ok", "ok_margin")]
    assert {answer["seat"] for answer in bad} == {culprit}, bad


@pytest.mark.real_time
@cases(
    "mode, players",
    pytest.param("per-turn", ",".join(["odd:Sleeps"] * 4), id="here"),
    pytest.param("resident", ",".join(["odd:Sleeps?isolate=process"] * 4), id="isolated"),
)
def test_a_process_that_is_stopped_costs_nobody_anything(mode: str, players: str, tmp_path: Path) -> None:
    with _table(tmp_path, "--players", players, "--threads", mode, "--limit", "0.5") as process:
        wait_until((tmp_path / "asked").exists)
        table = child_of(process.pid)  # in which the game is played
        os.kill(table, signal.SIGSTOP)
        time.sleep(1.2)
        os.kill(table, signal.SIGCONT)
        _, err = process.communicate(timeout=SOON)
    assert process.returncode == 0, err
    answers = _answers(tmp_path)
    assert {answer["verdict"] for answer in answers} <= {"ok", "ok_margin"}, answers
    assert max(answer.get("stalled", 0) for answer in answers) > 1


@pytest.fixture
def other() -> Iterator[int]:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"]) as process:
        yield process.pid
        process.kill()


def test_a_process_that_beats_or_plays_nothing_is_never_silent(other: int) -> None:
    heartbeat = Heartbeat(memoryview(bytearray(SIZE)))
    supervision = Supervision(heartbeat, other)
    for second in range(100):
        assert not supervision.look(second)
    heartbeat.bound(5)
    for second in range(100, 200):
        heartbeat.beat()
        assert not supervision.look(second)


def test_silence_counts_only_while_the_watcher_is_awake(other: int) -> None:
    heartbeat = Heartbeat(memoryview(bytearray(SIZE)))
    heartbeat.bound(5)
    supervision = Supervision(heartbeat, other)
    looks = [supervision.look(at) for at in (1, 2, 1000, 1001, 1002, 1003, 1004, 1005)]
    assert looks == [False] * 6 + [True] * 2


def test_a_process_that_was_stopped_is_not_silent_when_it_goes_on(other: int) -> None:
    heartbeat = Heartbeat(memoryview(bytearray(SIZE)))
    heartbeat.bound(5)
    supervision = Supervision(heartbeat, other)
    os.kill(other, signal.SIGSTOP)
    wait_until(lambda: state_of(other) == "T")
    assert not any(supervision.look(second) for second in range(6)) and not supervision.stopped
    assert not supervision.look(7) and supervision.stopped
    os.kill(other, signal.SIGCONT)
    wait_until(lambda: state_of(other) == "S")
    assert not supervision.look(8)


def test_a_process_that_is_stopped_before_anything_is_played_is_noticed_as_well(other: int) -> None:
    supervision = Supervision(Heartbeat(memoryview(bytearray(SIZE))), other)
    os.kill(other, signal.SIGSTOP)
    wait_until(lambda: state_of(other) == "T")
    assert not any(supervision.look(second) for second in range(12)) and supervision.stopped


@pytest.mark.parametrize("computes", [True, False])
def test_without_threads_the_seat_that_was_asked_last_has_kept_the_lock_if_the_process_computed(computes: bool) -> None:
    what = "while True: pass" if computes else "import time; time.sleep(3600)"
    with subprocess.Popen([sys.executable, "-c", what]) as process:
        heartbeat = Heartbeat(memoryview(bytearray(SIZE)))
        heartbeat.bound(0.5)
        heartbeat.turn(1)
        heartbeat.turn(2)
        supervision = Supervision(heartbeat, process.pid)
        try:
            assert [supervision.look(at) for at in (1, 1.1, 2)] == [False, False, True]
            wait_until(lambda: not computes or supervision.culprit() is not None)
            assert supervision.culprit() == (2 if computes else None)
        finally:
            process.kill()
