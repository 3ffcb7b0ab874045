"""`jantaku exam`: may this bot sit at any table?"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TextIO

import msgspec

from jantaku.table.check.exam.exam import NAMES, Mark, Paper, Tell, examine, items_of
from jantaku.table.cli.main import FAILED, OK
from jantaku.table.cli.options import (
    SEED,
    CommandOptions,
    OneOf,
    RuleOptions,
    RunOptions,
    WholeNumber,
    argument,
    option,
    rules,
)
from jantaku.table.cli.say import own_output, say
from jantaku.table.cli.screen import Screen, bar
from jantaku.table.ground.clock import now
from jantaku.table.ground.port import Player
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import LIMIT, Clock
from jantaku.table.play.seating.making import Making, make_all, refuse_unmade
from jantaku.table.play.seating.roster import enlist, refuse_programs
from jantaku.table.play.seating.spec import confined
from jantaku.table.riichi import ruleset

EPILOG = """Examples:

\b
  jantaku exam shanten
  jantaku exam mybot:Clever --hanchan 10
  jantaku exam "exec:node bot.js?dialect=majiang" --item kan --item furiten
  jantaku exam mybot:Clever --rules tenhou-3p --item nuki
  jantaku exam mybot:Clever --json
"""


SILENCE = 10.0
"""Seconds between progress lines without a terminal."""


THREADS = (Mode.PER_TURN, Mode.RESIDENT)
"""Modes with a clock: the exam times answers."""


class ExamOptions(CommandOptions):
    bot: str = argument("BOT")
    hanchan: int = option("Random hanchan.", type=WholeNumber(0), default=100)
    items: tuple[str, ...] = option(
        f"Only this item, of: {', '.join(NAMES)}.", "NAME", flag="--item", type=OneOf(NAMES)
    )
    run: RunOptions = RunOptions.group(
        threads={"help": "per-turn or resident.  [default: resident]", "type": OneOf(THREADS)}
    )
    ruling: RuleOptions = rules(f"Rules.  [default: {ruleset.DEFAULT}]")
    seed: str = option("Seed of walls and opponents.", "N", type=SEED, default="exam")
    json: bool = option("One JSON object an item, nothing else.")


@ExamOptions.command(epilog=EPILOG)
def command(options: ExamOptions) -> int:
    """Examine BOT, a player as in `jantaku play --players`, and say where it fails.

    It sits in scripted kyoku, joins a hanchan from a record and plays random ones. An item is passed if BOT answers
    every question legally and in time, bears all that it hears and is paid for each win that it claims. How well it
    plays does not matter. Exit code 1 if an item fails.
    """
    console = Screen(quiet=options.json)
    with own_output(options.json) as output, _progress(console) as tell:
        paper = _paper(options)
        marks = examine(paper, tell)
        return _print(console, marks, paper) if output is None else _print_json(marks, output)


@contextmanager
def _progress(console: Screen) -> Iterator[Tell]:
    """Report progress within an item: a bar on a terminal, else a line on standard error now and then."""
    shown = console.is_terminal and not console.quiet
    with bar(console, shown=shown) as drawn:
        task, told = drawn.add_task(""), now()

        def tell(item: str, played: int, parts: int) -> None:
            nonlocal told
            if shown and not played:
                drawn.reset(task, description=item, total=parts)
            elif shown:
                drawn.update(task, completed=played)
            elif played and now() - told >= SILENCE:
                told = now()
                say(f"{item}: {played} of {parts} played", err=True)

        yield tell


def _paper(options: ExamOptions) -> Paper:
    law = options.ruling.over(ruleset.FILES, ruleset.preset(ruleset.DEFAULT))
    refuse_programs([options.bot], law.game.players, "BOT")
    (entrant,) = enlist(confined([options.bot]) if options.run.sandbox else [options.bot])
    clock = entrant.clock(Clock(turn=options.run.limit or LIMIT, reaction=options.run.limit or LIMIT))

    def make(seed: int) -> Player:
        (player,) = make_all([Making(entrant.make, seed, clock.start)])
        refuse_unmade(player)
        return player

    return Paper(
        make=make,
        rules=law,
        clock=clock,
        seed=options.seed,
        hanchan=options.hanchan,
        items=items_of(law, options.items),
        threads=Mode(options.run.threads or Mode.RESIDENT),
    )


def _print(console: Screen, marks: Iterable[Mark], paper: Paper) -> int:
    """Print a line for each item as soon as it is known, and below a failed one the failing exchange."""
    width = max(map(len, items_of(paper.rules)))
    passed = done = 0
    for mark in marks:
        if not done:  # later than the start: one that fails takes a single line
            console.tell(paper.threads.line)
        done, passed = done + 1, passed + mark.passed
        asked = f"{mark.parts} played, {mark.asked} questions, slowest answer {mark.longest:.3f} s"
        console.say(f"{mark.item:{width}}  {'pass' if mark.passed else 'FAIL'}  {mark.about or asked}")
        if mark.failure is not None:
            for line in mark.failure.lines():
                console.say(f"    {line}")
    console.say(f"{passed} of {done} passed")
    return OK if passed == done else FAILED


def _print_json(marks: Iterable[Mark], output: TextIO) -> int:
    failed = False
    for mark in marks:
        failed |= not mark.passed
        say(msgspec.json.encode(mark), to=output)
    return FAILED if failed else OK
