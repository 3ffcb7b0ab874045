"""The formats of a match, and a match as a person asks for it: a TOML file, flags, or both."""

from collections.abc import Mapping, Sequence, Set
from itertools import combinations, permutations
from typing import Annotated, Any, ClassVar, Literal, TypeVar

import msgspec
from msgspec import Meta

from jantaku.table.ground import presets as kinds
from jantaku.table.ground import settings
from jantaku.table.ground.chance import Numbers
from jantaku.table.ground.errors import BadInput, all_told
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.responses import Mode
from jantaku.table.play.config import built, players_of, rules_of
from jantaku.table.play.spec import Terms
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.pieces.seats import SEATS as SEATS
from jantaku.table.riichi.pieces.wall import School
from jantaku.table.riichi.rules import Rules

# The part that the files of matches and tournaments share: the players, and how and where they play.

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
        """The players, and how and where they play."""
        found: PoolSettings = getattr(self, self.KIND)
        return found

    @property
    def players(self) -> tuple[str | Terms, ...]:
        """The pool, from either place in the file."""
        return self.player or self.playing.players


F = TypeVar("F", bound=PoolFile)


def layered(base: F, path: str | None, flags: dict[str, Any]) -> F:
    """Put the file, if there is one, over `base`, and `flags` over both.

    `flags` are values by dotted key, None if not given. The rules come from `base` unless the file has some. Giving one
    key of `INSTEAD` drops the others from the layers below.
    """
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
        raise BadInput('on = "ray" and [resources] are gone: a match plays on this machine; use workers = N', where)


def _flag_layer(flags: dict[str, Any], kind: type[msgspec.Struct]) -> settings.Layer:
    """Check flags, given by dotted key, like the values of a file."""
    tables: dict[str, dict[str, Any]] = {}
    for name, value in flags.items():
        table, _, key = name.partition(".")
        tables.setdefault(table, {})[key] = value
    return settings.read_layer(tables, kind, "flags")


# Formats of a match: which seatings are played on the walls of one set.
#
# A seating names players by their index in the pool, for places 0 to 3; place 0 is the first dealer. All games of a
# wall set have the same walls, so that luck of the draw affects every player alike.

Format = Literal["seats", "1v3", "2v2", "round-robin", "gauntlet", "1v2"]
Seatings = Literal["rotated", "all", "one"]
Seating = tuple[int, ...]
Lineup = Sequence[int]

PAIRS: Mapping[str, Lineup] = {"1v3": (0, 1, 1, 1), "2v2": (0, 0, 1, 1), "1v2": (0, 1, 1)}
"""Formats of a challenger (the first player) against a champion (the second), with the players of a table."""


def alone(seats: int) -> Format:
    """Return the format in which one challenger sits among champions, at a table of `seats` seats."""
    return "1v3" if seats == SEATS else "1v2"


def even(seats: int) -> float:
    """Return the mean rank of a player among equal ones, at a table of `seats` seats."""
    return (1 + seats) / 2


def check_pool(form: Format, players: Sequence[str], seats: int = SEATS) -> None:
    """Raise BadInput if the format cannot be played by these players at a table of `seats` seats."""
    count, given = len(players), ", ".join(players) or "none"
    pairs = [name for name, lineup in PAIRS.items() if len(lineup) == seats]
    if form in PAIRS and form not in pairs:
        raise BadInput(f"format {form} seats {len(PAIRS[form])}; for {seats} players there is {' and '.join(pairs)}")
    if form in PAIRS and count != 2:
        raise BadInput(f"players: format {form} needs 2, challenger and champion; given are {count}: {given}")
    if form == "seats" and count != seats:
        are = "are the formats" if len(pairs) > 1 else "is the format"
        two = f"; for two there {are} {' and '.join(pairs)}" if count == 2 else ""
        raise BadInput(f"players: format seats needs {seats}; given are {count}: {given}{two}")
    if count < seats and form not in PAIRS:
        raise BadInput(f"players: format {form} needs a pool of {seats} or more; given are {count}: {given}")


def seatings_of(
    form: Format, players: int, choice: Seatings, seed: int | str, number: int, seats: int = SEATS
) -> list[Seating]:
    """Return the seatings of wall set `number` at a table of `seats` seats.

    `rotated` lets four different players sit in their 4 rotations, `all` in all 24 orders; three players in 3 and 6.
    1v3 and 2v2 always play all their 4 and 6 orders, 1v2 its 3. `one` has no pairing: a single seating, drawn anew for
    every set.
    """
    played = lineups(form, players, seats)
    if choice != "one":
        return [seating for lineup in played for seating in _arranged(lineup, every=choice == "all" or form in PAIRS)]
    numbers = Numbers(f"jantaku seating 1|{seed}|{number}")
    orders = _arranged(played[numbers.below(len(played))], every=True)
    return [orders[numbers.below(len(orders))]]


def set_size(form: Format, players: int, choice: Seatings, seats: int = SEATS) -> int:
    """Return the number of games in a set."""
    return len(seatings_of(form, players, choice, 0, 0, seats))


def lineups(form: Format, players: int, seats: int = SEATS) -> list[Lineup]:
    """Return the groups that meet at one table, as indices into a pool of `players` players."""
    if form in PAIRS:
        return [PAIRS[form]]
    if form == "gauntlet":
        return [(0, *others) for others in combinations(range(1, players), seats - 1)]
    return list(combinations(range(players), seats))


def _arranged(lineup: Lineup, *, every: bool) -> list[Seating]:
    rotations = ((*lineup[n:], *lineup[:n]) for n in range(len(lineup)))
    return sorted(set(permutations(lineup) if every else rotations))


def told_apart(first: Terms, second: Terms) -> tuple[Terms, Terms]:
    """Return the new and the old player, with a suffix if their names are equal."""
    if first.label != second.label:
        return first, second
    rename = msgspec.structs.replace
    return rename(first, name=f"{first.label}-new"), rename(second, name=f"{second.label}-old")


# A match as a person asks for it. Players may have tables of their own instead of `match.players`, one [[player]] each.

Count = Annotated[int, Meta(ge=1, le=10_000_000)]
HalfWidth = Annotated[float, Meta(ge=0.001, le=1.5)]


class Match(PoolSettings, frozen=True):
    """The `[match]` of the file."""

    format: Annotated[Format, Meta(description="who meets whom")] = "seats"
    seatings: Annotated[
        Seatings,
        Meta(description="rotated: 4 (of three: 3) per wall set; all: all 24 (6); one: one by lot, without pairing"),
    ] = "rotated"
    sets: Annotated[Count | None, Meta(description="wall sets")] = None
    games: Annotated[Count | None, Meta(description="hanchan, whole sets of them")] = None


class Stop(msgspec.Struct, frozen=True):
    """The `[stop]` of the file: when a match may end before its last set. It is judged after whole sets, in their
    order, by the mean rank of the first player."""

    ci: Annotated[HalfWidth | None, Meta(description="half-width of the 95 % interval of the mean rank")] = None
    sprt: Annotated[bool, Meta(description="sequential test of rank0 against rank1")] = False
    rank0: Annotated[float, Meta(description="H0: the mean rank if the player is no better", ge=1, le=4)] = 2.5
    rank1: Annotated[float, Meta(description="H1: the mean rank if it is", ge=1, le=4)] = 2.4
    alpha: Annotated[float, Meta(description="chance to accept H1 where H0 holds", ge=0.0001, le=0.4)] = 0.05
    beta: Annotated[float, Meta(description="chance to accept H0 where H1 holds", ge=0.0001, le=0.4)] = 0.05
    least: Annotated[int, Meta(description="sets before a match may stop", ge=5, le=100_000)] = 20
    faults: Annotated[bool, Meta(description="stop where it has faults in more hanchan than the others")] = False

    @property
    def runs(self) -> bool:
        """Whether there is any stopping rule."""
        return self.ci is not None or self.sprt or self.faults


class Values(msgspec.Struct, frozen=True):
    """The tables of the file that consist of plain values."""

    WORDS: ClassVar = {"length": "game.length under [rules]"}
    BESIDE: ClassVar = kinds.BESIDE

    match: Match = Match()
    clock: Clock = Clock()
    stop: Stop = Stop()


class MatchFile(PoolFile, frozen=True, kw_only=True):
    """A match file, checked."""

    KIND = "match"
    VALUES = Values
    INSTEAD = frozenset({"match.sets", "match.games"})

    match: Match = Match()
    stop: Stop = Stop()


def read(path: str | None, flags: dict[str, Any], base: MatchFile | None = None) -> MatchFile:
    """Read the file, if there is one, over `base`, and `flags` over both; see `layered`."""
    return layered(base or MatchFile(), path, flags)
