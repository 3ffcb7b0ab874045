"""What forks say of the candidate: by how much its rank and points differ from those of the baseline's player if it
sits down in that one's place, to first order.

A fork's gain is what the candidate's way is worth more than the record's, by the value model, at the seat that differs;
its mean over the walls of the fork. The gains of a hanchan are added up over its kyoku, and their mean over its
seats is what this hanchan says. The unit of the interval is the hanchan. Ranks are told as what is won: fewer ranks are
better, so a positive lead is a better player.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from jantaku.table.forks.forking import Fork, ForkedGame
from jantaku.table.forks.worth import StandingWorth, spread_of
from jantaku.table.formats.majiang.words import Item
from jantaku.table.match.figures.looks import Looks
from jantaku.table.match.figures.statistics import Interval, Mean
from jantaku.table.riichi.pieces.notation import kyoku_text
from jantaku.table.riichi.rules import Rules

FARTHEST = 3.0
"""By how many ranks a hanchan can be off what is expected: the farthest that a seat can gain or lose."""


FEWEST = 50
"""Hanchan below which no interval is stated: what few of them say is skewed, and t intervals of 30 cover too little."""


class Screening(msgspec.Struct, frozen=True):
    """The estimate. `rank` is by how much the candidate's mean rank is better than 2.5 in the place of the baseline's
    player, `points` its final points; neither has an interval below `FEWEST` hanchan. `kyoku` counts those
    of all four seats, `forked` those in which it differed."""

    hanchan: int
    rank: Interval
    points: Interval
    kyoku: int
    forked: int
    walls: int
    asked: int
    spread: float
    faults: dict[str, int]
    controlled: int
    """Hanchan in which the baseline's own player was asked beside its record."""
    unrepeated: int
    """Answers in which it differed from what it had played."""
    looks: Looks = Looks.ONCE

    @property
    def share(self) -> float:
        """The share of kyoku in which the candidate differed."""
        return self.forked / self.kyoku if self.kyoku else 0.0


class JudgedFork(msgspec.Struct, frozen=True):
    """A decision that differs, with what it wins: a line of `decisions.jsonl`. `event`, `before`, `kind` and `hand` are
    as in `ReviewedDecision`. `rank` is positive where the candidate's
    way ends nearer to the first place; `half` is half of the 95 % interval of it over the walls, None of too few."""

    game: int
    kyoku: int
    name: str
    turn: int
    event: int
    before: int
    player: int
    kind: str
    hand: str
    played: Item
    said: Item
    rank: float
    half: float | None
    points: float
    walls: int
    verdict: str


class Judged(NamedTuple):
    """All that forks say."""

    screening: Screening
    decisions: Sequence[JudgedFork]
    """The most profitable first."""


def judged(games: Iterable[ForkedGame], rules: Rules, looks: Looks = Looks.ONCE) -> Judged:
    """The estimate and the decisions of these hanchan, of which there must be one. The value model is measured on
    them: what they say depends on all of them, and not on their order."""
    known = sorted(games, key=lambda one: one.game)
    worth = StandingWorth(rules, spread_of(one.standings for one in known))
    ranks, points, decisions = Mean(), Mean(), list[JudgedFork]()
    for game in known:
        found = judged_forks(game, worth)
        gain = gain_of(found, game.seats)
        ranks.add(gain[0])
        points.add(gain[1])
        decisions += found
    faults: dict[str, int] = {}
    for game in known:
        for verdict, count in game.faults.items():
            faults[verdict] = faults.get(verdict, 0) + count
    screening = Screening(
        hanchan=len(known),
        rank=_stated(ranks.seen(looks, FARTHEST if looks is not Looks.ONCE else 0.0), len(known)),
        points=_stated(points.seen(looks), len(known)),
        kyoku=sum(game.seats * (len(game.standings) - 1) for game in known),
        forked=len(decisions),
        walls=sum(one.walls for one in decisions),
        asked=sum(game.asked for game in known),
        spread=round(worth.spread, 1),
        faults=dict(sorted(faults.items())),
        controlled=sum(game.again >= 0 for game in known),
        unrepeated=sum(max(game.again, 0) for game in known),
        looks=looks,
    )
    decisions.sort(key=lambda one: (-one.rank, one.game, one.kyoku, one.player))
    return Judged(screening, decisions)


def _stated(found: Interval, hanchan: int) -> Interval:
    return found if hanchan >= FEWEST else Interval(found.mean, None)


def judged_forks(game: ForkedGame, worth: StandingWorth) -> list[JudgedFork]:
    """The forks of one hanchan by that value model."""
    return [_judged(game, fork, worth) for fork in game.forks]


def gain_of(forks: Sequence[JudgedFork], seats: int) -> tuple[float, float]:
    """What the forks of one hanchan say: ranks and points that are won, in the mean over its seats."""
    return sum(one.rank for one in forks) / seats, sum(one.points for one in forks) / seats


def _judged(game: ForkedGame, fork: Fork, worth: StandingWorth) -> JudgedFork:
    rank, points = Mean(), 0.0
    for other, own in fork.ways:
        theirs, ours = (worth.outlook(way.standing, way.over, fork.player, game.first_dealer) for way in (other, own))
        rank.add(ours.rank - theirs.rank)
        points += theirs.points - ours.points
    standing = game.standings[fork.kyoku - 1]
    return JudgedFork(
        game=game.game,
        kyoku=fork.kyoku,
        name=kyoku_text(standing.round_wind, standing.kyoku, standing.honba),
        turn=fork.turn,
        event=fork.event,
        before=fork.before,
        player=fork.player,
        kind=fork.kind,
        hand=fork.hand,
        played=fork.played,
        said=fork.said,
        rank=round(rank.mean, 6),
        half=None if (half := rank.interval.half) is None else round(half, 6),
        points=round(points / len(fork.ways), 4),
        walls=len(fork.ways),
        verdict=fork.verdict,
    )
