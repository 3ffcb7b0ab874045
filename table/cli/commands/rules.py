"""`jantaku rules`: prints a complete rule file, checks one or any file that has rules, or compares two."""

import shutil
import sys
from collections.abc import Iterator
from typing import Any

import click
from rich.table import Column, Table
from rich.text import Text

from jantaku.table.cli.options import CommandOptions, argument, option
from jantaku.table.cli.say import say
from jantaku.table.cli.screen import Screen
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import part
from jantaku.table.ground.kinds import kind_of
from jantaku.table.ground.presets import Presets
from jantaku.table.ground.settings import Layer, difference, flat, read_toml, split_texts, toml
from jantaku.table.play.entry import DEFAULT, GAMES


class RulesOptions(CommandOptions):
    source: str | None = argument("[PRESET|FILE]", default=None)
    game: str = option("The game.", type=click.Choice(list(GAMES)), default=DEFAULT)
    list: bool = option("List the presets.")
    check: str | None = option("Check a rule, table, match or tournament file and say what it decides.", "FILE")
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
        _check(options.game, options.check)
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
        say("", "jantaku rules PRESET prints a whole preset; --diff A B compares two")


def _check(game: str, path: str) -> None:
    if game == DEFAULT and (kind := kind_of(read_toml(path))):
        say(*_decided(kind, path))
        return
    files = GAMES[game].rules
    found = files.read(path)
    changed = [name for name, _, _ in difference(files.preset(found.preset), found.rules)]
    keys = "1 key" if len(changed) == 1 else f"{len(changed) or 'no'} keys"
    say(f"ok: {path}, preset {found.preset}, {keys} changed{': ' if changed else ''}{', '.join(changed)}")


def _decided(kind: str, path: str) -> Iterator[str]:
    """Return in lines what a table, match or tournament file decides; players are not looked up."""
    file = _checked(kind, path)
    rules = getattr(file.rules, "rules", file.rules)
    yield f"ok: {path}, a {kind} file"
    yield f"rules: {GAMES[DEFAULT].rules.describe(rules)}"
    for number, player in enumerate(file.players, 1):
        terms = {"bot": player} if isinstance(player, str) else flat(player)
        usual = {} if isinstance(player, str) else flat(type(player)(""))
        given = {key: value for key, value in terms.items() if usual.get(key) != value}
        yield f"player {number}: {', '.join(_written(given))}"
    for name in file.__struct_fields__:
        if name not in ("rules", "names_rules", "player"):
            values = flat(getattr(file, name), f"{name}.")
            values.pop(f"{name}.players", None)
            yield from _written({key: value for key, value in values.items() if value is not None})


def _written(values: Layer) -> Iterator[str]:
    return (f"{key} = {toml(value)}" for key, value in values.items())


def _checked(kind: str, path: str) -> Any:
    """Read the file. BadInput if it cannot be played, as far as that is known without the players."""
    if kind == "table":
        from jantaku.table.play import config

        table = config.load(path)
        rules, game = table.rules.rules, GAMES[DEFAULT]
        game.fitted(rules, *config.seated(None, path, table, game.players(rules)))
        return table
    return part("arena", "tournament.plan").checked(kind, path)


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
