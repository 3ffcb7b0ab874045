"""`jantaku rules`: print a complete rule file, check one, compare two."""

import sys
from typing import Any

import click
from rich.table import Column, Table
from rich.text import Text

from table.cli.say import say
from table.cli.screen import Screen
from table.daifugo import rules as daifugo
from table.errors import BadInput
from table.riichi import ruleset
from table.settings.layers import difference, split_texts, toml
from table.settings.presets import Presets

GAMES: dict[str, Presets[Any]] = {"riichi": ruleset.FILES, "daifugo": daifugo.FILES}


@click.command(epilog="Your own rules: jantaku rules mleague > my.toml, edit it, then jantaku rules --check my.toml")
@click.argument("source", metavar="[PRESET|FILE]", required=False)
@click.option("--game", type=click.Choice(list(GAMES)), default="riichi", help="The game.", show_default=True)
@click.option("--list", "listing", is_flag=True, help="List the presets.")
@click.option("--check", metavar="FILE", help="Check a rule file and say what it changes.")
@click.option("--diff", nargs=2, metavar="A B", help="Show what differs between two presets or files.")
@click.option("--set", "texts", multiple=True, metavar="KEY=VALUE", help="Change a key first, e.g. ron.max_winners=1.")
def command(
    source: str | None,
    game: str,
    listing: bool,
    check: str | None,
    diff: tuple[str, str] | None,
    texts: tuple[str, ...],
) -> None:
    """Print the complete rules of a preset or file, every key with its comment."""
    files = GAMES[game]
    asked = [source is not None, listing, check is not None, diff is not None]
    if sum(asked) > 1:
        raise BadInput("rules: give one of PRESET or FILE, --list, --check and --diff")
    if texts and source is None:
        raise BadInput("rules: --set needs a PRESET or FILE to change")
    if check is not None:
        _check(files, check)
    elif diff is not None:
        _diff(files, *diff)
    elif source is not None:
        found = files.resolve(source)
        rules = files.with_settings(found.rules, split_texts(texts, "--set"))
        say(*files.to_toml(rules, found.preset).rstrip("\n").split("\n"))
    else:
        _list(files)


def _list(files: Presets[Any]) -> None:
    for name, text in files.texts.items():
        say(*click.wrap_text(text, 100, initial_indent=f"{name:<13}", subsequent_indent=" " * 13).split("\n"))
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
        # Text, because rich would read the brackets of a list or file name as markup.
        grid = Table("key", Column(Text(a)), Column(Text(b)))
        for name, of_a, of_b in rows:
            grid.add_row(name, Text(toml(of_a)), Text(toml(of_b)))
        Screen().print(grid)
    else:
        for name, of_a, of_b in rows:
            say(f"{name}: {toml(of_a)} -> {toml(of_b)}")
