"""The exam: every item in order, each as far as the first exchange at which the player fails."""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from table.errors import BadInput
from table.exam import whole
from table.exam.exchange import QuestionReport
from table.exam.items import SCENES
from table.exam.scene import Maker
from table.exam.sitting import Sat
from table.judge.timing import Clock
from table.port import Verdict
from table.riichi.rules import Rules

ITEMS = (*SCENES, "joined", "hanchan")
"""Every item by name, in the exam's order."""

Parts = Iterable[tuple[str, Sat]]
Tell = Callable[[str, int, int], None]
"""Called with an item's name, the parts of it that are played, and how many there are."""


class Paper(msgspec.Struct, frozen=True):
    """The player to examine and the conditions. `hanchan` is the number of random ones; equal seeds ask equal
    questions."""

    make: Maker
    rules: Rules
    clock: Clock
    seed: str
    hanchan: int
    items: tuple[str, ...] = ITEMS


class Mark(msgspec.Struct, frozen=True):
    """The result of an item: parts played, questions asked in them, slowest answer in seconds; and if it failed, in
    which part (`about`) and at which exchange."""

    item: str
    passed: bool
    parts: int
    asked: int
    longest: float
    about: str = ""
    failure: QuestionReport | None = None


def examine(paper: Paper, tell: Tell = lambda item, played, parts: None) -> Iterator[Mark]:
    """Run the items and yield each result. BadInput if the player does not even start. `tell` hears of every part."""
    first = True
    for item in paper.items:
        mark = _mark(item, paper, tell)
        failure = mark.failure
        if first and mark.parts == 1 and failure is not None and failure.verdict == Verdict.START_FAILED:
            raise BadInput(f"the player is not ready: {failure.reason}")
        first = False
        yield mark


def _mark(item: str, paper: Paper, tell: Tell) -> Mark:
    played, asked, longest = 0, 0, 0.0
    count = len(SCENES[item]) if item in SCENES else len(whole.JOINS) if item == "joined" else paper.hanchan
    tell(item, 0, count)
    for about, sat in _parts(item, paper):
        played, asked, longest = played + 1, asked + sat.asked, max(longest, sat.longest)
        tell(item, played, count)
        if sat.failure is not None:
            return Mark(item, False, played, asked, longest, about, sat.failure)
    return Mark(item, True, played, asked, longest)


def _parts(item: str, paper: Paper) -> Parts:
    if item == "joined":
        return whole.joined(paper.make, paper.rules, paper.clock, paper.seed)
    return _hanchan(paper) if item == "hanchan" else _scripted(item, paper)


def _scripted(item: str, paper: Paper) -> Parts:
    for number, scene in enumerate(SCENES[item]):
        yield scene.about, scene.play(paper.make, paper.rules, paper.clock, number)


def _hanchan(paper: Paper) -> Parts:
    for number in range(paper.hanchan):
        sat = whole.hanchan(paper.make, paper.rules, paper.clock, paper.seed, number)
        yield f"hanchan {number + 1} of {paper.hanchan}", sat
