"""`jantaku bots`: the players installed by name, from jantaku and other packages."""

import inspect
import sys
from importlib.metadata import EntryPoint, entry_points

import click
from rich.table import Column, Table
from rich.text import Text

from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen
from jantaku.table.ground.installation import pip_install

GROUP = "jantaku.players"
"""The entry point group in which a package names its players."""


@click.command(epilog="A bot that is not installed is named by its place: jantaku play --players my_module:MyBot,…")
def command() -> None:
    """List the bots that can play, each with what it does in a line."""
    rows = [(bot.name, bot.value, about(bot)) for bot in sorted(entry_points(group=GROUP))]
    if not rows:
        say(f"no bot is installed (no entry point in the group {GROUP}): {pip_install()} adds ours")
    elif sys.stdout.isatty():
        grid = Table.grid("", Column(overflow="fold"), padding=(0, 2))
        for name, value, text in rows:
            grid.add_row(Text(name, style="bold"), Text.assemble(text, " ", (value, "dim")))
        Screen().print(grid)
    else:
        for name, value, text in rows:
            say(f"{name}: {text} ({value})")


def about(bot: EntryPoint) -> str:
    """Return the first paragraph of a player's docstring in one line, or why it cannot be loaded: a broken bot does not
    hide the others."""
    try:
        player = bot.load()
    except (Exception, SystemExit) as problem:  # importing a foreign module may raise anything
        return f"cannot be loaded: {type(problem).__name__}: {' '.join(str(problem).split())}"
    if not callable(player) or (isinstance(player, type) and not hasattr(player, "answer")):
        return "cannot play: it is neither a class with a method `answer` nor a function that makes a bot"
    # `__doc__`, not `inspect.getdoc`, which would describe a class by the docstring of its base.
    return " ".join(inspect.cleandoc(player.__doc__ or "says nothing about itself").partition("\n\n")[0].split())
