"""`jantaku bots`: the players installed by name, from jantaku and other packages."""

import inspect
import sys
from importlib.metadata import EntryPoint, entry_points
from typing import NamedTuple

import click
from rich.table import Column, Table
from rich.text import Text

from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen
from jantaku.table.ground.installation import lacking, pip_install
from jantaku.table.play.entry import DEFAULT, GAMES

GROUP = "jantaku.players"
"""The entry point group in which a package names its players."""
BROKEN = "jantaku.players.broken."
"""The package of bots that break the rules on purpose."""
FAULTY = "faulty on purpose; seat one to see what the table does with such a bot:"


class Listed(NamedTuple):
    """A bot in the list: the heading it stands under (empty for none), its name, its place and a line about it."""

    heading: str
    name: str
    value: str
    text: str


@click.command(epilog="A bot that is not installed is named by its place: jantaku play --players my_module:MyBot,…")
def command() -> None:
    """List the bots that can play, each with what it does in a line."""
    bots = [about(bot) for bot in sorted(entry_points(group=GROUP))]
    if not bots:
        say(f"no bot is installed (no entry point in the group {GROUP}): {pip_install()} adds ours")
    headings = {one.heading for one in bots}
    for heading in sorted(headings, key=lambda heading: (heading == FAULTY, heading)):
        _print(heading, [one for one in bots if one.heading == heading])


def _print(heading: str, bots: list[Listed]) -> None:
    if heading:
        say("", heading)
    if sys.stdout.isatty():
        grid = Table.grid("", Column(overflow="fold"), padding=(0, 2))
        for bot in bots:
            grid.add_row(Text(bot.name, style="bold"), Text.assemble(bot.text, " ", (bot.value, "dim")))
        Screen().print(grid)
    else:
        say(*(f"{bot.name}: {bot.text} ({bot.value})" for bot in bots))


def about(bot: EntryPoint) -> Listed:
    """Return a bot with the first paragraph of its docstring in one line, or why it cannot be loaded: a broken bot does
    not hide the others."""
    heading = FAULTY if bot.value.startswith(BROKEN) else ""
    try:
        player = bot.load()
    except (Exception, SystemExit) as problem:  # importing a foreign module may raise anything
        reason = lacking(problem.name) if isinstance(problem, ModuleNotFoundError) else ""
        reason = reason or f"cannot be loaded: {type(problem).__name__}: {' '.join(str(problem).split())}"
        return Listed(heading, bot.name, bot.value, reason)
    if not callable(player) or (isinstance(player, type) and not hasattr(player, "answer")):
        wrong = "cannot play: it is neither a class with a method `answer` nor a function that makes a bot"
        return Listed(heading, bot.name, bot.value, wrong)
    game = GAMES.get(getattr(player, "game", ""))
    if game is not None and game.name != DEFAULT:
        heading = f"{game.title} (jantaku play --game {game.name}):"
    # `__doc__`, not `inspect.getdoc`, which would describe a class by the docstring of its base.
    text = " ".join(inspect.cleandoc(player.__doc__ or "says nothing about itself").partition("\n\n")[0].split())
    return Listed(heading, bot.name, bot.value, text)
