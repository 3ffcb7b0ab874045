"""What the forks say about the candidate: how its rank and points would differ, to first order, in the place of the
baseline's player.

The gain of a fork is the worth of the candidate's way less the worth of the record's way, by the value model, for
the seat that differs; the mean over the fork's walls. A hanchan's gain is the sum over its kyoku, divided by its
seats. The unit of the interval is the hanchan. Gains in rank count upwards: a positive lead is a better player.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from jantaku.table.arena.forks.fork import Fork, ForkedGame
from jantaku.table.arena.match.figures.looks import Looks
from jantaku.table.arena.match.figures.statistics import Interval, Mean
from jantaku.table.languages.majiang.rule import Item
from jantaku.table.riichi.flow.worth import StandingWorth, spread_of
from jantaku.table.riichi.pieces.notation import kyoku_text
from jantaku.table.riichi.rules import Rules

FARTHEST = 3.0
"""Largest distance, in ranks, of a hanchan's gain from its expectation: what a seat can gain or lose."""


FEWEST = 50
"""There is no interval below this number of hanchan: gains are skewed, and t intervals of 30 hanchan cover too
little."""


class Screening(msgspec.Struct, frozen=True):
    """The estimate. `rank` is by how much the candidate's mean rank is better than 2.5 in the place of the baseline's
    player, `points` the same in final points; neither has an interval below `FEWEST` hanchan. `kyoku` counts each kyoku
    once per seat, `forked` counts them where the candidate differs."""

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
    """How often it did not repeat its record there, see `ForkedGame.again`."""
    looks: Looks = Looks.ONCE

    @property
    def share(self) -> float:
        return self.forked / self.kyoku if self.kyoku else 0.0


class JudgedFork(msgspec.Struct, frozen=True):
    """A decision that differs, with its gain: a line of `decisions.jsonl`. `event`, `before`, `kind` and `hand` are as
    in `ReviewedDecision`. `rank` is positive if the candidate's way ends nearer to first place; `half` is the
    half-width of its 95 % interval over the walls, None with too few walls."""

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
    """The estimate, and the decisions it is made of."""

    screening: Screening
    decisions: Sequence[JudgedFork]
    """The largest gain in rank first."""


def judged(games: Iterable[ForkedGame], rules: Rules, looks: Looks = Looks.ONCE) -> Judged:
    """Compute the estimate and the gains of these hanchan; there must be at least one. The value model is fitted to the
    same hanchan, so that results depend on all of them but not on their order."""
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
        kyoku=sum(game.kyoku for game in known),
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
    return [_judged(game, fork, worth) for fork in game.forks]


def gain_of(forks: Sequence[JudgedFork], seats: int) -> tuple[float, float]:
    """Return the gain of one hanchan in ranks and in points: the mean over its seats."""
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
