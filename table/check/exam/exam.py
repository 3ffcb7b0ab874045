"""The exam: every item in order, each up to the first exchange at which the player fails."""

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from jantaku.table.check.exam import items, three, whole
from jantaku.table.check.exam.items import Maker, Scene
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Verdict
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.way import Mode
from jantaku.table.riichi.pieces.seats import SEATS, THREE
from jantaku.table.riichi.rules import Rules
from jantaku.table.testing.sitting import QuestionReport, Sat

_SCENES: Mapping[int, Mapping[str, tuple[Scene, ...]]] = {SEATS: items.SCENES, THREE: three.SCENES}
"""The scripted items by number of seats."""
WHOLE = ("joined", "hanchan")
"""The items of whole hanchan."""
ITEMS = (*items.SCENES, *WHOLE)
"""Every item of games of four, by name, in the exam's order."""
NAMES = (*dict.fromkeys(name for scenes in _SCENES.values() for name in scenes), *WHOLE)
"""Every item of games of three or four."""

Parts = Iterable[tuple[str, Sat]]
Tell = Callable[[str, int, int], None]
"""Called with an item's name, the number of its parts played so far, and the number of its parts."""


class Paper(msgspec.Struct, frozen=True):
    """The player to examine and the conditions. `hanchan` is the number of random hanchan; equal seeds ask equal
    questions."""

    make: Maker
    rules: Rules
    clock: Clock
    seed: str
    hanchan: int
    items: tuple[str, ...] = ITEMS
    threads: Mode = Mode.RESIDENT


class Mark(msgspec.Struct, frozen=True):
    """The result of an item: parts played, questions asked in them, slowest answer in seconds; if it failed, in which
    part (`about`) and at which exchange."""

    item: str
    passed: bool
    parts: int
    asked: int
    longest: float
    about: str = ""
    failure: QuestionReport | None = None


def items_of(rules: Rules, wanted: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the items that these rules have, or only those that are `wanted`. BadInput for one that these rules do not
    have."""
    there = (*_SCENES[rules.game.players], *WHOLE)
    for name in wanted:
        if name not in there:
            known = f"with game.players = {rules.game.players} the items are {', '.join(there)}"
            raise BadInput(f"--item: {name} is not examined under these rules; {known}")
    return tuple(name for name in there if not wanted or name in wanted)


def examine(paper: Paper, tell: Tell = lambda item, played, parts: None) -> Iterator[Mark]:
    """Run the items and yield each result. BadInput if the player does not start. `tell` is called after every part."""
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
    scenes = _SCENES[paper.rules.game.players]
    count = len(scenes[item]) if item in scenes else len(whole.JOINS) if item == "joined" else paper.hanchan
    tell(item, 0, count)
    for about, sat in _parts(item, paper):
        played, asked, longest = played + 1, asked + sat.asked, max(longest, sat.longest)
        tell(item, played, count)
        if sat.failure is not None:
            return Mark(item, False, played, asked, longest, about, sat.failure)
    return Mark(item, True, played, asked, longest)


def _parts(item: str, paper: Paper) -> Parts:
    if item == "joined":
        return whole.joined(paper.make, paper.rules, paper.clock, paper.seed, paper.threads)
    return _hanchan(paper) if item == "hanchan" else _scripted(item, paper)


def _scripted(item: str, paper: Paper) -> Parts:
    for number, scene in enumerate(_SCENES[paper.rules.game.players][item]):
        yield scene.about, scene.play(paper.make, paper.rules, paper.clock, number, paper.threads)


def _hanchan(paper: Paper) -> Parts:
    for number in range(paper.hanchan):
        sat = whole.hanchan(paper.make, paper.rules, paper.clock, paper.seed, number, paper.threads)
        yield f"hanchan {number + 1} of {paper.hanchan}", sat
