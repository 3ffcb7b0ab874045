"""`jantaku exam`: what a person and what a program see of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from jantaku.table.check.commands import exam
from jantaku.table.check.exam.exam import ITEMS
from jantaku.table.judge.turn.discard import DiscardEvent
from scripts.environments import PYTHON
from tests.kit.cases import cases
from tests.kit.command import Jantaku

TIMER = '"timer":{"limit":10.0,"bank":0.0,"left":10.0,"margin":0.1}'
"""What a question says of the time in an exam that was given none."""
DECLARES = """
import json, sys
for line in sys.stdin:
    kind = json.loads(line)["type"]
    if '"possible_actions"' in line:
        print('{"type":"reach"}', flush=True)
    elif kind == "reach" and '"can_act"' not in line:
        print('{"type":"dahai","pai":"1m","tsumogiri":false}', flush=True)
"""
CLIENT = f"exec:{PYTHON} -m jantaku.players.adapters.client"
BAD = "tests.check.exam.defective:SwapsWhatItCalled"


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine, no item takes so long that it is told how far it is."""
    monkeypatch.setattr(exam, "SILENCE", float("inf"))


def test_a_sound_bot_passes_line_by_line_and_the_exit_code_is_0(jantaku: Jantaku) -> None:
    ran = jantaku("exam", "dice", "--hanchan", "1")
    mode, *lines, last = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert mode == "threads resident (--threads per-turn: a DiscardEvent and new threads every turn)"
    assert [line.split()[:2] for line in lines] == [[item, "pass"] for item in ITEMS]
    assert last == "10 of 10 passed"


def test_an_exam_may_start_four_threads_in_every_turn(jantaku: Jantaku, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    make = DiscardEvent.__init__

    def making(event: DiscardEvent, turn: int, act: Any) -> None:
        made.append(turn)
        make(event, turn, act)

    monkeypatch.setattr(DiscardEvent, "__init__", making)
    for threads, events in (("per-turn", True), ("resident", False)):
        ran = jantaku("exam", "dice", "--item", "kan", "--threads", threads)
        assert ran.code == 0 and ran.out.startswith(f"threads {threads}") and bool(made) is events
        made.clear()


def test_a_failed_item_shows_its_exchange_and_the_exit_code_is_1(jantaku: Jantaku) -> None:
    ran = jantaku("exam", BAD, "--item", "kuikae", "--item", "kyuushu")
    assert ran.code == 1
    _, first, *exchange = ran.out.splitlines()
    assert first.split()[:2] == ["kuikae", "FAIL"]
    assert "after a chi" in first
    said = {line.split()[0]: line for line in exchange if line.startswith("    ") and line[4] != " "}
    assert set(said) == {"where", "heard", "options", "answer", "verdict"}
    assert said["answer"].split() == ["answer", "<Discard", "m3>"]
    assert said["verdict"].endswith("s: not one of the options") and "illegal" in said["verdict"]
    assert ran.out.splitlines()[-1] == "1 of 2 passed"


def test_a_bot_that_raises_is_shown_its_traceback(jantaku: Jantaku) -> None:
    ran = jantaku("exam", "crash", "--item", "riichi")
    assert ran.code == 1
    assert "    Traceback (most recent call last):" in ran.out and "players/broken/crash.py" in ran.out
    assert "    RuntimeError: crash in question " in ran.out


def test_a_program_is_shown_the_lines_of_its_dialect(jantaku: Jantaku, tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text('import sys\nfor line in sys.stdin:\n    print(\'{"type": "hora"}\', flush=True)\n')
    ran = jantaku("exam", f"exec:{PYTHON} {program}?dialect=mjai", "--item", "kyuushu")
    assert ran.code == 1
    assert '    options  {"type":"' in ran.out and '    answer   {"type": "hora"}' in ran.out


@cases(
    "dialect, heard, option, answer",
    (
        "mjai",
        f'{{"type":"chi","actor":1,"target":0,"pai":"3m","consumed":["4m","5m"],{TIMER}}}',
        '{"type":"dahai","actor":1,"pai":"1p","tsumogiri":false}',
        '{"type":"dahai","actor":1,"pai":"3m","tsumogiri":false}',
    ),
    (
        "mjai-lines-actions",
        f'{{"type":"chi","actor":1,"target":0,"pai":"3m","consumed":["4m","5m"],{TIMER},"cannot_dahai":["3m","6m"]}}',
        '{"type":"dahai","actor":1,"pai":"1p","tsumogiri":false}',
        '{"type":"dahai","actor":1,"pai":"3m","tsumogiri":false}',
    ),
    ("majiang", f'{{"fulou":{{"l":1,"m":"m3-45"}},"seq":5,{TIMER}}}', '{"dapai":"p1"}', '{"dapai":"m3","seq":5}'),
)
def test_a_program_is_shown_the_messages_that_it_was_sent_and_what_it_writes_itself(
    jantaku: Jantaku, dialect: str, heard: str, option: str, answer: str
) -> None:
    program = f"exec:{PYTHON} -m jantaku.players.adapters.client --bot {BAD} --dialect {dialect}?dialect={dialect}"
    ran = jantaku("exam", program, "--item", "kuikae", "--json")
    failure = json.loads(ran.out)["failure"]
    assert failure["heard"][-1] == heard
    assert failure["options"][0] == option
    assert failure["answer"] == answer


def test_a_program_that_goes_wrong_after_reach_is_shown_that_question_and_what_may_be_said_to_it(
    jantaku: Jantaku, tmp_path: Path
) -> None:
    """It declares riichi where it may, and discards its first tile then, whatever that does to its tenpai."""
    program = tmp_path / "bot.py"
    program.write_text(DECLARES)
    ran = jantaku("exam", f"exec:{PYTHON} {program}?dialect=mjai-lines-actions", "--item", "riichi", "--json")
    failure = json.loads(ran.out)["failure"]
    riichi = '"possible_actions":[{"type":"reach","actor":0}]'
    forbidden = '"1m","2m","3m","4m","5m","6m","7m","8m","9m","1p","7s","8s"'
    assert failure["heard"][1:] == [
        f'{{"type":"tsumo","actor":0,"pai":"E",{TIMER},{riichi}}}',
        f'{{"type":"reach","actor":0,"cannot_dahai":[{forbidden}]}}',
    ]
    assert failure["options"] == ['{"type":"dahai","actor":0,"pai":"E","tsumogiri":true}']
    assert failure["answer"] == '{"type":"dahai","pai":"1m","tsumogiri":false}'


def test_a_bot_that_raises_while_it_hears_is_shown_its_traceback_too(jantaku: Jantaku) -> None:
    for where in ("", "?isolate=process"):
        ran = jantaku("exam", f"tests.check.exam.defective:ReckonsWithOneWinner{where}", "--item", "double-ron")
        assert 'defective.py", line ' in ran.out and 'raise RuntimeError("the kyoku is over already")' in ran.out


def test_an_exam_that_takes_long_says_how_far_it_is(jantaku: Jantaku, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exam, "SILENCE", 0.0)
    ran = jantaku("exam", "dice", "--item", "hanchan", "--hanchan", "3")
    assert ran.err.splitlines() == [f"hanchan: {played} of 3 played" for played in (1, 2, 3)]
    assert len(ran.out.splitlines()) == 3


def test_json_gives_one_object_an_item(jantaku: Jantaku) -> None:
    ran = jantaku("exam", BAD, "--item", "kuikae", "--item", "kyuushu", "--json")
    failed, passed = map(json.loads, ran.out.splitlines())
    assert ran.code == 1
    assert (failed["item"], failed["passed"], failed["failure"]["answer"]) == ("kuikae", False, "<Discard m3>")
    assert (passed["item"], passed["passed"], passed["failure"]) == ("kyuushu", True, None)


@cases(
    "words, said",
    (["nobody"], "player nobody: "),
    (["dice", "--item", "kann"], "'--item': 'kann' is not known; did you mean kan?"),
    (["dice", "--rules", "tenhu"], "is neither a preset nor a file"),
    ([f"exec:{PYTHON} -c 1"], "not ready: "),
)
def test_bad_input_is_one_line_and_exit_code_2(jantaku: Jantaku, words: list[str], said: str) -> None:
    ran = jantaku("exam", *words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("jantaku: ")
    assert said in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.long
@pytest.mark.parametrize("dialect", ["majiang", "mjai"])
def test_a_program_that_knows_the_game_from_messages_alone_passes(jantaku: Jantaku, dialect: str) -> None:
    program = f"exec:{PYTHON} -m jantaku.players.adapters.client --rules tenhou --dialect {dialect}?dialect={dialect}"
    ran = jantaku("exam", program, "--item", "double-ron", "--item", "kuikae", "--limit", "50")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "2 of 2 passed"), ran
