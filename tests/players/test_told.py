"""What players are told beside the game: how much time they have, that a default was played, and what a program finds
in its environment."""

import json
from pathlib import Path
from typing import Any

import pytest

from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.ground.port import Action, DefaultPlayed, Player, Question, Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.languages.wire.dialects import DIALECTS
from jantaku.table.play.seating.making import let_go
from jantaku.table.play.seating.roster import enlist
from jantaku.table.play.seating.spec import terms_of
from jantaku.table.riichi.actions import PASS
from jantaku.table.riichi.ruleset import with_settings
from scripts.environments import PYTHON
from tests.judge.players import Log
from tests.kit.pace import MODES, SOON, THREADED
from tests.languages.wire.driving import MAJIANG, game_of
from tests.players.driving import program_of

CLOCK = Clock(turn=SOON, reaction=SOON, bank=SOON, margin=0.25, start=SOON)
ONE_HAND = with_settings(MAJIANG, {"game.length": "one"})
NOTES = """import sys
from jantaku.players.adapters import client
def noted(lines):
    with open({file!r}, "ab") as file:
        for line in lines:
            file.write(line)
            file.flush()
            yield line
streams = client.protocol_streams
def both():
    lines, out = streams()
    return noted(lines), out
client.protocol_streams = both
client.main(["--bot", {bot!r}, "--dialect", {dialect!r}])
"""
MINE = """from jantaku.players.bots.tsumogiri import Tsumogiri
from jantaku.table.riichi.actions import TSUMO
class Mine(Tsumogiri):
    asked = 0
    def answer(self, question):
        self.asked += 1
        return TSUMO if self.asked == 1 else super().answer(question)
"""


class Wrong(Tsumogiri):
    """Answers its first question with what is never offered at once, and notes what it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Question] = []
        self.order: list[object] = []

    def hear(self, event: Any) -> None:
        self.order.append(event)

    def defaulted(self, played: DefaultPlayed) -> None:
        self.order.append(played)

    def answer(self, question: Question) -> Action:
        self.asked.append(question)
        self.order.append(question)
        return PASS if len(self.asked) == 1 else super().answer(question)


def play(first: Player, mode: str = "per-turn", clock: Clock = CLOCK) -> Log:
    """A game of one hand of `first`, who begins, with three others: its answers."""
    log = Log()
    try:
        four = [first, Tsumogiri(), Tsumogiri(), Tsumogiri()]
        Judge(game_of(rules=ONE_HAND, first_dealer=0), four, mode=mode, clock=clock, watches=[log]).run()
    finally:
        let_go(first)
    return log


@pytest.mark.parametrize("mode", THREADED)
def test_a_bot_knows_limit_bank_and_margin_of_every_question(mode: str) -> None:
    bot = Wrong()
    play(bot, mode)
    for question in bot.asked:
        assert question.limit is not None
        assert question.limit in (CLOCK.turn, CLOCK.reaction) and question.bank == CLOCK.bank
        assert question.allowed == question.limit + question.bank and question.margin == CLOCK.margin


@pytest.mark.parametrize("mode", MODES)
def test_a_bot_is_told_that_a_default_was_played_before_it_hears_what_came_of_it(mode: str) -> None:
    bot = Wrong()
    log = play(bot, mode, Clock() if mode is Mode.INLINE else CLOCK)
    told = [(at, one) for at, one in enumerate(bot.order) if isinstance(one, DefaultPlayed)]
    wrong = bot.asked[0]
    ((at, played),) = told
    assert (played.question, played.verdict) == (wrong.id, Verdict.ILLEGAL) and played.reason == log.of(0)[0].reason
    assert bot.order[at - 1] is wrong


def test_what_it_raises_then_is_charged_like_what_it_raises_while_it_hears() -> None:
    class Upset(Wrong):
        def defaulted(self, played: DefaultPlayed) -> None:
            raise ValueError("that was mine")

    first, second, *rest = play(Upset()).of(0)
    assert (first.verdict, second.verdict) == (Verdict.ILLEGAL, Verdict.GONE)
    assert "that was mine (while hearing an event)" in second.reason and len(rest) > 3


def test_a_bot_that_does_not_listen_is_told_too() -> None:
    class Deaf(Wrong):
        listens = False

    bot = Deaf()
    play(bot)
    assert any(isinstance(one, DefaultPlayed) for one in bot.order)


def test_an_isolated_bot_is_told_the_same(tmp_path: Path) -> None:
    (tmp_path / "wrong.py").write_text(
        "from tests.players.test_told import Wrong as Base\n"
        f"class Wrong(Base):\n"
        "    def defaulted(self, played):\n"
        f"        print(played.question, played.verdict, played.reason, file=open({str(tmp_path / 'told')!r}, 'a'))\n"
        "    def answer(self, question):\n"
        f"        print(question.limit, question.bank, question.margin, file=open({str(tmp_path / 'time')!r}, 'a'))\n"
        "        return super().answer(question)\n"
    )
    first, *_ = play(enlist([f"{tmp_path / 'wrong.py'}:Wrong?isolate=process"])[0].make(0)).of(0)
    assert (tmp_path / "told").read_text() == f"{first.question} illegal {first.reason}\n"
    times = set((tmp_path / "time").read_text().splitlines())
    assert times <= {f"{limit} {CLOCK.bank} {CLOCK.margin}" for limit in (CLOCK.turn, CLOCK.reaction)} and times


def heard(folder: Path, dialect: str, bot: str) -> tuple[Log, list[Any]]:
    """A game of one of our bots as a program, with a clock, and every object that the program was sent."""
    script = folder / "noting.py"
    script.write_text(NOTES.format(file=str(folder / "heard"), bot=bot, dialect=dialect))
    log = play(enlist([f"exec:{PYTHON} {script}?dialect={dialect}"])[0].make(0))
    lines = [json.loads(line) for line in (folder / "heard").read_bytes().splitlines()]
    return log, [one for line in lines for one in (line if isinstance(line, list) else [line])]


@pytest.mark.long
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_program_is_told_its_time_with_what_it_is_asked_about(tmp_path: Path, dialect: str) -> None:
    log, messages = heard(tmp_path, dialect, "tsumogiri")
    timers = [one["timer"] for one in messages if "timer" in one]
    assert all(answer.verdict.good for answer in log.of(0)) and len(timers) == len(log.of(0))
    for timer in timers:
        assert timer["limit"] in (CLOCK.turn, CLOCK.reaction) and timer["bank"] == CLOCK.bank
        assert (timer["left"], timer["margin"]) == (timer["limit"] + timer["bank"], CLOCK.margin)


@pytest.mark.long
@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_program_is_told_that_a_default_was_played_and_why(tmp_path: Path, dialect: str) -> None:
    (tmp_path / "wrong.py").write_text(MINE)
    log, messages = heard(tmp_path, dialect, f"{tmp_path / 'wrong.py'}:Mine")
    ((at, told),) = [(n, one) for n, message in enumerate(messages) for one in message.get("defaults", [])]
    first = log.of(0)[0]
    assert not first.verdict.good and (told["verdict"], told["reason"]) == (first.verdict, first.reason)
    assert ("seq" in told) == dialect.startswith("majiang")
    if dialect == "majiang":
        assert "zimo" in messages[at - 1] and messages[at - 1]["seq"] == told["seq"]


@pytest.mark.long
@pytest.mark.parametrize("dialect", list(DIALECTS))
def test_without_a_clock_no_time_is_told(tmp_path: Path, dialect: str) -> None:
    (tmp_path / "a").mkdir()
    script = tmp_path / "noting.py"
    script.write_text(NOTES.format(file=str(tmp_path / "heard"), bot="tsumogiri", dialect=dialect))
    play(enlist([f"exec:{PYTHON} {script}?dialect={dialect}"])[0].make(0), "inline", Clock())
    assert b"timer" not in (tmp_path / "heard").read_bytes()


TELL = "import json, os; print(json.dumps(dict(os.environ)), file=open({path!r}, 'w')); import sys; sys.stdin.read()"


def environment_of(tmp_path: Path, options: str = "") -> dict[str, str]:
    """What a program that is seated with these options finds."""
    script, found = tmp_path / "tell.py", tmp_path / "found.json"
    script.write_text(TELL.format(path=str(found)))
    player, program = program_of(f"exec:{PYTHON} {script}?name=tell{options}", tmp_path, seed=5)
    player.close()
    assert program.join(10)
    told: dict[str, str] = json.loads(found.read_text())
    return told


def test_a_program_finds_nothing_of_the_tables_environment_but_what_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("JANTAKU_OPERATOR_TOKEN", "JANTAKU_TOKEN", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK", "DISPLAY"):
        monkeypatch.setenv(name, "SECRET")
    monkeypatch.setenv("LC_TIME", "C")
    found = environment_of(tmp_path)
    assert "SECRET" not in found.values()
    assert found["JANTAKU_SEED"] == "5" and found["LC_TIME"] == "C" and found["PATH"]
    assert {name for name in found if name.startswith("JANTAKU_")} <= {"JANTAKU_SEED", "JANTAKU_PURE"}


def test_more_is_given_by_the_players_terms_and_the_operator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MODEL_KEY", "WEIGHTS", "OTHER"):
        monkeypatch.setenv(name, name.lower())
    monkeypatch.setenv("JANTAKU_INHERIT", "WEIGHTS, NOT_SET")
    found = environment_of(tmp_path, "&inherit=MODEL_KEY&env.THREADS=4&env.PATH_TO=/x=y")
    assert (found["MODEL_KEY"], found["WEIGHTS"]) == ("model_key", "weights") and "OTHER" not in found
    assert (found["THREADS"], found["PATH_TO"]) == ("4", "/x=y")


def test_variables_on_a_command_line_are_those_of_a_table() -> None:
    terms = terms_of("exec:bot?env.A=1&env.B=x,y&inherit=C,D")
    assert terms.env == {"A": "1", "B": "x,y"} and terms.inherit == ("C", "D")


@pytest.mark.parametrize("name", ["../../../pwn", "{tmp}/deep/pwn", "a/b"])
def test_a_players_name_leads_no_file_out_of_the_folder(tmp_path: Path, name: str) -> None:
    logs = tmp_path / "inner" / "logs"
    logs.mkdir(parents=True)
    script = tmp_path / "bot.py"
    script.write_text("import sys; print('words', file=sys.stderr); sys.stdin.read()")
    before = set(tmp_path.rglob("*"))
    player, program = program_of(f"exec:{PYTHON} {script}?name={name.format(tmp=tmp_path)}", logs)
    player.close()
    assert program.join(10)
    (made,) = set(tmp_path.rglob("*")) - before
    assert made.parent == logs and made.read_bytes() == b"words\n"
