"""The part that the files of matches and tournaments share: the players, and how and where they play."""

from collections.abc import Set
from typing import Annotated, Any, ClassVar, TypeVar

import msgspec
from msgspec import Meta

from jantaku.table.ground import kinds, settings
from jantaku.table.ground.errors import BadInput, all_told
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.mode import Mode
from jantaku.table.judge.timing import Clock
from jantaku.table.play.config import built, players_of, rules_of
from jantaku.table.play.seating.spec import Terms
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.pieces.schools import School
from jantaku.table.riichi.pieces.seats import SEATS as SEATS
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
    out: Annotated[str | None, Meta(description="the folder in which all is kept, new or empty")] = None
    pt: Annotated[
        str, Meta(description="rank points of every rank, or the name of a list: results are given in them, too")
    ] = ""
    luck: Annotated[bool, Meta(description="results without luck, too; a match ends, and a gate judges, by them")] = (
        False
    )


class PoolFile(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a file that names a pool, checked."""

    KIND: ClassVar[str]
    """The table that names the players, which is also the name of the command."""
    VALUES: ClassVar[type[msgspec.Struct]]
    """The tables of the file that consist of plain values."""
    INSTEAD: ClassVar[Set[str]] = frozenset()
    """Keys of which one replaces the others."""

    clock: Clock = Clock()
    rules: Rules = msgspec.field(default_factory=lambda: ruleset.preset(ruleset.DEFAULT))
    player: tuple[Terms, ...] = ()
    """The `[[player]]` tables, if the file has them instead of a list of players."""

    @property
    def playing(self) -> PoolSettings:
        found: PoolSettings = getattr(self, self.KIND)
        return found

    @property
    def players(self) -> tuple[str | Terms, ...]:
        """The pool, from either place in the file."""
        return self.player or self.playing.players


F = TypeVar("F", bound=PoolFile)


def layered(base: F, path: str | None, flags: dict[str, Any]) -> F:
    """Put the file, if there is one, over `base`, and `flags` over both. `flags` are values by dotted key, None if not
    given. The rules come from `base` unless the file has some. Giving one key of `INSTEAD` drops the others from the
    layers below."""
    table, kind, where = base.KIND, base.VALUES, path or "flags"
    tables = settings.read_toml(path) if path else {}
    named = tables.get(table)
    _refuse_clusters(tables, named, where)
    kinds.refuse_others(tables, where, table)
    names_rules = "rules" in tables or (isinstance(named, dict) and "rules" in named)
    with all_told() as part:
        with part():
            kinds.refuse_bare_rules(tables, where, Rules.__struct_fields__)
        with part():
            rules = rules_of(tables, path, table).rules if path and names_rules else base.rules
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
    layer = settings.flat(kind(*(getattr(base, name) for name in kind.__struct_fields__)))
    for above in (of_file, of_flags):
        if above.keys() & base.INSTEAD:
            layer = {key: value for key, value in layer.items() if key not in base.INSTEAD}
        layer |= above
    told = built(kind, layer, where)
    values = {name: getattr(told, name) for name in kind.__struct_fields__}
    return msgspec.structs.replace(base, rules=rules, player=player, **values)


def _refuse_clusters(tables: dict[str, Any], named: Any, where: str) -> None:
    """Raise BadInput for what was for a cluster; `on = "processes"` in an old file says what is done anyway."""
    on = named.pop("on", "processes") if isinstance(named, dict) else "processes"
    if on != "processes" or tables.pop("resources", None) is not None:
        raise BadInput('on = "ray" and [resources] were removed: a match plays on this machine; use workers = N', where)


def _flag_layer(flags: dict[str, Any], kind: type[msgspec.Struct]) -> settings.Layer:
    """Check flags, given by dotted key, like the values of a file."""
    tables: dict[str, dict[str, Any]] = {}
    for name, value in flags.items():
        table, _, key = name.partition(".")
        tables.setdefault(table, {})[key] = value
    return settings.read_layer(tables, kind, "flags")


def told_apart(first: Terms, second: Terms) -> tuple[Terms, Terms]:
    """Return the new and the old player, with a suffix if their names are equal."""
    if first.label != second.label:
        return first, second
    rename = msgspec.structs.replace
    return rename(first, name=f"{first.label}-new"), rename(second, name=f"{second.label}-old")
