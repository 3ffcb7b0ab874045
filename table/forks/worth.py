"""What a standing between two kyoku is worth to a player: its expected rank and final points.

The difference of two scores goes on as a random walk: after n more kyoku it is normal with variance n · spread². The
chance that one player ends before another is Φ(difference / (spread · √n)), and an expected rank is 1 plus the chances
of the others. For the points each player's own score is normal with half that variance, independent of the
others', which gives the same chances: the chance of each rank follows from integrating over the own score, and brings
its uma and oka; the scores themselves are expected to stay as they are. Where the game is over, rank and points are
those of the rules.

n is what the plan has left, at least one kyoku. Repeated deals and overtime are in the spread, which is measured on the
games at hand: see `spread_of`.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec

from jantaku.table.riichi.flow import hanchan
from jantaku.table.riichi.flow.standing import Standing
from jantaku.table.riichi.rules import Rules

SPREAD = 9000.0
"""By which two scores drift apart in a kyoku of the plan, where there are no games to measure it."""
_FEWEST = 20
"""Kyoku from which a spread can be measured."""
_NODES_UP = (
    (0.0, 0.7977583071397493),
    (0.799129068324548, 0.5826965579477281),
    (1.6067100690287297, 0.2241371742044197),
    (2.432436827009758, 0.04352954135285795),
    (3.2890824243987664, 0.003928782634853378),
    (4.1962077112690155, 0.00014142763708854477),
    (5.190093591304781, 1.4978155716931977e-06),
    (6.363947888829839, 2.1531059307602043e-09),
)
"""Nodes and weights of the Gauss-Hermite rule of 15 points for exp(-x² / 2), from the middle up."""
_NODES = (*((-node, weight) for node, weight in _NODES_UP[:0:-1]), *_NODES_UP)


class Outlook(msgspec.Struct, frozen=True):
    """What a player may expect: its rank, from 1, and its final points."""

    rank: float
    points: float


class StandingWorth:
    """The value model of games by these rules."""

    def __init__(self, rules: Rules, spread: float = SPREAD) -> None:
        self._rules, self.spread = rules, spread
        self._bonus = [float(bonus) for bonus in hanchan.rank_bonus(rules)]

    def outlook(self, standing: Standing, over: bool, player: int, first_dealer: int) -> Outlook:
        """That of `player` where the game stands there, or has ended there (`over`)."""
        if over:
            end = hanchan.final(standing, self._rules, first_dealer)
            return Outlook(end.ranks[player], end.tenths[player] / 10)
        scores = standing.scores
        scale = self.spread * math.sqrt(max(standing.last - standing.number + 1, 1))
        ahead = [(score - scores[player]) / scale for other, score in enumerate(scores) if other != player]
        rank = 1 + sum(_normal(distance) for distance in ahead)
        base = (scores[player] - self._rules.game.return_points) / 1000
        chances = _rank_chances(ahead)
        return Outlook(rank, base + sum(chance * bonus for chance, bonus in zip(chances, self._bonus, strict=True)))


def _normal(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


def _rank_chances(ahead: Sequence[float]) -> list[float]:
    """The chance of each rank. `ahead`: by how much each other player leads, in standard deviations of a difference."""
    worst = len(ahead)
    total = [0.0] * (worst + 1)
    for node, weight in _NODES:
        chances = [1.0] + [0.0] * worst
        for distance in ahead:
            above = _normal(distance * math.sqrt(2) - node)
            chances = [
                chances[0] * (1 - above),
                *(chances[rank] * (1 - above) + chances[rank - 1] * above for rank in range(1, worst + 1)),
            ]
        total = [sum_ + weight * chance for sum_, chance in zip(total, chances, strict=True)]
    scale = math.sqrt(2 * math.pi)
    return [chance / scale for chance in total]


def spread_of(games: Iterable[Sequence[Standing]]) -> float:
    """The spread that these games show, each told by where it stood as each kyoku was dealt and at its end: what the
    differences of two scores have moved in a kyoku of the plan, repeated deals and all."""
    squares, kyoku, planned = 0.0, 0, 0
    for standings in games:
        planned += standings[0].last + 1 - standings[0].number
        for before, after in pairwise(standings):
            moved = [now - then for now, then in zip(after.scores, before.scores, strict=True)]
            pairs = [(a - b) ** 2 for place, a in enumerate(moved) for b in moved[:place]]
            squares += sum(pairs) / len(pairs)
            kyoku += 1
    return math.sqrt(squares / planned) if kyoku >= _FEWEST and squares and planned else SPREAD
