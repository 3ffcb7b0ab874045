"""Makes a suite for `jantaku solve`: positions at which one option is the best, whichever bot plays on.

    python -m scripts.suite RECORD… --out suite.jsonl [--count 600] [--worlds 2000]

Draws questions from records, as many of each kind as there are, and plays their options out by two bots. A question is
kept if under both the same option leads every other one for sure. The same records and seed make the same suite.
"""

import argparse
import random
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from jantaku.table.arena.solving import FORM, Puzzle, SuiteHead
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.port import Action, Question
from jantaku.table.play.playouts import Playouts
from jantaku.table.play.seating.loader import bot_maker
from jantaku.table.records.convert.readers import read_any
from jantaku.table.records.replay.decisions import Decision, DecisionView, decisions
from jantaku.table.records.replay.reviewed import kind_of
from jantaku.table.riichi.actions import Discard
from jantaku.table.riichi.line import Position, read_line
from jantaku.table.riichi.mask import dealt_to
from jantaku.table.riichi.option_numbers import NAMES, number_of
from scripts.core import compile_first

BY = ("shanten", "allround")
SLOWER = 8
"""The second bot takes so much longer for a world, and plays so many times fewer of them."""
FEW = 24
FEWEST = FEW * SLOWER
FAR = 3.0
"""After `FEW` worlds, options are left out that are more standard errors behind than this."""
LOOKS = (48, 96, 192, 384)
HOPE = 1.5
"""At each look, the best option has to lead every other by so many standard errors. Else the question is dropped."""
LAST = {("tonpu", 0), ("hanchan", 1)}


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


def drawn(files: Sequence[Path], lots: random.Random) -> dict[str, list[Position]]:
    """Draw questions from records, by kind and in a random order. BadInput for a file that cannot be read."""
    found = defaultdict[str, list[Position]](list)
    for file in files:
        for decision in decisions(read_any(file).record, lined=True):
            position = read_line(decision.line)
            if kind_of(decision.options) not in ("win", "declaration") and lots.random() < 0.2:
                found[kind_at(decision, position)].append(position)
    for positions in found.values():
        lots.shuffle(positions)
    return found


def in_turn(found: dict[str, list[Position]]) -> Iterator[tuple[str, Position]]:
    """Yield questions, the kinds in turn."""
    while any(found.values()):
        for kind, positions in sorted(found.items()):
            if positions:
                yield kind, positions.pop()


def judged(kind: str, position: Position, worlds: int) -> Puzzle | None:
    """Play a question out; None if no option leads under both bots, or if both would do what costs no thought. Of two
    equal tiles, one in the hand and one just drawn, one is played."""
    if {_deed(answer_of(by, position)) for by in BY} == {_deed(position.choice.default)}:
        return None
    options = {_deed(option): option for option in position.choice.options}
    lost, best = defaultdict[Action, float](float), set[Action]()
    for by, most in zip(BY, (worlds, worlds // SLOWER), strict=True):
        try:
            found = raced(position, by, list(options.values()), most)
        except BadInput:
            return None
        if found is None or len(best | {found[0][0]}) > 1:
            return None
        best.add(found[0][0])
        for option, behind in found:
            lost[option] += behind / len(BY)
    told = {NAMES[number_of(option)]: lost[options[_deed(option)]] for option in position.choice.options}
    return Puzzle(position.line, kind, {name: round(points, 2) for name, points in told.items()})


def answer_of(by: str, position: Position) -> Action:
    bot: Any = bot_maker(by, "riichi")(0)
    dealt_to(position.seat, position.board, bot.shown_board)
    bot.shown_board.catch_up(position.board, position.seat)
    answer: Action = bot.answer(Question(0, position.seat, position.choice))
    return answer


def raced(position: Position, by: str, options: Sequence[Action], worlds: int) -> list[tuple[Action, float]] | None:
    """Play options out until one leads all for sure, and return how far each is behind, the best first; None if that
    takes too long. Those that are far behind after a few worlds are left out at once."""
    few = Playouts(position, by, options=options)
    few.play(FEW, decide=False)
    leads = {option: few.lead(few.best, option) for option in options}
    near = [option for option, (lead, error) in leads.items() if not error or lead <= FAR * error]
    race = Playouts(position, by, options=near)
    for look in (FEW, *(look for look in LOOKS if look < worlds), worlds):
        race.play(look)
        ahead = [race.lead(race.best, option) for option in near if option is not race.best]
        if not race.decided and any(lead < HOPE * (error or 0.0) for lead, error in ahead):
            return None
    behind = {option: race.lead(race.best, option)[0] for option in near}
    far = {option: few.lead(race.best, option)[0] for option in options if option not in behind}
    return sorted([*behind.items(), *far.items()], key=lambda one: one[0] is not race.best) if race.decided else None


def _deed(option: Action) -> Action:
    return msgspec.structs.replace(option, tsumogiri=False) if isinstance(option, Discard) else option


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.suite", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("records", nargs="+", type=Path, metavar="RECORD")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE")
    parser.add_argument("--count", type=int, default=600, metavar="N")
    parser.add_argument("--worlds", type=int, default=2000, metavar="N")
    parser.add_argument("--seed", default="1")
    options = parser.parse_args(arguments)
    if options.worlds < FEWEST:
        parser.error(f"--worlds {options.worlds}: allowed are {FEWEST} and more, so that {BY[1]} plays {FEW}")
    if options.count < 1:
        parser.error(f"--count {options.count}: allowed are 1 and more")
    try:
        return make(options)
    except BadInput as error:
        print(f"suite: {error}", file=sys.stderr)
    except OSError as error:
        print(f"suite: --out {options.out} cannot be written: {error.strerror}", file=sys.stderr)
    return 2


def make(options: argparse.Namespace) -> int:
    """Write the suite. BadInput for a record that cannot be read, OSError if the file cannot be written."""
    kept = looked_at = 0
    found = drawn(options.records, random.Random(options.seed))
    with options.out.open("wb") as file:
        file.write(msgspec.json.encode(SuiteHead(FORM, BY, options.worlds)) + b"\n")
        for kind, position in in_turn(found):
            looked_at += 1
            if (puzzle := judged(kind, position, options.worlds)) is not None:
                file.write(msgspec.json.encode(puzzle) + b"\n")
                file.flush()
                kept += 1
                print(f"{kept} of {looked_at}: {kind}", flush=True)
            if kept == options.count:
                break
    return 0


if __name__ == "__main__":
    compile_first()
    sys.exit(main())
