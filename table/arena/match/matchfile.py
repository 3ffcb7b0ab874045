"""A match as a person asks for it. Players may have tables of their own instead of `match.players`, one [[player]]
each."""

from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta

from jantaku.table.arena.match.formats import Format, Seatings
from jantaku.table.arena.match.poolfile import PoolFile, PoolSettings, layered
from jantaku.table.ground import kinds
from jantaku.table.judge.timing import Clock
from jantaku.table.riichi.pieces.seats import SEATS as SEATS

Count = Annotated[int, Meta(ge=1, le=10_000_000)]
HalfWidth = Annotated[float, Meta(ge=0.001, le=1.5)]


class Match(PoolSettings, frozen=True):
    """The `[match]` of the file."""

    format: Annotated[Format, Meta(description="who meets whom")] = "seats"
    seatings: Annotated[
        Seatings,
        Meta(description="per wall set. rotated: 4 seatings (three players: 3); all: 24 (6); one: a random one"),
    ] = "rotated"
    sets: Annotated[Count | None, Meta(description="wall sets")] = None
    games: Annotated[Count | None, Meta(description="hanchan, in place of sets; a whole number of sets")] = None


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
        return self.ci is not None or self.sprt or self.faults


class Values(msgspec.Struct, frozen=True):
    """The tables of the file that consist of plain values."""

    WORDS: ClassVar = {"length": "game.length under [rules]"}
    BESIDE: ClassVar = kinds.BESIDE

    match: Match = Match()
    clock: Clock = Clock()
    stop: Stop = Stop()


class MatchFile(PoolFile, frozen=True, kw_only=True):
    KIND = "match"
    VALUES = Values
    INSTEAD = frozenset({"match.sets", "match.games"})

    match: Match = Match()
    stop: Stop = Stop()


def read(path: str | None, flags: dict[str, Any], base: MatchFile | None = None) -> MatchFile:
    """Read the file, if there is one, over `base`, and `flags` over both; see `layered`."""
    return layered(base or MatchFile(), path, flags)
