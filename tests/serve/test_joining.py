"""A player elsewhere that joins a game under way has the time to become ready for all that was before."""

import sys
import threading
from pathlib import Path

import pytest

from jantaku.players.adapters.websocket import Visit, play
from jantaku.players.bots.shanten import Shanten
from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.port import Action, Choice, Question
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.way import Mode
from jantaku.table.languages.majiang.words import Item, reply
from jantaku.table.play.outcome import Outcome
from jantaku.table.play.riichi import Beginning, Keeping, RiichiTable
from jantaku.table.play.roster import Entrant, enlist
from jantaku.table.play.runner import Plan, play_one
from jantaku.table.records.journal.read import load
from jantaku.table.riichi.actions import PASS, TSUMO
from jantaku.table.riichi.ruleset import preset, with_settings
from jantaku.table.serve.joining.seated import Guarded
from jantaku.table.serve.transport import Awaited, close_all
from scripts.pace import SOON, UNIT

RULES = with_settings(preset("majiang"), {"game.length": "tonpu"})
CLOCK = Clock(turn=10 * UNIT, reaction=10 * UNIT, margin=UNIT, start=SOON)
BOT = """import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    time.sleep({pause})
    if "seq" in message{only}:
        wins = {{"hule": "-"}} if message.get("zimo", {{}}).get("p") else {{}}
        print(json.dumps({{"seq": message["seq"], **wins}}), flush=True)
"""
"""Takes its time over every message, and claims to have won with what it draws."""


def played(folder: Path, first: str | Entrant, clock: Clock = CLOCK, begin: Beginning | None = None) -> Outcome:
    folder.mkdir()
    (player,) = enlist([first]) if isinstance(first, str) else [first]
    entrants = (player, *enlist(["tsumogiri"] * 3))
    names = [entrant.name for entrant in entrants]
    plan = Plan(entrants, 1, "5", Mode.PER_TURN, clock, OnFault.DEFAULT)
    return play_one(plan, 0, RiichiTable(RULES, names, plan.seed, Keeping(folder, "test"), begin))


@pytest.fixture
def late(tmp_path: Path) -> Beginning:
    """The fourth kyoku of a record: more than two hundred messages lie before it."""
    record = load(Path(played(tmp_path / "before", "tsumogiri").records[-1]))
    return Beginning(record, len(record.log), 9)


def bot(folder: Path, pause: float, only: str = "") -> str:
    path = folder / "bot.py"
    path.write_text(BOT.format(pause=pause, only=only))
    return f"exec:{sys.executable} {path}"


@pytest.mark.slow
def test_a_slow_program_is_waited_for_until_it_has_caught_up(tmp_path: Path, late: Beginning) -> None:
    """Two hundred messages take it far longer than its first question allows."""
    outcome = played(tmp_path / "after", bot(tmp_path, UNIT / 10), begin=late)
    assert set(outcome.faults[0]) == {"illegal"}, "it claims to win in its own turns, but in time"


@pytest.mark.slow
def test_a_program_that_replies_to_questions_alone_costs_the_start_limit_and_is_then_asked(
    tmp_path: Path, late: Beginning
) -> None:
    quick = Clock(turn=10 * UNIT, reaction=10 * UNIT, margin=UNIT, start=20 * UNIT)
    spec = bot(tmp_path, 0, ' and ("kaiju" in message or message.get("zimo", {}).get("p"))')
    outcome = played(tmp_path / "after", spec, quick, late)
    assert "start_failed" not in outcome.faults[0] and "illegal" in outcome.faults[0]


def test_a_client_joins_a_game_under_way(tmp_path: Path, late: Beginning) -> None:
    (entrant,) = enlist(["ws:alice?listen=127.0.0.1:0"])
    assert isinstance(entrant.make, Awaited)
    visit = Visit(entrant.make.address.partition("?")[0], "alice", key="k")
    client = threading.Thread(target=play, args=[visit, Tsumogiri], daemon=True)
    client.start()
    try:
        patient = Clock(turn=SOON, reaction=SOON, start=SOON)
        outcome = played(tmp_path / "after", entrant, patient, late)
        assert outcome.faults == ({}, {}, {}, {})
    finally:
        client.join(SOON)
        close_all()


class Telling(Shanten):
    """Says beside each answer what it is."""

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
        patient = Clock(turn=SOON, reaction=SOON, start=SOON)
        elsewhere = told(played(tmp_path / "elsewhere", entrant, patient), "alice")
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
