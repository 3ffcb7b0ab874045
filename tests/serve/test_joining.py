"""A player elsewhere that joins a game under way has the time to become ready for all that was before."""

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from jantaku.players.adapters.program import Program
from jantaku.players.adapters.websocket import Visit, play
from jantaku.players.bots.shanten import Shanten
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.clock import Deadline
from jantaku.table.ground.port import Action, Choice, Question
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.languages.majiang.rule import Item, reply
from jantaku.table.languages.wire.dialect import Heard
from jantaku.table.play.beginnings import RecordPlace
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.riichi import Keeping, RiichiTable
from jantaku.table.play.runner import Plan, play_one
from jantaku.table.play.seating.roster import Entrant, enlist
from jantaku.table.records.journal.read import load
from jantaku.table.riichi.actions import PASS, TSUMO
from jantaku.table.riichi.ruleset import preset, with_settings
from jantaku.table.serve.joining import Guarded
from jantaku.table.serve.transport import Awaited, close_all
from scripts.environments import PYTHON
from tests.kit.pace import SOON, UNIT

RULES = with_settings(preset("majiang"), {"game.length": "tonpu"})
CLOCK = Clock(turn=SOON, reaction=SOON, start=SOON)
BOT = """import json, os, sys, time
for number, line in enumerate(sys.stdin):
    while number == 100 and not os.path.exists({gate!r}):
        time.sleep(0.01)
    message = json.loads(line)
    if "seq" in message{only}:
        wins = {{"hule": "-"}} if message.get("zimo", {{}}).get("p") else {{}}
        print(json.dumps({{"seq": message["seq"], **wins}}), flush=True)
"""
"""Stops at its hundredth message until it finds a file, and claims to have won with what it draws."""


def played(folder: Path, first: str | Entrant, begin: RecordPlace | None = None) -> Outcome:
    folder.mkdir()
    (player,) = enlist([first]) if isinstance(first, str) else [first]
    entrants = (player, *enlist(["tsumogiri"] * 3))
    names = [entrant.name for entrant in entrants]
    plan = Plan(entrants, 1, "5", Mode.PER_TURN, CLOCK, OnFault.DEFAULT)
    return play_one(plan, 0, RiichiTable(RULES, names, plan.seed, Keeping(folder, "test"), begin))


@pytest.fixture
def late(tmp_path: Path) -> RecordPlace:
    """The fourth kyoku of a record: more than two hundred messages lie before it."""
    record = load(Path(played(tmp_path / "before", "tsumogiri").records[-1]))
    return RecordPlace(record, len(record.log), 9)


def bot(folder: Path, only: str = "") -> str:
    path = folder / "bot.py"
    path.write_text(BOT.format(gate=str(folder / "gate"), only=only))
    return f"exec:{PYTHON} {path}"


class Waits:
    """Stands in for the wait of a program that catches up: it opens the bot's gate before that and says afterwards that
    it is over. `seconds` replaces what is left of the start limit, which is long, so that a busy machine can start the
    program."""

    def __init__(self, folder: Path, seconds: float | None = None) -> None:
        self._gate, self._over, self._seconds = folder / "gate", folder / "over", seconds
        self._wait = Program.wait_while
        self.allowed: list[float | None] = []
        self.caught_up: list[bool] = []

    def __call__(self, program: Program, unfinished: Callable[[Iterable[Heard]], bool], until: Deadline) -> bool:
        self._gate.touch()
        self.allowed.append(until.left)
        ended = self._wait(program, unfinished, until if self._seconds is None else Deadline(self._seconds))
        self._over.touch()
        self.caught_up.append(ended)
        return ended


def test_a_slow_program_is_waited_for_until_it_has_caught_up(
    tmp_path: Path, late: RecordPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = Waits(tmp_path)
    monkeypatch.setattr(Program, "wait_while", lambda *given: waits(*given))
    outcome = played(tmp_path / "after", bot(tmp_path), begin=late)
    assert waits.caught_up == [True]
    assert set(outcome.faults[0]) == {"illegal"}, "it claims to win in its own turns, but in time"


def test_a_program_that_replies_to_questions_alone_costs_the_start_limit_and_is_then_asked(
    tmp_path: Path, late: RecordPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits = Waits(tmp_path, UNIT)
    monkeypatch.setattr(Program, "wait_while", lambda *given: waits(*given))
    spec = bot(tmp_path, f' and ("kaiju" in message or os.path.exists({str(tmp_path / "over")!r}))')
    outcome = played(tmp_path / "after", spec, begin=late)
    (allowed,) = waits.allowed
    assert waits.caught_up == [False] and allowed is not None and 0 < allowed < SOON
    assert set(outcome.faults[0]) == {"illegal"}


def test_a_client_joins_a_game_under_way(tmp_path: Path, late: RecordPlace) -> None:
    (entrant,) = enlist(["ws:alice?listen=127.0.0.1:0"])
    assert isinstance(entrant.make, Awaited)
    visit = Visit(entrant.make.address.partition("?")[0], "alice", key="k")
    client = threading.Thread(target=play, args=[visit, Tsumogiri], daemon=True)
    client.start()
    try:
        outcome = played(tmp_path / "after", entrant, begin=late)
        assert outcome.faults == ({}, {}, {}, {})
    finally:
        client.join(SOON)
        close_all()


class Telling(Shanten):
    def answer(self, question: Question) -> Action:
        self.said = super().answer(question)
        return self.said

    def remark(self) -> object:
        return {"said": reply(self.said)}


def told(outcome: Outcome, name: str) -> list[tuple[Item, object]]:
    """The answers of a player with what is kept beside them."""
    record = load(next(path for path in map(Path, outcome.records) if path.suffix == ".jsonl"))
    seat = record.names.index(name)
    answers = [one for turn in record.answers.values() for one in turn["answers"] if one["seat"] == seat]
    return [(one["reply"], one.get("meta")) for one in answers if "daopai" not in one["reply"]]  # nobody is asked


def test_what_a_bot_says_beside_its_answers_is_kept_whether_it_sits_here_or_joins(tmp_path: Path) -> None:
    here = told(played(tmp_path / "here", f"{__name__}:Telling"), "Telling")
    (entrant,) = enlist(["ws:alice?listen=127.0.0.1:0"])
    assert isinstance(entrant.make, Awaited)
    visit = Visit(entrant.make.address.partition("?")[0], "alice", dialect="mjai", key="k")
    bot = Guarded(Telling(), lambda verdict, reason: pytest.fail(f"{verdict}: {reason}"))
    client = threading.Thread(target=play, args=[visit, lambda: bot], daemon=True)
    client.start()
    try:
        elsewhere = told(played(tmp_path / "elsewhere", entrant), "alice")
    finally:
        client.join(SOON)
        close_all()
    for answers in (here, elsewhere):
        assert any("*" in one.get("dapai", "") for one, _ in answers) and any(not one for one, _ in answers)
        assert all(meta == {"said": one} for one, meta in answers)


def test_nothing_is_said_beside_a_default() -> None:
    class Lost(Telling):
        def answer(self, question: Question) -> Action:
            super().answer(question)
            raise OSError("no weights")

    faults: list[str] = []
    guarded = Guarded(Lost(), lambda verdict, reason: faults.append(verdict))
    assert guarded.answer(Question(1, 0, Choice((TSUMO, PASS), PASS))) is PASS
    assert (guarded.remark(), faults) == (None, ["gone"])
