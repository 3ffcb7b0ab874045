"""A bot of one's own breaks, and the terminal alone says where: `play`, with and without --strict."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from jantaku.table.ground.port import Evidence
from jantaku.table.play.outcome import details_of
from jantaku.table.records.view.server import PageServer
from scripts.environments import PYTHON
from tests.kit.cases import cases
from tests.kit.command import Jantaku, Ran

BOTS = """
import os, sys, time
from jantaku.players.base import RiichiPlayer
from jantaku.table.riichi.actions import Discard

class Raises(RiichiPlayer):
    def answer(self, question):
        return question.option[0]

class Illegal(RiichiPlayer):
    def answer(self, question):
        return next(d for d in map(Discard, range(34)) if d not in question.options)

class Later(RiichiPlayer):
    def answer(self, question):
        kyoku = self.board.kyoku + self.board.honba
        return next(d for d in map(Discard, range(34)) if d not in question.options) if kyoku > 0 else question.default

class Slow(RiichiPlayer):
    def answer(self, question):
        time.sleep(2)
        return question.default

class Asleep(RiichiPlayer):
    def answer(self, question):
        time.sleep(60)

class Dies(RiichiPlayer):
    def answer(self, question):
        print("the last words", file=sys.stderr, flush=True)
        os._exit(3)

class Painted(RiichiPlayer):
    def answer(self, question):
        raise ValueError("[bold]\\x1b[2J\\u202e" + "x" * 100_000)
"""


class Broken:
    """Plays one game with bots of a file, and keeps what a person sees."""

    def __init__(self, jantaku: Jantaku, folder: Path) -> None:
        self._jantaku = jantaku
        self.file, self.out = folder / "first.py", folder / "out"
        self.file.write_text(BOTS)

    def __call__(self, name: str, *words: str) -> Ran:
        players = f"{self.file}:{name},tsumogiri,tsumogiri,tsumogiri"
        given = ("--players", players, "--length", "one", "--seed", "1", "--out", str(self.out))
        return self._jantaku("play", *given, *words)

    def line(self, text: str) -> int:
        return next(number for number, line in enumerate(BOTS.split("\n"), 1) if text in line)

    @property
    def told(self) -> str:
        return (self.out / "faults.txt").read_text()


@pytest.fixture
def broken(jantaku: Jantaku, tmp_path: Path) -> Broken:
    return Broken(jantaku, tmp_path)


def steps(record: Path, broken: Broken, others: str) -> str:
    """What to do next where `Raises`, which sits first, fails in its first turn."""
    again = f"--from {record} --kyoku 1 --turn 1 --players {broken.file}:Raises,{others} --strict"
    return f"next: jantaku view '{record}#fault'\n      jantaku play {again}\n      jantaku exam {broken.file}:Raises\n"


def test_an_exception_is_told_with_file_and_line_and_what_to_do_next(broken: Broken) -> None:
    ran = broken("Raises")
    place = f"first.py line {broken.line('question.option[0]')}"
    assert "Raises: gone " in ran.out and ", turn 1, question " in ran.out
    assert f"  AttributeError: 'Question' object has no attribute 'option' ({place})" in ran.out
    assert ran.err.count("Traceback") == 1 and "return question.option[0]" in ran.err
    record = broken.out / "game-0000.jsonl"
    assert ran.out.endswith(steps(record, broken, "tsumogiri,tsumogiri,tsumogiri"))
    assert broken.told.count("Traceback") == 1 and place in broken.told
    assert ran.code == 0


def test_the_next_step_opens_the_page_at_the_first_fault(
    broken: Broken, jantaku: Jantaku, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(PageServer, "serve_forever", lambda server: None)
    ran = broken("Raises", "--strict")
    step = next(line for line in ran.out.splitlines() if line.startswith("next: jantaku "))
    words = shlex.split(step.removeprefix("next: jantaku "))
    shown = jantaku(*words, "--no-browser")
    assert shown.code == 0 and shown.out.endswith("/#fault (Ctrl-C ends)\n")
    assert jantaku("view", str(broken.out / "none.jsonl#fault"), "--no-browser").code == 2
    assert jantaku(*words, "--export", str(tmp_path / "game.html")).code == 0


def test_an_illegal_answer_is_told_with_what_was_offered_and_where_the_bot_answers(broken: Broken) -> None:
    ran = broken("Illegal")
    place = f"first.py line {broken.line('class Illegal') + 1}"
    assert "Illegal: illegal " in ran.out and f"was not offered (answered at {place})" in ran.out
    assert "  offered  " in ran.err and "  came     " in ran.err
    assert max(map(len, ran.err.splitlines())) <= 80


@pytest.mark.long
def test_a_next_step_puts_the_question_of_a_fault_again(broken: Broken, jantaku: Jantaku, tmp_path: Path) -> None:
    """In the second kyoku, and whichever seats the players have drawn."""
    ran = broken("Later", "--length", "tonpu", "--seed", "5")
    step = next(line.strip() for line in ran.out.splitlines() if " play --from " in line)
    words = step.removeprefix("jantaku ")
    assert " --kyoku 2 --turn " in step
    again = jantaku(*shlex.split(words), "--out", str(tmp_path / "again"))
    told = [line.partition(" was not offered")[0] for line in (*ran.out.splitlines(), *again.out.splitlines())]
    assert again.code == 1 and ", turn 1, question " in again.out
    first, second = (line for line in told if line.startswith("  <Discard"))
    assert first == second


def test_what_a_silent_program_said_to_something_else_is_not_told_as_its_answer() -> None:
    assert details_of(Evidence(came="{}")) == ["its last message, not an answer to this question:", f"{'':9}{{}}"]
    assert details_of(Evidence(came="{}", offered=("x",))) == [f"{'offered':9}x", f"{'came':9}{{}}"]


def test_a_slow_bot_is_told_where_it_was_when_its_time_was_up(broken: Broken) -> None:
    ran = broken("Slow", "--limit", "0.5", "--strict")
    assert "Slow: silent once in " in ran.out
    assert f"(then at first.py line {broken.line('time.sleep')})" in ran.out
    assert "time.sleep(2)" in ran.err


def test_strict_stops_at_the_first_fault_with_exit_code_1(broken: Broken) -> None:
    ran = broken("Raises", "--strict", "--games", "3")
    assert ran.code == 1
    assert "game 0: void: seat " in ran.out and "game 1" not in ran.out
    assert "Raises: gone once in " in ran.out and "Traceback" in ran.err
    assert sorted(path.name for path in broken.out.iterdir()) == ["faults.txt", "game-0000.jsonl"]


def test_strict_says_nothing_of_a_sound_game(jantaku: Jantaku, tmp_path: Path) -> None:
    words = ("--players", "dice,dice,dice,dice", "--length", "one", "--threads", "inline", "--out", str(tmp_path))
    ran = jantaku("play", *words, "--strict")
    assert (ran.code, ran.err) == (0, "") and "next: jantaku verify" in ran.out
    assert not (tmp_path / "faults.txt").exists()


def test_json_has_the_reports_and_standard_output_nothing_else(broken: Broken) -> None:
    ran = broken("Raises", "--json", "--strict")
    (report,) = json.loads(ran.out)["fault_reports"]
    assert (report["player"], report["verdict"], report["turn"]) == ("Raises", "gone", 1)
    assert "Raises: gone once in " in ran.err and ran.err.count("Traceback") == 1


def test_quiet_is_quiet_and_the_file_has_it_all_the_same(broken: Broken) -> None:
    ran = broken("Raises", "--quiet", "--strict")
    assert (ran.code, ran.out, ran.err) == (1, "", "")
    assert "Traceback" in broken.told


def test_text_of_a_bot_is_no_markup_no_escape_and_bounded(broken: Broken) -> None:
    ran = broken("Painted")
    for printed in (ran.out, ran.err, broken.told):
        assert "\x1b" not in printed and "\u202e" not in printed
        assert len(printed) < 10_000
    assert "[bold]\\u001b[2J\\u202e" in ran.err


@pytest.mark.parametrize("name", ["Raises", "Illegal"])
def test_a_bot_in_its_own_process_is_told_as_if_it_were_here(broken: Broken, name: str) -> None:
    here = broken(name, "--strict", "--quiet")
    told = broken.told
    shutil.rmtree(broken.out)
    assert broken(f"{name}?isolate=process", "--strict", "--quiet").code == here.code == 1
    assert broken.told == told


def test_a_slow_bot_in_its_own_process_says_where_it_was(broken: Broken) -> None:
    table = broken.file.with_name("table.toml")
    table.write_text("[clock]\nturn = 0.5\nreaction = 0.5\nmargin = 3.0\n")  # a busy machine has 3 s to say where
    ran = broken("Asleep?isolate=process", "--config", str(table), "--strict")
    assert f"(then at first.py line {broken.line('time.sleep(60)')})" in ran.out
    assert "time.sleep(60)" in ran.err


def test_a_bot_that_ends_its_process_is_told_with_its_last_words(broken: Broken) -> None:
    ran = broken("Dies?isolate=process", "--strict")
    assert "Dies: gone once in " in ran.out and "exit code 3" in ran.out
    assert "last lines on stderr:" in ran.err and "    the last words" in ran.err


PROGRAM = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    print("\\x1b[1mhow do I play?", file=sys.stderr, flush=True)
    last = told[-1] if isinstance(told, list) else told
    mine = last.get("pai", "?") != "?" or last.get("zimo", {}).get("p")
    print(sys.argv[1] if mine else json.dumps({"type": "none", "seq": last.get("seq")}), flush=True)
"""


@cases(
    "dialect, reply, verdict, offered",
    ("mjai", '{"type": "dahai", "pai"', "malformed", '{"type":"dahai","actor":'),
    ("mjai", '{"type": "hora"}', "illegal", '{"type":"dahai","actor":'),
    ("majiang", '{"dapai": "z9"}', "malformed", '{"dapai":"'),
    ("majiang", '{"hule": "-"}', "illegal", '{"dapai":"'),
)
def test_a_program_is_told_in_its_own_dialect(
    jantaku: Jantaku, tmp_path: Path, dialect: str, reply: str, verdict: str, offered: str
) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    file = tmp_path / "table.toml"
    others = "[[player]]\nbot = 'tsumogiri'\n" * 3
    bot = f"exec:{PYTHON} {program} {shlex.quote(reply)}"
    file.write_text(f'[[player]]\nbot = """{bot}"""\ndialect = "{dialect}"\n{others}')
    words = ("--length", "one", "--seed", "1", "--strict", "--out", str(tmp_path / "out"))
    ran = jantaku("play", "--config", str(file), *words)
    assert ran.code == 1 and f"program.py: {verdict} once in " in ran.out
    assert f"  offered  {offered}" in ran.err and f"  came     {reply}" in ran.err
    assert "last lines on stderr:" in ran.err and "\\u001b[1mhow do I play?" in ran.err


def test_the_first_of_each_kind_is_told_over_several_games(broken: Broken) -> None:
    ran = broken("Raises", "--games", "2")
    assert ran.out.count("Raises: gone ") == 1 and ran.err.count("Traceback") == 1


@pytest.mark.long
@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_match_tells_of_its_faults_like_a_game(broken: Broken, jantaku: Jantaku, workers: str) -> None:
    players = f"{broken.file}:Raises,tsumogiri"
    words = ("--format", "1v3", "--sets", "1", "--length", "one", "--seed", "1", "--workers", workers)
    ran = jantaku("match", "--players", players, *words, "--out", str(broken.out))
    assert ran.code == 0 and ran.out.count("Raises: gone ") == 1
    assert f"(first.py line {broken.line('question.option[0]')})" in ran.out
    assert ran.err.count("Traceback") == 1 and broken.told.count("Traceback") == 1
    record = broken.out / "records" / "game-0000.jsonl"
    assert record.is_file()
    told = steps(record, broken, "tsumogiri,tsumogiri,tsumogiri")
    assert ran.out.index(told) < ran.out.index("mean rank  ")  # the results stand last on the screen
    counts = json.loads((broken.out / "results.json").read_bytes())["figures"]["players"]
    assert f"Raises: gone {counts[0]['faults']['gone']} times" in ran.out


@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_strict_match_stops_at_the_first_fault(broken: Broken, jantaku: Jantaku, workers: str) -> None:
    players = f"{broken.file}:Illegal,tsumogiri"
    words = ("--sets", "50", "--format", "1v3", "--length", "one", "--workers", workers, "--strict", "--seed", "1")
    ran = jantaku("match", "--players", players, *words, "--out", str(broken.out))
    assert ran.code == 1
    assert "stopped at the first fault; 1 kyoku is kept; go on with: jantaku match --resume" in ran.err
    assert "Illegal: illegal once in " in ran.out and "  offered  " in ran.err
    found = re.search(r"next: jantaku view '(.*)#fault'", ran.out)
    assert found is not None and Path(found[1]).is_file()  # that of the other worker may be there as well


def test_a_match_that_goes_on_adds_to_the_file_of_faults(broken: Broken, jantaku: Jantaku) -> None:
    players, out = f"{broken.file}:Raises,tsumogiri", str(broken.out)
    words = ("--format", "1v3", "--sets", "1", "--length", "one", "--workers", "0", "--quiet")
    assert jantaku("match", "--players", players, *words, "--out", out) == (0, "", "")
    for path in (broken.out / "records").glob("game-0002.*"):
        path.unlink()
    assert jantaku("match", "--resume", out, "--workers", "0", "--quiet").code == 0
    assert broken.told.count("Traceback") == 2


def test_json_of_a_match_has_the_faults(broken: Broken, jantaku: Jantaku) -> None:
    players = f"{broken.file}:Raises,tsumogiri"
    words = ("--format", "1v3", "--sets", "1", "--length", "one", "--workers", "0", "--json")
    ran = jantaku("match", "--players", players, *words, "--out", str(broken.out))
    (report,) = json.loads(ran.out)["faults"]
    assert report["player"] == "Raises" and "Traceback" in report["evidence"]["trace"]
    assert "next: jantaku view" in ran.err
