"""The config file of a table: the players, their rules, their clock, and the number of games.

    [table]
    players = ["shanten", "shanten", "caller", "mybots:Clever"]
    rules = "tenhou"          # a preset, a rule file, or instead a [rules] table as in a rule file
    threads = "per-turn"
    games = 10
    seed = 7

    [clock]
    turn = 5.0
    reaction = 2.0

Instead, each player may have a table of its own:

    [[player]]
    bot = "exec:node bot.js"  # a program; dialect, cwd, env, restart, restarts say how it is run
    dialect = "majiang"
    clock.turn = 20.0         # its own limits

Command line flags override the file. A rule file is looked up beside the config file.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar

import msgspec
from msgspec import Meta

from jantaku.table.ground import settings
from jantaku.table.ground.errors import BadInput, all_told
from jantaku.table.ground.kinds import BESIDE, refuse_bare_rules, refuse_others
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.play.seating.spec import Terms, players_in, terms_from
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.rules import Rules
from jantaku.table.riichi.ruleset import RuleFile

T = TypeVar("T", bound=msgspec.Struct)
Players = Sequence[str | Terms]


PLAYERS = ("shanten", "caller", "shanten", "dice")
"""The default players."""


def players_for(rules: Rules) -> Sequence[str]:
    return PLAYERS[: rules.game.players]


class Table(msgspec.Struct, frozen=True):
    """The `[table]` of the file: everything except rules and clock."""

    players: Annotated[
        Annotated[tuple[str, ...], Meta(min_length=3, max_length=4)] | None,
        Meta(description="names of built-in or installed bots, module:Class or FILE.py:Class"),
    ] = None
    threads: Annotated[
        Mode, Meta(description="four threads for every turn, four for the whole game, or none (trusted bots, no clock)")
    ] = Mode.PER_TURN
    on_fault: Annotated[
        OnFault,
        Meta(description="a bad answer: its default, the seat forfeits the rest, the game is void, or the kyoku ends"),
    ] = OnFault.DEFAULT
    sandbox: Annotated[bool, Meta(description="programs, and bots that are not installed, in the sandbox")] = False
    games: Annotated[int, Meta(description="how many games are played", ge=1, le=1_000_000)] = 1
    seed: Annotated[int | str | None, Meta(description="the first game's seed; without it every run differs")] = None


class _Values(msgspec.Struct, frozen=True):
    """The part of the file that consists of plain values."""

    BESIDE: ClassVar = BESIDE

    table: Table = Table()
    clock: Clock = Clock()


class Settings(_Values, frozen=True):
    """A validated config file. Every key has a default, so an empty file is valid too."""

    rules: RuleFile = msgspec.field(default_factory=lambda: ruleset.resolve(ruleset.DEFAULT))
    names_rules: bool = False
    """Whether the file has rules; without them `rules` are the default ones."""
    player: tuple[Terms, ...] = ()
    """The `[[player]]` tables, if the file has them instead of `table.players`."""

    @property
    def players(self) -> Sequence[str | Terms]:
        """The players' terms, from wherever the file defines them."""
        return self.player or self.table.players or players_for(self.rules.rules)


def seated(typed: str | None, path: str | None, file: Settings, others: Sequence[str]) -> tuple[Players, str]:
    """Return the players and the place that names them: the words of --players, else the `file` at `path`, else
    `others`."""
    if typed is not None:
        return players_in(typed), "--players"
    if file.player:
        return file.player, f"{path}: [[player]]"
    if file.table.players:
        return file.table.players, f"{path}: table.players"
    return others, "players"


def load(path: str | Path) -> Settings:
    """Read a config file. Raises BadInput, with file and key, if it is invalid."""
    tables, where = settings.read_toml(path), str(path)
    refuse_others(tables, where, "table")
    names_rules = "rules" in tables or "rules" in tables.get("table", ())
    with all_told() as part:
        with part():
            refuse_bare_rules(tables, where, Rules.__struct_fields__)
        with part():
            rules = rules_of(tables, path, "table")
        with part():
            player = players_of(tables, where, "table")
        with part():
            values = built(_Values, settings.read_layer(tables, _Values, where), where)
    if values.table.threads is Mode.INLINE and values.clock.runs:
        raise BadInput(f'{where}: table.threads = "inline" needs a config without clock.turn and clock.reaction')
    return Settings(table=values.table, clock=values.clock, rules=rules, names_rules=names_rules, player=player)


def built(kind: type[T], layer: settings.Layer, where: str) -> T:
    """Build values that contain a clock, and add the file to errors of the clock's own checks."""
    try:
        return settings.build(kind, layer, where)
    except BadInput as error:
        raise error if error.place else error.within(where) from None


def players_of(tables: dict[str, Any], where: str, table: str) -> tuple[Terms, ...]:
    """Take the `[[player]]` tables out of `tables` and read them. A file may name players in `[table]` instead;
    BadInput if it does both."""
    if "player" not in tables:
        return ()
    with all_told() as part:
        with part():
            player = terms_from(tables.pop("player"), where)
        with part():
            if "players" in tables.get(table, ()):
                raise BadInput(f"{where}: give either {table}.players or [[player]] tables, not both")
    return player


def rules_of(tables: dict[str, Any], path: str | Path, table: str) -> RuleFile:
    """Read the rules that a file names in `[table]` or contains in `[rules]`, and take these keys out of `tables`.
    Raises BadInput if it does both."""
    inside = tables.pop("rules", None)
    head = tables.get(table)
    named = head.pop("rules", None) if isinstance(head, dict) else None
    if inside is not None and named is not None:
        raise BadInput(f"{path}: give either {table}.rules or [rules], not both")
    if isinstance(inside, dict):
        return ruleset.from_table(inside, f"{path}: [rules]")
    if inside is not None or not isinstance(named, str | None):
        given = settings.toml(named if inside is None else inside)
        raise BadInput(f"{path}: rules = {given} is not allowed; allowed: a preset, a rule file or a [rules] table")
    if named is None:
        return ruleset.resolve(ruleset.DEFAULT)
    beside = Path(path).parent / named
    try:
        return ruleset.resolve(str(beside) if named not in ruleset.PRESETS and beside.is_file() else named)
    except BadInput as error:
        raise error.within(f"{path}: {table}.rules") from None
