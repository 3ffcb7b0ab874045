"""A suite of positions at which a sensible answer is wrong, and what a bot loses at them.

    solved = solve(read_suite(path), adviser("shanten"))
    positions, lost, half = solved.loss()

`scripts/worlds/suite.py` chooses the puzzles: two bots played their sensible answers out in many worlds, and with both
the same one leads the others. A bot hears a past that leads to the question (`past_of`), and is asked as at a table.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import msgspec

from jantaku.table.arena.forks.between import ALONE, Beside
from jantaku.table.arena.forks.course import CourseTurn, course_of
from jantaku.table.arena.forks.shadow import RecordedGame, Shadowed, beside_record
from jantaku.table.arena.match.figures.statistics import interval
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.shapes import shaped
from jantaku.table.ground.port import Action, Answer, Verdict
from jantaku.table.judge.faults import OUT_OF_TIME, Cause
from jantaku.table.play.seating.roster import Entrant
from jantaku.table.records.journal.lines import content_of, from_json
from jantaku.table.records.replay.past import begun, past_of
from jantaku.table.riichi.line import Position, read_line
from jantaku.table.riichi.option_numbers import NAMES, number_of

FORM = 1
"""Version of the format."""
SUITE = Path(__file__).parent / "suite.jsonl"
"""The suite that comes along."""
_MAKES = "python -m scripts.worlds.suite makes one"


class SuiteHead(msgspec.Struct, frozen=True):
    """The first line of a suite: by which bots it was played out, and in how many worlds at most."""

    suite: int
    by: tuple[str, ...]
    worlds: int


class Puzzle(msgspec.Struct, frozen=True):
    """One position of a suite: its line, its kind, and by the name of each option how many points less it is worth than
    the best one."""

    line: str
    kind: str
    lost: dict[str, float]

    def position(self) -> Position:
        """Read the line. BadInput if it is none, or if `lost` does not fit its options."""
        position = read_line(self.line)
        names = {NAMES[number_of(option)] for option in position.choice.options}
        if self.lost.keys() != names:
            wrong = ", ".join(sorted(self.lost.keys() ^ names))
            raise BadInput(f"{wrong}: allowed are all options of its line: {', '.join(sorted(names))}", "lost")
        if min(self.lost.values()) != 0:
            raise BadInput(f"the least is {min(self.lost.values())}; allowed is 0 for the best option", "lost")
        return position


class SolvedPuzzle(msgspec.Struct, frozen=True):
    """The name of the option that a bot answered, what that loses, and the best option."""

    line: str
    kind: str
    answer: str
    lost: float
    best: str


class SolvedSuite(msgspec.Struct, frozen=True):
    """All answers of a bot, and those that were a fault, with the line of each; a fault counts as the default."""

    by: str
    answers: tuple[SolvedPuzzle, ...]
    bad: tuple[tuple[str, Answer], ...]

    @property
    def faults(self) -> dict[str, int]:
        """The number of faults by verdict."""
        return dict(sorted(Counter(str(answer.verdict) for _, answer in self.bad).items()))

    def loss(self, kind: str = "") -> tuple[int, float, float | None]:
        """The number of puzzles of a kind, or of all, the points lost on average, and half of the 95 % interval."""
        lost = [one.lost for one in self.answers if kind in ("", one.kind)]
        return len(lost), fmean(lost), interval(lost, [1.0] * len(lost)).half

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in Counter(one.kind for one in self.answers).most_common()]

    @property
    def costliest(self) -> list[SolvedPuzzle]:
        """The answers that lose something, the most costly first."""
        return sorted((one for one in self.answers if one.lost > 0), key=lambda one: -one.lost)


def read_suite(path: Path) -> list[Puzzle]:
    """Read a suite. Raises BadInput, with the line, for anything else."""
    values: list[Any] = []
    if not (content := content_of(path).rstrip()):
        raise BadInput(f"{path}: it is empty; {_MAKES}")
    for number, text in enumerate(content.splitlines(), 1):
        try:
            values.append(from_json(text))
        except ValueError:
            raise BadInput(f"{path} line {number}: broken, not JSON") from None
    form = values[0].get("suite") if isinstance(values[0], dict) else None
    if form != FORM:
        raise BadInput(
            f"{path} line 1: suite is {form}; this jantaku reads {FORM}; python -m scripts.worlds.suite makes one"
        )
    if not values[1:]:
        raise BadInput(f"{path}: it has no position")
    return [_puzzle(value, f"{path} line {number}") for number, value in enumerate(values[1:], 2)]


def _puzzle(value: object, place: str) -> Puzzle:
    puzzle = shaped(value, Puzzle, place)
    try:
        puzzle.position()
    except BadInput as error:
        raise error.within(place) from None
    return puzzle


def solve(
    puzzles: Sequence[Puzzle],
    bot: Entrant,
    beside: Beside = ALONE,
    solved: Callable[[], object] = lambda: None,
) -> SolvedSuite:
    """Put all puzzles to a bot; `solved` is called after each. As at a table, a bot that was out of time too often in a
    row is not asked again. BadInput if the bot cannot be made, or if a puzzle is none by these rules."""
    answers, bad = list[SolvedPuzzle](), list[tuple[str, Answer]]()
    late, most = 0, bot.clock(beside.clock).max_faults
    for game, puzzle in enumerate(puzzles):
        position = puzzle.position()
        if 0 < most <= late:
            given = Answer(position.seat, game, position.choice.default, Verdict.NOT_ASKED, reason=Cause.AUTOPILOT)
        else:
            given = asked(position, bot, msgspec.structs.replace(beside, game=game)).answer
        late = late + 1 if given.verdict in OUT_OF_TIME else 0
        if not given.verdict.good:
            bad.append((puzzle.line, given))
        answer, best = NAMES[number_of(given.action)], min(puzzle.lost, key=puzzle.lost.__getitem__)
        answers.append(SolvedPuzzle(puzzle.line, puzzle.kind, answer, puzzle.lost[answer], best))
        solved()
    return SolvedSuite(bot.name, tuple(answers), tuple(bad))


def asked(position: Position, bot: Entrant, beside: Beside) -> Shadowed:
    """Put one question to a bot, behind a past that leads to it."""
    past = past_of(position, beside.seed)
    course = course_of(past.record)
    turn = begun(past).turn()
    assert turn is not None, "the kyoku goes on"
    responses: list[Action | None] = [None] * course.seats
    if turn.seat != past.player:
        responses[past.player] = position.choice.default
    action = turn.choice.default if past.given is None else past.given
    kyoku = [[*(course.kyoku[0] if course.kyoku else ()), CourseTurn(action, tuple(responses))]]
    game = RecordedGame(
        msgspec.structs.replace(course, kyoku=kyoku), [past.player], lambda _, turn, __: turn == len(kyoku[0])
    )
    (one,) = beside_record(game, {past.player: bot}, beside)
    return one
