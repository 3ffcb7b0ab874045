"""docs/api/index.md, the API in one look: every name of `jantaku` has a row, every line of a row runs, and both stay
until the next major version."""

import inspect
import re
from collections.abc import Iterator
from enum import EnumMeta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import jantaku
from jantaku import Action, Question, RiichiPlayer
from jantaku.table.testing.tables import Tables
from tests.kit.command import Jantaku

PAGE = Path(__file__).parents[1] / "docs" / "api" / "index.md"
ROW = re.compile(r"^\| [^|`]+ \| ([^|]+) \| `([^|]+)` \|$", re.MULTILINE)
HEADS = ("In a bot", "Hands, records and games", "In a test of a bot", "The judge, and numbers for a network")


def rows(head: str) -> list[tuple[str, str]]:
    """The names and the line of each row below a heading."""
    section = PAGE.read_text("utf-8").split(f"\n## {head}\n")[1].split("\n## ")[0]
    found = ROW.findall(section)
    assert len(found) == section.count("\n| ") - 1, "a row has another form"
    return found


def modules() -> Iterator[tuple[str, str]]:
    """The names that a row takes from a module, each with its module."""
    for names, _ in rows(HEADS[-1]):
        module, name = re.findall(r"`([\w.]+)`", names)
        yield name, module


def test_every_name_of_jantaku_has_a_row() -> None:
    told = {name for head in HEADS[:2] for names, _ in rows(head) for name in re.findall(r"`(\w+)`", names)}
    assert sorted(told) == sorted(jantaku.__all__)


def test_every_name_of_a_row_stands_in_the_code_or_is_what_it_returns() -> None:
    given = {"Question", "Action", "Board", "Tehai", "HandScore", "RiichiPlayer", "Hanchan", "BadInput", "Comparison"}
    for head in HEADS:
        for names, line in rows(head):
            wanted = re.findall(r"`(\w+)`", names)
            assert [name for name in wanted if name not in line and name not in given] == []


class Trier(RiichiPlayer):
    """Runs lines at its first question, which is the first discard of the dealer."""

    def __init__(self, lines: list[str], space: dict[str, Any]) -> None:
        self.lines, self.space = lines, space
        self.failed: list[str] = []

    def answer(self, question: Question) -> Action:
        self.space |= {"self": self, "question": question}
        while self.lines:
            line = self.lines.pop(0)
            try:
                ran(line, self.space)
            except Exception as error:
                self.failed.append(f"{line}: {error!r}")
        return question.default


def ran(line: str, space: dict[str, Any]) -> None:
    code, _, raised = line.partition("  # raises ")
    if raised:
        with pytest.raises(getattr(jantaku, raised)):
            exec(code, space)
        return
    try:
        compile(code, "", "eval")
    except SyntaxError:
        exec(code, space)
    else:
        assert eval(code, space) is not False, code


@pytest.fixture
def space(game_folder: Path, cwd: Path, jantaku_table: Tables) -> dict[str, Any]:
    """What the page says that its lines may use."""
    (cwd / "game.jsonl").write_bytes((game_folder / "game-0000.jsonl").read_bytes())
    hand = jantaku.Hand("m23p456s66678z555")
    made = {name: getattr(jantaku, name) for name in jantaku.__all__}
    made |= {name: getattr(import_module(module), name) for name, module in modules()}
    testing = import_module("jantaku.table.testing")
    made |= {name: getattr(testing, name) for name in ("slow", "stuck", "crashing")}
    question = jantaku.Hanchan("tenhou", seed="3").question
    assert question is not None
    return made | {
        "Path": Path,
        "TILES": hand.tehai.counts,
        "NAMED": ("a", "b", "c", "d"),
        "event": jantaku.events.Riichi(0),
        "line": question.line,
        "jantaku_table": jantaku_table,
    }


def test_every_line_of_a_bot_and_of_the_library_runs(space: dict[str, Any], jantaku_table: Tables) -> None:
    lines = [line for head in HEADS for _, line in rows(head) if head != "In a test of a bot"]
    assert len(lines) > 40
    trier = Trier(lines, space)
    played = jantaku_table(trier, "dice", "dice", "dice", threads="inline", limit=None)
    assert trier.failed == [] and trier.lines == []
    played.assert_sound()


def test_every_line_of_a_test_runs(space: dict[str, Any]) -> None:
    ran(rows("In a bot")[0][1], space)
    for _, line in rows("In a test of a bot"):
        ran(line, space)


PROMISED = Path(__file__).parent / "data" / "promised.txt"
"""A name a line, of callables with their parameters. New lines are added at a release, none is changed or taken out."""


UNTOLD = {"Comparison", "MatchResults", "Question"}
"""Made by jantaku alone: their parameters are no promise, and compiled, one does not tell them."""


def called(name: str) -> str:
    """A name as it is called: its parameters, with `=` where one may be left out."""
    thing = getattr(jantaku, name)
    if not callable(thing) or issubclass(type(thing), EnumMeta) or name in UNTOLD:
        return name
    parameters = inspect.signature(thing).parameters.values()
    return f"{name}({', '.join(each.name + '=' * (each.default is not each.empty) for each in parameters)})"


def test_every_promised_name_is_there_and_called_as_before() -> None:
    promised = PROMISED.read_text("utf-8").splitlines()
    assert {called(name) for name in jantaku.__all__} >= set(promised)
    assert {line.split("(")[0] for line in promised} <= set(jantaku.__all__)


def test_a_hand_is_shown_as_text_or_picture_and_refused_if_it_is_none(jantaku: Jantaku) -> None:
    for hand, said in (
        ("m123p406s2789z11 +s2", "m123p406s2789z11 +s2: tenpai\n  accepts s2×2 z1×2\n"),
        ("m123p406s278z11,z222=", "m123p406s278z1 +z1 z222=: tenpai\n  s2 leaves s6×4 s9×4\n"),
    ):
        assert said in jantaku("show", hand).out
    drawn = jantaku("show", "m123p406s27899z11 +m4", "--svg")
    assert drawn.code == 0 and drawn.out.startswith("<svg ") and drawn.out.rstrip().endswith("</svg>")
    for words, said in ((("m11111",), "there are 4 of each tile"), (("m1", "--turn", "1"), "--turn: not for a hand")):
        refused = jantaku("show", *words)
        assert (refused.code, refused.err.count("\n")) == (2, 1) and said in refused.err
