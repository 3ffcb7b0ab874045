"""`jantaku rules`: prints a complete rule file, checks one, or compares two."""

import shutil
import sys
from typing import Any

import click
from rich.table import Column, Table
from rich.text import Text

from jantaku.table.cli.options import CommandOptions, argument, option
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen
from jantaku.table.errors import BadInput
from jantaku.table.games.known import DEFAULT, GAMES
from jantaku.table.settings.layers import difference, split_texts, toml
from jantaku.table.settings.presets import Presets


class RulesOptions(CommandOptions):
    """The command's options."""

    source: str | None = argument("[PRESET|FILE]", default=None)
    game: str = option("The game.", type=click.Choice(list(GAMES)), default=DEFAULT)
    list: bool = option("List the presets.")
    check: str | None = option("Check a rule file and say what it changes.", "FILE")
    diff: tuple[str, str] | None = option("Show what differs between two presets or files.", "A B", nargs=2)
    set: tuple[str, ...] = option("Change a key first, e.g. ron.max_winners=1.", "KEY=VALUE")


@RulesOptions.command(
    epilog="Your own rules: jantaku rules mleague > my.toml, edit it, then jantaku rules --check my.toml",
)
def command(options: RulesOptions) -> None:
    """Print the complete rules of a preset or file, every key with its comment."""
    files, source = GAMES[options.game].rules, options.source
    asked = [source is not None, options.list, options.check is not None, options.diff is not None]
    if sum(asked) > 1:
        raise BadInput("rules: give one of PRESET or FILE, --list, --check and --diff")
    if options.set and source is None:
        raise BadInput("rules: --set needs a PRESET or FILE to change")
    if options.check is not None:
        _check(files, options.check)
    elif options.diff is not None:
        _diff(files, *options.diff)
    elif source is not None:
        found = files.resolve(source)
        rules = files.with_settings(found, split_texts(options.set, "--set", files.kind))
        say(*files.to_toml(rules, found.preset).rstrip("\n").encode().split(b"\n"))
    else:
        _list(files)


def _list(files: Presets[Any]) -> None:
    width = min(100, shutil.get_terminal_size((100, 0)).columns)
    for name, text in files.texts.items():
        say(*click.wrap_text(text, width, initial_indent=f"{name:<15}", subsequent_indent=" " * 15).split("\n"))
    if sys.stdout.isatty():
        say("", "jantaku rules PRESET prints one complete; --diff A B compares two")


def _check(files: Presets[Any], path: str) -> None:
    found = files.read(path)
    changed = [name for name, _, _ in difference(files.preset(found.preset), found.rules)]
    keys = "1 key" if len(changed) == 1 else f"{len(changed) or 'no'} keys"
    say(f"ok: {path}, preset {found.preset}, {keys} changed{': ' if changed else ''}{', '.join(changed)}")


def _diff(files: Presets[Any], a: str, b: str) -> None:
    rows = difference(files.resolve(a).rules, files.resolve(b).rules)
    if not rows:
        say(f"{a} and {b} are the same rules")
    elif sys.stdout.isatty():
        # Text, because rich would take brackets in a list or a file name for markup.
        grid = Table("key", Column(Text(a)), Column(Text(b)))
        for name, of_a, of_b in rows:
            grid.add_row(name, Text(toml(of_a)), Text(toml(of_b)))
        Screen().print(grid)
    else:
        for name, of_a, of_b in rows:
            say(f"{name}: {toml(of_a)} -> {toml(of_b)}")
