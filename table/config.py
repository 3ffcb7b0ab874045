"""The config file of a table: who plays by which rules, under which clock, how often.

    [table]
    players = ["shanten", "shanten", "caller", "mybots:Clever"]
    rules = "tenhou"          # a preset, a rule file, or instead a [rules] table as in a rule file
    threads = "per-turn"
    games = 10
    seed = 7

    [clock]
    turn = 5.0
    reaction = 2.0

Command line flags win over the file. A rule file is looked for beside the config file.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from table import settings
from table.errors import BadInput
from table.judge.timing import Clock
from table.riichi import ruleset
from table.riichi.ruleset import RuleFile


class Table(msgspec.Struct, frozen=True):
    """The `[table]` of the file: everything but rules and clock."""

    players: Annotated[
        tuple[str, str, str, str], Meta(description="names of built-in or installed bots, or module:Class")
    ] = ("shanten", "caller", "shanten", "dice")
    threads: Annotated[
        Literal["per-turn", "resident", "inline"],
        Meta(description="four threads for every turn, four for the whole game, or none (trusted bots, no clock)"),
    ] = "per-turn"
    on_fault: Annotated[
        Literal["default", "forfeit", "void"],
        Meta(description="a bad answer: the default is played, the seat forfeits the rest, or the game is void"),
    ] = "default"
    games: Annotated[int, Meta(description="how many games are played", ge=1, le=1_000_000)] = 1
    seed: Annotated[int | None, Meta(description="the first game's seed; without it every run differs")] = None


class _Values(msgspec.Struct, frozen=True):
    """The part of the file that is plain values."""

    table: Table = Table()
    clock: Clock = Clock()


class Settings(_Values, frozen=True):
    """A config file, checked. Every key has a default, so an empty file is a table too."""

    rules: RuleFile = msgspec.field(default_factory=lambda: ruleset.resolve(ruleset.DEFAULT))


def load(path: str | Path) -> Settings:
    """The settings of a config file. BadInput with file and key for whatever cannot be used in it."""
    tables, where = settings.read_toml(path), str(path)
    rules = _rules(tables, Path(path))
    layer = settings.read_layer(tables, _Values, where)
    try:
        values = settings.build(_Values, layer, where)
    except BadInput as error:  # the clock's own checks know no file
        raise BadInput(f"{where}: {error}") from None
    if values.table.threads == "inline" and values.clock.runs:
        raise BadInput(f'{where}: table.threads = "inline" needs a config without clock.turn and clock.reaction')
    return Settings(table=values.table, clock=values.clock, rules=rules)


def _rules(tables: dict[str, Any], path: Path) -> RuleFile:
    """The rules that the file names or holds; what names them is taken out of `tables`."""
    inside = tables.pop("rules", None)
    head = tables.get("table")
    named = head.pop("rules", None) if isinstance(head, dict) else None
    if inside is not None and named is not None:
        raise BadInput(f"{path}: give either table.rules or [rules], not both")
    if isinstance(inside, dict):
        return ruleset.from_table(inside, f"{path}: [rules]")
    if inside is not None or not isinstance(named, str | None):
        given = settings.toml(named if inside is None else inside)
        raise BadInput(f"{path}: rules = {given} is not allowed; allowed: a preset, a rule file or a [rules] table")
    if named is None:
        return ruleset.resolve(ruleset.DEFAULT)
    beside = path.parent / named
    try:
        return ruleset.resolve(str(beside) if named not in ruleset.PRESETS and beside.is_file() else named)
    except BadInput as error:
        raise BadInput(f"{path}: table.rules: {error}") from None
