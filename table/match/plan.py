"""The plan of a match, from a TOML file and flags. Everything that decides results is in it, and nothing else.

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
"""

import hashlib
import secrets
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from table import settings
from table.config import rules_of
from table.errors import BadInput
from table.judge.timing import Clock
from table.match.fingerprint import fingerprint
from table.match.formats import Format, Seating, Seatings, check_pool, seatings_of, set_size
from table.match.roster import enlist
from table.riichi import ruleset
from table.riichi.pieces.seat_wall import School
from table.riichi.rules import Rules

LIMIT = 10.0
"""Seconds for every question where nothing else is said: a stuck bot must not stop a match."""
MOST_SETS = 100_000
"""Sets at the most where only a stopping rule is given."""
DEFAULT_SETS = 25
_AMOUNTS = {"match.sets", "match.games"}


Threads = Literal["per-turn", "resident", "inline"]
Faults = Literal["default", "forfeit", "void"]
Count = Annotated[int, Meta(ge=1, le=10_000_000)]
Workers = Annotated[int, Meta(ge=0, le=1024)]
HalfWidth = Annotated[float, Meta(ge=0.001, le=1.5)]


class Match(msgspec.Struct, frozen=True):
    """The `[match]` of the file."""

    format: Annotated[Format, Meta(description="who meets whom")] = "seats"
    players: Annotated[tuple[str, ...], Meta(description="names of installed bots, or module:Class")] = ()
    seatings: Annotated[
        Seatings,
        Meta(description="rotated: 4 per wall set; all: all 24; one: a single one drawn by lot, without pairing"),
    ] = "rotated"
    walls: Annotated[
        School, Meta(description="shared: the real wall; per-seat: every seat draws from a queue of its own")
    ] = "shared"
    sets: Annotated[Count | None, Meta(description="wall sets")] = None
    games: Annotated[Count | None, Meta(description="hanchan, whole sets of them")] = None
    seed: Annotated[int | None, Meta(description="the seed of walls and bots")] = None
    threads: Annotated[Threads, Meta(description="how players run; inline has no clock")] = "resident"
    on_fault: Annotated[Faults, Meta(description="what a bad answer leads to, besides the default")] = "default"
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
        """Whether there is any rule to stop by."""
        return self.ci is not None or self.sprt


class Needs(msgspec.Struct, frozen=True):
    """What one seat of a player takes on a Ray cluster."""

    cpus: Annotated[float, Meta(ge=0, le=1024)] = 0.25
    gpus: Annotated[float, Meta(ge=0, le=64)] = 0.0


class Values(msgspec.Struct, frozen=True):
    """The part of the file that is plain values."""

    match: Match = Match()
    clock: Clock = Clock()
    stop: Stop = Stop()


class MatchFile(Values, frozen=True):
    """A match file, checked."""

    rules: Rules = msgspec.field(default_factory=lambda: ruleset.preset(ruleset.DEFAULT))
    needs: dict[str, Needs] = {}
    """By player as it is named in the file."""


class Job(msgspec.Struct, frozen=True):
    """One hanchan of the plan: its number, its wall set and who sits where."""

    game: int
    set: int
    seating: Seating


class MatchPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What a match is. Equal plans end with equal results, on however many machines."""

    version: str
    format: Format
    seatings: Seatings
    walls: School
    players: tuple[str, ...]
    names: tuple[str, ...]
    fingerprints: tuple[str, ...]
    """Of each player's code as it was found, so that a changed bot does not go on with another's match."""
    seed: int
    sets: int
    rules: Rules
    rules_digest: str
    threads: Threads
    on_fault: Faults
    clock: Clock
    stop: Stop

    @property
    def set_size(self) -> int:
        """Games of one set."""
        return set_size(self.format, len(self.players), self.seatings)

    @property
    def games(self) -> int:
        """Games of the whole plan."""
        return self.sets * self.set_size

    def jobs(self) -> Iterator[Job]:
        """Every hanchan in the order of the plan."""
        size = self.set_size
        for number in range(self.sets):
            seatings = seatings_of(self.format, len(self.players), self.seatings, self.seed, number)
            for index, seating in enumerate(seatings):
                yield Job(number * size + index, number, seating)

    def encoded(self) -> bytes:
        """The plan as it stands in `match.json`."""
        return msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n"

    @property
    def digest(self) -> str:
        """Sixteen hex digits, equal for equal plans."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:16]


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
    of_file = settings.read_layer(tables, Values, where)
    of_flags = _flag_layer({key: value for key, value in flags.items() if value is not None})
    layer = settings.flat(Values(base.match, base.clock, base.stop))
    for above in (of_file, of_flags):
        if above.keys() & _AMOUNTS:  # whoever says how many sets does not mean the number of games below
            layer = {key: value for key, value in layer.items() if key not in _AMOUNTS}
        layer |= above
    values = settings.build(Values, layer, where)
    return MatchFile(values.match, values.clock, values.stop, rules, needs)


def file_of(plan: MatchPlan) -> MatchFile:
    """A match file that asks for this plan."""
    match = Match(
        format=plan.format,
        players=plan.players,
        seatings=plan.seatings,
        walls=plan.walls,
        sets=plan.sets,
        seed=plan.seed,
        threads=plan.threads,
        on_fault=plan.on_fault,
    )
    return MatchFile(match, plan.clock, plan.stop, plan.rules)


def plan_of(file: MatchFile) -> MatchPlan:
    """The plan of a match file. BadInput for what cannot be played; every player is looked up."""
    match, stop, clock = file.match, file.stop, file.clock
    check_pool(match.format, match.players)
    entrants = enlist(match.players)
    if stop.sprt and stop.rank0 == stop.rank1:
        raise BadInput(f"stop: rank0 and rank1 are both {stop.rank0}; a test needs two hypotheses")
    if match.threads == "inline" and clock.runs:
        raise BadInput("threads = inline cannot keep a clock: leave the limit away, or use resident or per-turn")
    if match.threads != "inline" and not clock.runs:
        clock = msgspec.structs.replace(clock, turn=LIMIT, reaction=LIMIT)
    return MatchPlan(
        version=version("jantaku"),
        format=match.format,
        seatings=match.seatings,
        walls=match.walls,
        players=match.players,
        names=tuple(entrant.name for entrant in entrants),
        fingerprints=tuple(fingerprint(spec) for spec in match.players),
        seed=secrets.randbelow(2**32) if match.seed is None else match.seed,
        sets=_sets(match, stop),
        rules=file.rules,
        rules_digest=ruleset.digest(file.rules),
        threads=match.threads,
        on_fault=match.on_fault,
        clock=clock,
        stop=stop,
    )


def _sets(match: Match, stop: Stop) -> int:
    if match.sets is not None and match.games is not None:
        raise BadInput(f"give either sets or games, not both (sets = {match.sets}, games = {match.games})")
    if match.games is None:
        return match.sets or (MOST_SETS if stop.runs else DEFAULT_SETS)
    size = set_size(match.format, len(match.players), match.seatings)
    sets, rest = divmod(match.games, size)
    if rest:
        near = f"{sets * size} or {(sets + 1) * size}" if sets else f"{size}"
        raise BadInput(f"games = {match.games} is not a number of whole sets of {size}; the nearest is {near}")
    return sets


def _needs(table: Any, where: str) -> dict[str, Needs]:
    try:
        return msgspec.convert(table, dict[str, Needs])
    except msgspec.ValidationError as error:
        raise BadInput(f"{where}: [resources]: {error}; allowed is PLAYER = {{cpus = 0.5, gpus = 0}}") from None


def _flag_layer(flags: dict[str, Any]) -> settings.Layer:
    """Flags by dotted key, checked like a file."""
    tables: dict[str, dict[str, Any]] = {}
    for name, value in flags.items():
        table, _, key = name.partition(".")
        tables.setdefault(table, {})[key] = value
    return settings.read_layer(tables, Values, "flags")


def differences(old: MatchPlan, new: MatchPlan) -> list[str]:
    """What differs between two plans, one line each."""
    lines = []
    for field in MatchPlan.__struct_fields__:
        a, b = getattr(old, field), getattr(new, field)
        if a == b or field == "rules_digest":
            continue
        if isinstance(a, msgspec.Struct):
            lines += [f"{field}.{key}: {_shown(x)} there, {_shown(y)} here" for key, x, y in settings.difference(a, b)]
        elif field == "fingerprints":
            lines += [f"the code of player {name} has changed" for name in _changed(old, new)]
        else:
            lines.append(f"{field}: {_shown(a)} there, {_shown(b)} here")
    return lines


def _changed(old: MatchPlan, new: MatchPlan) -> Sequence[str]:
    both = zip(old.names, old.fingerprints, new.fingerprints, strict=False)
    return [name for name, a, b in both if a != b]


def _shown(value: object) -> str:
    return settings.toml(value)
