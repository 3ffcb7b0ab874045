"""`jantaku solve`: puts a suite of positions to a bot."""

import shlex
from pathlib import Path
from typing import Any

import click
import msgspec

from jantaku.table.arena.forks.between import Beside
from jantaku.table.arena.solving import SUITE, Puzzle, SolvedSuite, read_suite, solve
from jantaku.table.cli.main import FAILED, OK
from jantaku.table.cli.options import BOTS, CommandOptions, OneOf, RunOptions, argument, option
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen, bar
from jantaku.table.drawing.columns import counted, fitting
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import typed
from jantaku.table.judge.mode import Mode
from jantaku.table.play.outcome import often, why_lines
from jantaku.table.play.seating.roster import Entrant, adviser, kept

SHOWN = 10
"""Costly answers that are listed."""


class SolveOptions(CommandOptions):
    bot: str = argument("BOT", help=f"The bot: {BOTS}.")
    suite: Path | None = option(
        "Another suite, as python -m scripts.worlds.suite makes it.", "FILE", type=click.Path(path_type=Path)
    )
    seats: str | None = option(
        "Only positions of so many players, for a bot that does not know the others.", type=OneOf(("3", "4"))
    )
    run: RunOptions = RunOptions.group(without=("flag",))
    json: bool = option("Print one JSON object, nothing else.")


@SolveOptions.command(
    epilog="""\b
  jantaku solve allround
  jantaku solve mybot.py:Clever --json

At each position sensible answers differ, and one of them is the best, whichever of two bots plays on. What an answer
loses is how many points less it was worth there. One that loses little is strong; how strong, matches say.
"""
)
def command(options: SolveOptions) -> int:
    """Say what a bot loses at positions whose best option is known, in seconds and without a match.

    Exit code 1 if it is at fault.
    """
    puzzles = puzzles_of(options.suite or SUITE, options.seats)
    bot = adviser(options.bot, "BOT", sandbox=options.run.sandbox)
    mode, clock = options.run.timed(Mode.PER_TURN)
    screen = Screen()
    with kept([bot]), bar(screen, shown=screen.is_terminal and not options.json) as drawn:
        task = drawn.add_task("positions", total=len(puzzles))
        solved = solve(puzzles, bot, Beside(clock, mode, seed="solve"), lambda: drawn.advance(task))
    if options.json:
        kinds = {kind: _figures(solved, kind) for kind in ("", *solved.kinds)}
        told = {"by": solved.by, "all": kinds.pop(""), "kinds": kinds, "faults": solved.faults}
        say(msgspec.json.encode({**told, "answers": solved.answers}))
    else:
        _show(screen, solved)
    _tell_faults(bot, options.bot, solved)
    return FAILED if solved.bad else OK


def puzzles_of(suite: Path, seats: str | None) -> list[Puzzle]:
    """Read a suite, and keep the positions of `seats` players, or all. BadInput if that leaves none."""
    puzzles = read_suite(suite)
    if seats is not None:
        puzzles = [one for one in puzzles if one.position().board.seats == int(seats)]
    if not puzzles:
        raise BadInput(f"--seats {seats}: {suite} has no position of so many players")
    return puzzles


def _figures(solved: SolvedSuite, kind: str) -> dict[str, Any]:
    number, lost, half = solved.loss(kind)
    return {"positions": number, "lost": round(lost, 3), "half": None if half is None else round(half, 3)}


def _show(screen: Screen, solved: SolvedSuite) -> None:
    for one in solved.costliest[:SHOWN]:
        say(f"{one.lost:.1f} points: {one.answer}, and {one.best} is best", f"  {one.line}")
    rows = [(kind, *_cells(solved, kind)) for kind in solved.kinds]
    for table in fitting(("kind", "positions", "points lost"), [*rows, ("all", *_cells(solved))], screen.width):
        screen.print(table)
    _, lost, half = solved.loss()
    sure = "" if half is None else f" ± {half:.2f}"
    say(f"{solved.by} loses {lost:.2f}{sure} points a decision at {counted(len(solved.answers), 'position')}")


def _tell_faults(bot: Entrant, spec: str, solved: SolvedSuite) -> None:
    """Print the bot's faults: how often, where first, why, the evidence, and how to see more of it."""
    for verdict, count in solved.faults.items():
        line, first = next((line, answer) for line, answer in solved.bad if answer.verdict == verdict)
        say(f"{bot.name}: {verdict} {often(count)} at {line}; the default counts", *why_lines(first, bot.at), err=True)
    if solved.bad:
        say(f"next: {typed(f'exam {shlex.quote(spec)}')}", err=True)


def _cells(solved: SolvedSuite, kind: str = "") -> tuple[str, str]:
    number, lost, half = solved.loss(kind)
    return str(number), f"{lost:.2f}" if half is None else f"{lost:.2f} ± {half:.2f}"
