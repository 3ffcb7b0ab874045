"""Makes a suite for `jantaku solve`: positions at which a sensible answer is wrong, whichever bot plays on.

    python -m scripts.worlds.suite RECORD… --out suite.jsonl [--count 600] [--worlds 2000] [--workers 2]

It draws questions from records. `shanten`, `allround` and the player of the record each have an answer; a question is
taken where these differ. They are played out by both bots. The question is kept if with both the same answer is the
best, and leads the others by two half-widths of the 95 % interval. The same records and seed make the same suite; the
order of the records does not matter if their names differ.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice, repeat
from pathlib import Path
from typing import Any

import msgspec

from jantaku.table.arena.solving import FORM, Puzzle, SuiteHead
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action
from jantaku.table.play.playouts import Playouts
from jantaku.table.play.seating.loader import bot_maker
from jantaku.table.records.convert.readers import read_any, recognised
from jantaku.table.records.journal.lines import content_of
from jantaku.table.records.replay.decisions import Decision, DecisionView, decisions
from jantaku.table.records.replay.reviewed import kind_of
from jantaku.table.riichi.actions import Discard
from jantaku.table.riichi.line import Position, read_line
from jantaku.table.riichi.option_numbers import NAMES, number_of
from jantaku.table.riichi.world import NoWorld
from scripts.core import compile_first
from scripts.worlds.questions import question_to

BY = ("shanten", "allround")
KINDS = ("push or fold", "riichi", "call", "kan", "last kyoku", "three players", "discard")
LAST = {("tonpu", 0), ("hanchan", 1)}
MOST = 4
"""Questions of a kind that are taken from one record."""
LOOKED_AT = 12
"""Questions of a kind of one record that are played out."""
EACH = 90
"""Questions of a kind in a suite."""
SHARE = 0.3
"""The share of plain discards that is looked at: there are many."""
TOGETHER = 8
"""Records that are looked through before it is seen of which kinds enough were found."""
LEAD = 3.92
"""Two half-widths of the 95 % interval, in standard errors."""
ERROR = 1e-3
"""The chance of a wrong lead, of all looks and options together: with it `Playouts` leaves out what is behind by 3.9
standard errors or more."""
LOOKS = (48, 96, 192, 384, 768)
ON_THE_WAY = 0.35
"""At each look the lead has to be `LEAD` times the share of worlds to the power of this. A lead grows with the power
0.5: small ones would take many worlds, and are left out early."""
OTHERS = 384
"""The worlds in which the answers are played out that nobody would give, by `shanten` alone."""


def kind_at(decision: Decision[DecisionView], position: Position) -> str:
    """What a question is about: the first of these that fits."""
    view, board = decision.view, position.board
    about = kind_of(decision.options)
    if any(riichi for seat, riichi in enumerate(view.riichi) if seat != view.seat):
        return "push or fold"
    if about in ("kan", "riichi", "call"):
        return about
    last = (position.rules.game.length, board.round) in LAST and board.kyoku == board.seats - 1
    return "last kyoku" if last else "three players" if board.seats == 3 else "discard"


def drawn(file: Path, kinds: Sequence[str], lots: random.Random) -> dict[str, list[tuple[Position, list[Action]]]]:
    """Draw questions of these kinds from a record, in a random order. Each comes with the different answers that bots
    and player gave. BadInput if the record cannot be read."""
    found: dict[str, list[tuple[Position, list[Action]]]] = {kind: [] for kind in kinds}
    for decision in decisions(read_any(file).record, lined=True):
        about = kind_of(decision.options)
        if about in ("win", "declaration") or (about == "discard" and lots.random() > SHARE):
            continue
        position = read_line(decision.line)
        if (kind := kind_at(decision, position)) in found:
            answers = {_deed(answer_of(by, position)) for by in BY}
            if decision.told:
                answers |= {_deed(one) for one in position.choice.options if number_of(one) == decision.number}
            if len(answers) > 1:
                found[kind].append((position, [one for one in _different(position) if _deed(one) in answers]))
    for questions in found.values():
        lots.shuffle(questions)
    return found


def _different(position: Position) -> list[Action]:
    """The options, of two equal tiles, one in the hand and one just drawn, one."""
    return list({_deed(option): option for option in position.choice.options}.values())


def _deed(option: Action) -> Action:
    return msgspec.structs.replace(option, tsumogiri=False) if isinstance(option, Discard) else option


def answer_of(by: str, position: Position) -> Action:
    bot: Any = bot_maker(by, "riichi")(0)
    answer: Action = bot.answer(question_to(bot, position))
    return answer


def judged(kind: str, position: Position, answers: Sequence[Action], worlds: int) -> Puzzle | None:
    """Play a question out; None if no answer leads the others by two half-widths under both bots."""
    try:
        raced = list[Playouts]()
        for by in BY:
            race = raced_by(by, position, answers, worlds)
            if race is None or race.best != (raced or [race])[0].best:
                return None
            raced.append(race)
        best = raced[0].best
        beside = Playouts(position, BY[0], options=[best, *(one for one in _different(position) if one not in answers)])
        beside.play(OTHERS)
    except NoWorld:
        return None
    if beside.best != best and 2 * (beside.lead(beside.best, best)[1] or 0.0) < beside.lead(beside.best, best)[0]:
        return None
    lost = {_deed(one): beside.lead(best, one)[0] for one in beside.found}
    lost |= {_deed(one): sum(race.lead(best, one)[0] for race in raced) / len(BY) for one in answers}
    told = {NAMES[number_of(one)]: round(max(0.0, lost[_deed(one)]), 2) for one in position.choice.options}
    return Puzzle(position.line, kind, told)


def raced_by(by: str, position: Position, answers: Sequence[Action], worlds: int) -> Playouts | None:
    """Play answers out until one leads all others; None if that is not in sight."""
    race = Playouts(position, by, options=answers, error=ERROR)
    for look in (*(look for look in LOOKS if look < worlds), worlds):
        race.play(look)
        needed = LEAD * (look / worlds) ** ON_THE_WAY
        ahead = [race.lead(race.best, one) for one in answers if one is not race.best]
        if any(lead < needed * (error or 0.0) or not lead for lead, error in ahead):
            return None
    return race


def puzzles_of(file: Path, kinds: Sequence[str], seed: str, worlds: int) -> list[Puzzle]:
    """The puzzles of a record. BadInput if it cannot be read."""
    found = list[Puzzle]()
    for kind, questions in drawn(file, kinds, random.Random(f"{seed} {file.name}")).items():
        puzzles = (judged(kind, position, answers, worlds) for position, answers in questions[:LOOKED_AT])
        found += [puzzle for puzzle, _ in zip(filter(None, puzzles), range(MOST), strict=False)]
    return found


def suite_of(files: Sequence[Path], seed: str, worlds: int, workers: int) -> Iterator[Puzzle]:
    """Yield puzzles, of each kind as many if there are. BadInput for a record that cannot be read."""
    kept = Counter[str]()
    files = sorted(files, key=lambda file: random.Random(f"{seed} {file.name}").random())
    with ProcessPoolExecutor(workers) as pool:
        for at in range(0, len(files), TOGETHER):
            kinds = [kind for kind in KINDS if kept[kind] < EACH]
            found = pool.map(puzzles_of, files[at : at + TOGETHER], repeat(kinds), repeat(seed), repeat(worlds))
            for puzzle in (puzzle for puzzles in found for puzzle in puzzles):
                kept[puzzle.kind] += 1
                if kept[puzzle.kind] <= EACH:
                    yield puzzle


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.worlds.suite", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("records", nargs="+", type=Path, metavar="RECORD")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    for name, default in (("--count", 600), ("--worlds", 2000), ("--workers", 2)):
        parser.add_argument(name, type=int, default=default, metavar="N")
    parser.add_argument("--seed", default="1")
    options = parser.parse_args(arguments)
    for name, least in (("count", 1), ("worlds", LOOKS[0]), ("workers", 1)):
        if getattr(options, name) < least:
            parser.error(f"--{name} {getattr(options, name)}: allowed are {least} and more")
    try:
        return make(options)
    except BadInput as error:
        print(f"suite: {error}", file=sys.stderr)
    except OSError as error:
        print(f"suite: --out {options.out} cannot be written: {error.strerror}", file=sys.stderr)
    return 2


def make(options: argparse.Namespace, told: Callable[[str], object] = print) -> int:
    """Write the suite. BadInput for a record that cannot be read, OSError if the file cannot be written."""
    kinds = Counter[str]()
    for record in options.records:
        recognised(record, content_of(record))  # before the suite that is there is written over
    with options.out.open("wb") as file:
        file.write(msgspec.json.encode(SuiteHead(FORM, BY, options.worlds)) + b"\n")
        puzzles = suite_of(options.records, options.seed, options.worlds, options.workers)
        for puzzle in islice(puzzles, options.count):
            file.write(msgspec.json.encode(puzzle) + b"\n")
            file.flush()
            kinds[puzzle.kind] += 1
            told(f"{kinds.total()} of {options.count}: {', '.join(f'{kinds[kind]} {kind}' for kind in KINDS)}")
    return 0


if __name__ == "__main__":
    compile_first()
    sys.exit(main())
