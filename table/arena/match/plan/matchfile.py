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

Players may have tables of their own instead of `match.players`, one [[player]] each (`jantaku.table.play.config`).
"""

from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta

from jantaku.table.arena.match.plan.formats import Format, Seatings
from jantaku.table.arena.match.plan.poolfile import BESIDE, Layered, PoolFile, PoolSettings, layered
from jantaku.table.judge.timing import Clock

_AMOUNTS = {"match.sets", "match.games"}
"""Giving one of them replaces the other."""


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
    BESIDE: ClassVar = BESIDE

    match: Match = Match()
    clock: Clock = Clock()
    stop: Stop = Stop()


class MatchFile(PoolFile, frozen=True, kw_only=True):
    """A match file, checked."""

    match: Match = Match()
    stop: Stop = Stop()

    @property
    def playing(self) -> PoolSettings:
        """The players, and how and where they play."""
        return self.match


def read(path: str | None, flags: dict[str, Any], base: MatchFile | None = None) -> MatchFile:
    """Read the file, if there is one, over `base`, and `flags` over both; see `layered`."""
    base = base or MatchFile()
    below = Layered(Values(base.match, base.clock, base.stop), base.rules, base.player, base.needs)
    found = layered("match", path, flags, below, _AMOUNTS)
    told = found.values
    return MatchFile(
        match=told.match, clock=told.clock, stop=told.stop, rules=found.rules, player=found.player, needs=found.needs
    )
