"""A match as a person asks for it: a TOML file, flags, or both.

[match]
format = "1v3"                      # seats, 1v3, 2v2, round-robin, gauntlet
players = ["mybots:New", "mybots:Old"]
rules = "tenhou"                    # a preset, a rule file, or instead a [rules] table
sets = 250                          # or games = 1000
seed = 7
workers = 2
out = "matches/new-against-old"

[clock]
turn = 5.0

[stop]
ci = 0.05

[resources]                         # on a Ray cluster, for one seat of that player
New = { cpus = 1, gpus = 0.5 }

Players may have tables of their own instead of `match.players`, one [[player]] each (`table.config`).
"""

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from table.config import built, players_of, rules_of
from table.errors import BadInput
from table.judge.judge import OnFault
from table.judge.timing import Clock
from table.judge.turn.way import Mode
from table.match.plan.formats import Format, Seatings
from table.riichi import ruleset
from table.riichi.pieces.seat_wall import School
from table.riichi.rules import Rules
from table.seating.spec import Terms
from table.settings import layers as settings

_AMOUNTS = {"match.sets", "match.games"}


Count = Annotated[int, Meta(ge=1, le=10_000_000)]
Workers = Annotated[int, Meta(ge=0, le=1024)]
HalfWidth = Annotated[float, Meta(ge=0.001, le=1.5)]


class Match(msgspec.Struct, frozen=True):
    """The `[match]` of the file."""

    format: Annotated[Format, Meta(description="who meets whom")] = "seats"
    players: Annotated[tuple[str, ...], Meta(description="names of installed bots, module:Class or FILE.py:Class")] = ()
    seatings: Annotated[
        Seatings,
        Meta(description="rotated: 4 per wall set; all: all 24; one: a single one drawn by lot, without pairing"),
    ] = "rotated"
    walls: Annotated[
        School, Meta(description="shared: the real wall; per-seat: every seat draws from a queue of its own")
    ] = "shared"
    sets: Annotated[Count | None, Meta(description="wall sets")] = None
    games: Annotated[Count | None, Meta(description="hanchan, whole sets of them")] = None
    seed: Annotated[int | str | None, Meta(description="the seed of walls and bots; without it a secret one")] = None
    threads: Annotated[Mode, Meta(description="how players run; inline has no clock")] = Mode.RESIDENT
    on_fault: Annotated[OnFault, Meta(description="what a bad answer leads to, besides the default")] = OnFault.DEFAULT
    sandbox: Annotated[bool, Meta(description="programs, and bots that are not installed, in the sandbox")] = False
    workers: Annotated[Workers | None, Meta(description="processes; 0 plays in this one")] = None
    on: Annotated[Literal["processes", "ray"], Meta(description="where workers run")] = "processes"
    out: Annotated[str | None, Meta(description="the folder of the match, new or empty")] = None


class Stop(msgspec.Struct, frozen=True):
    """The `[stop]` of the file: when a match may end before its last set. Judged after whole sets, in their order,
    by the mean rank of the first player."""

    ci: Annotated[HalfWidth | None, Meta(description="half-width of the 95 % interval of the mean rank")] = None
    sprt: Annotated[bool, Meta(description="sequential test of rank0 against rank1")] = False
    rank0: Annotated[float, Meta(description="H0: the mean rank if the player is no better", ge=1, le=4)] = 2.5
    rank1: Annotated[float, Meta(description="H1: the mean rank if it is", ge=1, le=4)] = 2.4
    alpha: Annotated[float, Meta(description="chance to accept H1 where H0 holds", ge=0.0001, le=0.4)] = 0.05
    beta: Annotated[float, Meta(description="chance to accept H0 where H1 holds", ge=0.0001, le=0.4)] = 0.05
    least: Annotated[int, Meta(description="sets before a match may stop", ge=5, le=100_000)] = 20

    @property
    def runs(self) -> bool:
        """Whether there is any stopping rule."""
        return self.ci is not None or self.sprt


class Needs(msgspec.Struct, frozen=True):
    """Resources of one seat of a player on a Ray cluster."""

    cpus: Annotated[float, Meta(description="cores", ge=0, le=1024)] = 0.25
    gpus: Annotated[float, Meta(description="GPUs", ge=0, le=64)] = 0.0


class Values(msgspec.Struct, frozen=True):
    """The part of the file that is plain values."""

    WORDS: ClassVar = {"length": "game.length under [rules]"}

    match: Match = Match()
    clock: Clock = Clock()
    stop: Stop = Stop()


class MatchFile(Values, frozen=True):
    """A match file, checked."""

    rules: Rules = msgspec.field(default_factory=lambda: ruleset.preset(ruleset.DEFAULT))
    player: tuple[Terms, ...] = ()
    """The `[[player]]` tables, where the file has them instead of `match.players`."""
    needs: dict[str, Needs] = {}
    """By player, as the file names it or as the standings do."""

    @property
    def players(self) -> tuple[str | Terms, ...]:
        """The pool, wherever the file defines it."""
        return self.player or self.match.players


def read(path: str | None, flags: dict[str, Any], base: MatchFile | None = None) -> MatchFile:
    """The file, if there is one, over `base`, and `flags` over both: values by dotted key, None where not given.

    Rules come from `base` unless the file names some.
    """
    base, where = base or MatchFile(), path or "flags"
    tables = settings.read_toml(path) if path else {}
    match = tables.get("match")
    names_rules = "rules" in tables or (isinstance(match, dict) and "rules" in match)
    rules = rules_of(tables, path, "match").rules if path and names_rules else base.rules
    needs = _needs(tables.pop("resources", {}), where)
    player = players_of(tables, where, "match")
    of_file = settings.read_layer(tables, Values, where)
    of_flags = _flag_layer({key: value for key, value in flags.items() if value is not None})
    if player and "match.players" not in of_flags:
        of_file["match.players"] = ()
    else:
        named = "match.players" in of_file or "match.players" in of_flags
        player = () if named else base.player
    layer = settings.flat(Values(base.match, base.clock, base.stop))
    for above in (of_file, of_flags):
        if above.keys() & _AMOUNTS:  # the number of sets replaces the number of games below
            layer = {key: value for key, value in layer.items() if key not in _AMOUNTS}
        layer |= above
    values = built(Values, layer, where)
    return MatchFile(values.match, values.clock, values.stop, rules, player, needs)


def _needs(table: Any, where: str) -> dict[str, Needs]:
    if not isinstance(table, dict) or not all(isinstance(needs, dict) for needs in table.values()):
        raise BadInput(f"{where}: [resources] names players: PLAYER = {{ cpus = 0.5, gpus = 0 }}")
    found = {}
    for player, needs in table.items():
        place = f"{where}: [resources] {player}"
        found[player] = settings.build(Needs, settings.read_layer(needs, Needs, place), place)
    return found


def _flag_layer(flags: dict[str, Any]) -> settings.Layer:
    """Flags by dotted key, checked like a file."""
    tables: dict[str, dict[str, Any]] = {}
    for name, value in flags.items():
        table, _, key = name.partition(".")
        tables.setdefault(table, {})[key] = value
    return settings.read_layer(tables, Values, "flags")
