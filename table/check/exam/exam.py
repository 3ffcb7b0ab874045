"""The exam: every item in order, each up to the first exchange at which the player fails.

Two items are whole hanchan: random ones, and ones that the player joins in progress.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from jantaku.table.check.exam.items import SCENES, Maker
from jantaku.table.ground.errors import BadInput, TableFault
from jantaku.table.ground.port import Player, Verdict
from jantaku.table.judge.judge import Judge
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.languages.facts import log_of
from jantaku.table.play import seeds
from jantaku.table.play.seating.roster import enlist
from jantaku.table.records.journal.read import Record
from jantaku.table.records.replay.drive import Drive
from jantaku.table.records.replay.verify import game_of
from jantaku.table.riichi.game import Names, RiichiGame, walls_from
from jantaku.table.riichi.pieces.seats import SEATS, after
from jantaku.table.riichi.rules import Rules
from jantaku.table.testing.exchange import QuestionReport
from jantaku.table.testing.sitting import Sat, Sitting

OPPONENTS = ("dice", "caller", "dice", "caller")
"""The opponents by place, as many as the game needs; together they take every kind of action."""
JOINS = ((0, 0.2), (1, 0.45), (2, 0.7), (3, 0.95))
"""Where the player joins: its place (with three seats taken modulo three), and the share of the record played by
then."""
CATCHING_UP = 60.0
"""Extra seconds in the bank of a joining player: it hears a whole record at once, and may think about each of its
questions."""
_NAMES = ("A", "B", "C", "D")
WHOLE = ("joined", "hanchan")
"""The items of whole hanchan."""
ITEMS = (*SCENES[SEATS], *WHOLE)
"""Every item of games of four, by name, in the exam's order."""
NAMES = (*dict.fromkeys(name for scenes in SCENES.values() for name in scenes), *WHOLE)
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


def _hanchan(paper: Paper) -> Parts:
    """Play random hanchan; the player's place follows from their number."""
    for number in range(paper.hanchan):
        game = RiichiGame(paper.rules, walls_from(paper.seed, number, paper.rules), _names(paper.rules))
        yield f"hanchan {number + 1} of {paper.hanchan}", _sit(game, number, paper, number)


def _joined(paper: Paper) -> Parts:
    """Play hanchan that others began to their end."""
    record = _record(paper.rules, f"{paper.seed} record")
    turns = sum(1 for _ in Drive(game_of(record, paper.rules, "exam"), record.log).steps())
    for number, (place, share) in enumerate(JOINS):
        game, (kyoku, turn) = _driven(record, paper.rules, int(turns * share))
        about = f"joined in turn {turn} of kyoku {kyoku} of {len(record.log)}"
        yield about, _sit(game, place, paper, number, bank=CATCHING_UP)


def _sit(game: RiichiGame, place: int, paper: Paper, number: int, bank: float = 0.0) -> Sat:
    seat = after(0, place, game.seats)
    others = {one: player for one, player in enumerate(_opponents(game, paper.seed, number)) if one != seat}
    player = paper.make(seeds.of_bot(paper.seed, number, seat))
    clock = msgspec.structs.replace(paper.clock, bank=paper.clock.bank + bank)
    return Sitting(game, seat, player, others, clock, threads=paper.threads).play()


def _opponents(game: RiichiGame, seed: str, number: int) -> Sequence[Player]:
    entrants = enlist(OPPONENTS[: game.seats])
    return [entrant.make(seeds.of_bot(seed, number, seat)) for seat, entrant in enumerate(entrants)]


def _names(rules: Rules) -> Names:
    return _NAMES[: rules.game.players]


def _record(rules: Rules, seed: str) -> Record:
    """Return a hanchan of the opponents alone, as if read from a file."""
    game = RiichiGame(rules, walls_from(seed, 0, rules), _names(rules))
    Judge(game, _opponents(game, seed, 0), mode=Mode.INLINE).run()
    return Record(Path("the exam's record"), _names(rules), game.first_dealer, log_of(game.events))


def _driven(record: Record, rules: Rules, turns: int) -> tuple[RiichiGame, tuple[int, int]]:
    """Return the game of the record after `turns` turns, with kyoku and turn from 1."""
    game = game_of(record, rules, "exam")
    drive = Drive(game, record.log)
    for played, at in enumerate(drive.steps()):
        if played == turns:
            return game, at
    raise TableFault(f"exam: the record cannot be followed: {drive.difference}")


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
    there = (*SCENES[rules.game.players], *WHOLE)
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
    scenes = SCENES[paper.rules.game.players]
    count = len(scenes[item]) if item in scenes else len(JOINS) if item == "joined" else paper.hanchan
    tell(item, 0, count)
    for about, sat in parts_of(item, paper):
        played, asked, longest = played + 1, asked + sat.asked, max(longest, sat.longest)
        tell(item, played, count)
        if sat.failure is not None:
            return Mark(item, False, played, asked, longest, about, sat.failure)
    return Mark(item, True, played, asked, longest)


def parts_of(item: str, paper: Paper) -> Parts:
    """Play an item part by part, and yield what each is about and its result."""
    if item in WHOLE:
        yield from _joined(paper) if item == "joined" else _hanchan(paper)
        return
    for number, scene in enumerate(SCENES[paper.rules.game.players][item]):
        yield scene.about, scene.play(paper.make, paper.rules, paper.clock, number, paper.threads)
