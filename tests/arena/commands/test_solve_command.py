"""`jantaku solve` as a person uses it: what a bot loses, by kind, with the costliest answers; and what it refuses."""

import json
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from jantaku.table.arena.solving import FORM, SUITE, Puzzle, SuiteHead, read_suite, solve
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.seating.roster import enlist
from jantaku.table.riichi.line import read_line
from jantaku.table.riichi.option_numbers import NAMES, number_of
from scripts.worlds import suite as suites
from tests.kit.cases import DATA
from tests.kit.command import Jantaku
from tests.riichi.line import CLAIM, OWN, THREE

GAME = str(DATA / "logs" / "mortal_two_kyoku.mjson")


def puzzle(line: str, best: str, kind: str) -> Puzzle:
    names = [NAMES[number_of(option)] for option in read_line(line).choice.options]
    assert best in names
    return Puzzle(line, kind, {name: float(name != best) * (2 + place) for place, name in enumerate(names)})


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    puzzles = [puzzle(CLAIM, "pass", "call"), puzzle(OWN, "discard s3", "push or fold")]
    puzzles.append(puzzle(THREE, "discard p1", "discard"))
    path = tmp_path / "suite.jsonl"
    lines = SuiteHead(FORM, ("shanten",), 100), *puzzles
    path.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))
    return path


def test_every_position_is_put_and_what_the_answer_loses_is_told(suite: Path, jantaku: Jantaku) -> None:
    told = json.loads(jantaku("solve", "tsumogiri", "--suite", str(suite), "--json").out)
    assert [(one["kind"], one["answer"]) for one in told["answers"]] == [
        ("call", "pass"),
        ("push or fold", "discard p5_"),
        ("discard", "discard z1"),
    ]
    lost = [one["lost"] for one in told["answers"]]
    assert lost[0] == 0 < lost[1] and told["all"]["lost"] == pytest.approx(sum(lost) / 3, abs=1e-3)
    assert told["kinds"]["call"] == {"positions": 1, "lost": 0.0, "half": None} and told["faults"] == {}


def test_a_person_sees_the_costliest_first_as_lines_to_look_at(suite: Path, jantaku: Jantaku) -> None:
    ran = jantaku("solve", "tsumogiri", "--suite", str(suite))
    assert (ran.code, ran.err) == (0, "")
    first, line, second, *_ = ran.out.splitlines()
    assert float(first.split()[0]) >= float(second.split()[0]) > 0 and " is best" in first
    assert line.strip() in (OWN, THREE)
    assert ran.out.splitlines()[-1].startswith("tsumogiri loses ")


def test_positions_of_so_many_players_are_chosen(suite: Path, jantaku: Jantaku) -> None:
    words = "solve", "tsumogiri", "--suite", str(suite), "--json"
    for seats, count in (("3", 1), ("4", 2)):
        assert json.loads(jantaku(*words, "--seats", seats).out)["all"]["positions"] == count
    suite.write_bytes(b"\n".join(suite.read_bytes().splitlines()[:3]))
    ran = jantaku(*words, "--seats", "3")
    assert ran.code == 2 and f"--seats 3: {suite} has no position of so many players" in ran.err


def test_a_fault_counts_as_the_default_and_is_told(suite: Path) -> None:
    solved = solve(read_suite(suite), enlist(["cheat"])[0])
    assert sum(solved.faults.values()) == 3
    assert solved.answers[0].answer == "pass"


@pytest.mark.parametrize(
    ("bot", "problem"),
    [
        ("dice,dice", "jantaku: BOT: 2 bots given; allowed is one"),
        ("ws:a", "jantaku: BOT ws:a: that seat waits for a client; name a bot that is there"),
    ],
)
def test_what_is_not_one_bot_is_refused_by_the_name_of_the_argument(bot: str, problem: str, jantaku: Jantaku) -> None:
    ran = jantaku("solve", bot)
    assert (ran.code, ran.out) == (2, "") and ran.err.startswith(problem) and ran.err.count("\n") == 1


BOT = """
import threading
class Odd:
    def hear(self, event):
        pass
    def answer(self, question):
        DEED
"""


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """`threading.gate`, at which a bot waits until the test is over; its threads end then."""
    gate = threading.Event()
    monkeypatch.setattr(threading, "gate", gate, raising=False)
    before = set(threading.enumerate())
    yield
    gate.set()
    for thread in set(threading.enumerate()) - before:
        thread.join()


@pytest.mark.usefixtures("gate")
def test_a_stuck_bot_is_cut_off_and_not_asked_again_after_three_in_a_row(
    suite: Path, tmp_path: Path, jantaku: Jantaku
) -> None:
    head, *lines = suite.read_text("utf-8").splitlines()
    suite.write_text("\n".join([head, *lines, *lines]), "utf-8")
    bot = tmp_path / "stuck.py"
    bot.write_text(BOT.replace("DEED", "threading.gate.wait()"), "utf-8")
    ran = jantaku("solve", str(bot), "--suite", str(suite), "--limit", "0.05", "--json")
    assert ran.code == 1
    assert json.loads(ran.out)["faults"] == {"not_asked": 3, "silent": 3}
    silent = next(line for line in ran.err.splitlines() if ": silent 3 times, first at jtk1" in line)
    assert silent.endswith("; the default counts") and "stuck.py line 7" in ran.err


def test_what_a_bot_raised_is_told_with_its_place_and_the_next_command(
    suite: Path, tmp_path: Path, jantaku: Jantaku
) -> None:
    bot = tmp_path / "raising.py"
    bot.write_text(BOT.replace("DEED", "raise ValueError('no idea')"), "utf-8")
    ran = jantaku("solve", str(bot), "--suite", str(suite))
    assert ran.code == 1 and ran.out.splitlines()[-1].startswith("raising loses ")
    first, why, *_, last = ran.err.splitlines()
    assert first == f"raising: gone 3 times, first at {read_suite(suite)[0].line}; the default counts"
    assert "ValueError: no idea" in why and "raising.py line 7" in why
    assert last.startswith("next: ") and last.endswith(f" exam {bot}")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('{"suite":2,"by":[],"worlds":1}\n', "line 1: suite is 2; this jantaku reads 1"),
        ("", "other.jsonl: it is empty"),
        ("\n", "other.jsonl: it is empty"),
        ("3\n", "line 1: suite is None; this jantaku reads 1"),
        ("{\n", "line 1: broken, not JSON"),
        (f'{{"suite":{FORM},"by":[],"worlds":1}}\n', "it has no position"),
    ],
)
def test_a_suite_that_is_none_is_refused_in_a_line(
    content: str, problem: str, tmp_path: Path, jantaku: Jantaku
) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(content, "utf-8")
    ran = jantaku("solve", "shanten", "--suite", str(path))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert problem in ran.err


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"lost": {}}, "lost: chi with m78, pass: allowed are all options of its line: chi with m78, pass"),
        ({"lost": {"pass": 0.0}}, "lost: chi with m78: allowed are all options of its line: chi with m78, pass"),
        ({"lost": {"pass": 0.5, "chi with m78": 1.0}}, "lost: the least is 0.5; allowed is 0 for the best option"),
        ({"line": "jtk1"}, "position line: "),
    ],
)
def test_a_position_that_does_not_fit_is_refused_with_its_line(
    change: dict[str, Any], problem: str, suite: Path, jantaku: Jantaku
) -> None:
    head, first, *_ = suite.read_text("utf-8").splitlines()
    changed = {**json.loads(first), **change}
    suite.write_text("\n".join([head, first, json.dumps(changed)]), "utf-8")
    ran = jantaku("solve", "tsumogiri", "--suite", str(suite))
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert f"{suite} line 3 {problem}" in ran.err
    with pytest.raises(BadInput):
        solve([Puzzle(**changed)], enlist(["tsumogiri"])[0])


def test_blank_lines_at_the_end_of_a_suite_are_no_positions(suite: Path) -> None:
    puzzles = read_suite(suite)
    suite.write_text(suite.read_text("utf-8") + "\n \n", "utf-8")
    assert read_suite(suite) == puzzles


def test_the_suite_that_comes_along_can_be_put_and_has_a_best_option_everywhere() -> None:
    for one in read_suite(SUITE):
        position = read_line(one.line)
        assert position.line == one.line
        assert set(one.lost) == {NAMES[number_of(option)] for option in position.choice.options}
        assert min(one.lost.values()) == 0


WON = (
    "jtk1 tenhou;game.length=tonpu E4 honba=0 sticks=0 left=65 indicators=z7 E25000/z1 S25000/z2 W25000/z3 "
    "N25000/z4 hand=p5s456z555666777+p5 ask=E/draw"
)


def test_a_question_is_kept_if_one_of_its_sensible_answers_leads_under_both_bots() -> None:
    position = read_line(WON)
    win, other = (one for one in position.choice.options if NAMES[number_of(one)] in ("tsumo", "discard z5"))
    kept = suites.judged("kan", position, [other, win], 48)
    assert kept is not None and kept.kind == "kan"
    assert kept.lost["tsumo"] == 0 and kept.lost["discard z5"] > 30
    assert all(lost > 0 for name, lost in kept.lost.items() if name != "tsumo")


def test_a_question_whose_answers_bring_the_same_is_not_kept() -> None:
    position = read_line(WON)
    dragons = [one for one in position.choice.options if NAMES[number_of(one)] in ("discard z5", "discard z6")]
    assert len(dragons) == 2 and suites.judged("kan", position, dragons, 48) is None


def test_questions_are_drawn_where_sensible_answers_differ() -> None:
    drawn = suites.drawn(Path(GAME), suites.KINDS, Random(1))
    assert any(drawn.values())
    for questions in drawn.values():
        for position, answers in questions:
            assert len(answers) > 1 and set(answers) <= set(position.choice.options)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["nofile.jsonl", "--out", "s.jsonl"], "suite: nofile.jsonl: "),
        ([GAME, "--out", "nodir/s.jsonl"], "suite: --out nodir/s.jsonl cannot be written: No such file or directory"),
        (
            [GAME, "--out", "s.jsonl", "--worlds", "0"],
            "--worlds 0: allowed are 48 and more",
        ),
        ([GAME, "--out", "s.jsonl", "--count", "0"], "--count 0: allowed are 1 and more"),
    ],
)
def test_a_suite_that_cannot_be_made_is_refused_in_a_line(
    words: list[str],
    problem: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        sys.exit(suites.main(words))
    assert left.value.code == 2 and problem in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "s.jsonl").exists()
