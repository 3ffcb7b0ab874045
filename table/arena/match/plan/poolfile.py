"""The part that the files of matches and tournaments share: the players, and how and where they play."""

from collections.abc import Set
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import Meta

from jantaku.table.ground.errors import BadInput, all_told
from jantaku.table.ground.settings import layers as settings
from jantaku.table.ground.settings import presets as kinds
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.way import Mode
from jantaku.table.play.config import built, players_of, rules_of
from jantaku.table.play.seating.spec import Terms
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.pieces.wall import School
from jantaku.table.riichi.rules import Rules

Workers = Annotated[int, Meta(ge=0, le=1024)]


class PoolSettings(msgspec.Struct, frozen=True):
    """The table of the file that names the players and says how and where they play."""

    players: Annotated[tuple[str, ...], Meta(description="names of installed bots, module:Class or FILE.py:Class")] = ()
    walls: Annotated[
        School, Meta(description="shared: the real wall; per-seat: every seat draws from a queue of its own")
    ] = "shared"
    seed: Annotated[int | str | None, Meta(description="the seed of walls and bots; without it a secret one")] = None
    threads: Annotated[Mode, Meta(description="how players run; inline has no clock")] = Mode.RESIDENT
    on_fault: Annotated[OnFault, Meta(description="what a bad answer leads to, besides the default")] = OnFault.DEFAULT
    sandbox: Annotated[bool, Meta(description="programs, and bots that are not installed, in the sandbox")] = False
    workers: Annotated[Workers | None, Meta(description="processes; 0 plays in this one")] = None
    pin: Annotated[bool, Meta(description="a process keeps to one core if that is faster, by a trial")] = True
    on: Annotated[Literal["processes", "ray"], Meta(description="where workers run")] = "processes"
    out: Annotated[str | None, Meta(description="the folder in which all is kept, new or empty")] = None


class Needs(msgspec.Struct, frozen=True):
    """Resources of one seat of a player on a Ray cluster."""

    cpus: Annotated[float, Meta(description="cores", ge=0, le=1024)] = 0.25
    gpus: Annotated[float, Meta(description="GPUs", ge=0, le=64)] = 0.0


class PoolFile(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a file that names a pool, checked."""

    clock: Clock = Clock()
    rules: Rules = msgspec.field(default_factory=lambda: ruleset.preset(ruleset.DEFAULT))
    player: tuple[Terms, ...] = ()
    """The `[[player]]` tables, if the file has them instead of a list of players."""
    needs: dict[str, Needs] = {}
    """Resources by player, under the name in the file or in the standings."""

    @property
    def playing(self) -> PoolSettings:
        """The players, and how and where they play."""
        raise NotImplementedError

    @property
    def players(self) -> tuple[str | Terms, ...]:
        """The pool, from either place in the file."""
        return self.player or self.playing.players


BESIDE = {**kinds.BESIDE, "resources": "[resources]"}
"""Tables of a file that are not plain values, see `kinds`."""


class Layered(NamedTuple):
    """The contents of a file: plain values, and the tables beside them."""

    values: Any
    rules: Rules
    player: tuple[Terms, ...]
    needs: dict[str, Needs]


def layered(
    table: str, path: str | None, flags: dict[str, Any], base: Layered, instead: Set[str] = frozenset()
) -> Layered:
    """Put the file, if there is one, over `base`, and `flags` over both.

    `flags` are values by dotted key, None if not given. `table` is the table that names the players. The rules come
    from `base` unless the file has some. Giving one key of `instead` drops the others of `instead` from the layers
    below.
    """
    kind, where = type(base.values), path or "flags"
    tables = settings.read_toml(path) if path else {}
    kinds.refuse_others(tables, where, table)
    named = tables.get(table)
    names_rules = "rules" in tables or (isinstance(named, dict) and "rules" in named)
    with all_told() as part:
        with part():
            kinds.refuse_bare_rules(tables, where, Rules.__struct_fields__)
        with part():
            rules = rules_of(tables, path, table).rules if path and names_rules else base.rules
        with part():
            needs = _needs(tables.pop("resources", {}), where)
        with part():
            player = players_of(tables, where, table)
        with part():
            of_file = settings.read_layer(tables, kind, where)
    players = f"{table}.players"
    of_flags = _flag_layer({key: value for key, value in flags.items() if value is not None}, kind)
    if player and players not in of_flags:
        of_file[players] = ()
    else:
        player = () if players in of_file or players in of_flags else base.player
    layer = settings.flat(base.values)
    for above in (of_file, of_flags):
        if above.keys() & instead:
            layer = {key: value for key, value in layer.items() if key not in instead}
        layer |= above
    return Layered(built(kind, layer, where), rules, player, needs)


def _needs(table: Any, where: str) -> dict[str, Needs]:
    if not isinstance(table, dict) or not all(isinstance(needs, dict) for needs in table.values()):
        raise BadInput(f"{where}: [resources] names players: PLAYER = {{ cpus = 0.5, gpus = 0 }}")
    found = {}
    with all_told() as part:
        for player, needs in table.items():
            place = f"{where}: [resources] {player}"
            with part():
                found[player] = settings.build(Needs, settings.read_layer(needs, Needs, place), place)
    return found


def _flag_layer(flags: dict[str, Any], kind: type[msgspec.Struct]) -> settings.Layer:
    """Check flags, given by dotted key, like the values of a file."""
    tables: dict[str, dict[str, Any]] = {}
    for name, value in flags.items():
        table, _, key = name.partition(".")
        tables.setdefault(table, {})[key] = value
    return settings.read_layer(tables, kind, "flags")
