"""What a standing between two kyoku is worth to a player: its expected rank and final points.

The difference of two scores follows a random walk: after n more kyoku it is normal with variance n · spread². The
chance that one player ends above another is Φ(difference / (spread · √n)); the expected rank is 1 plus the chances
of the others. For the points, each score is normal with half that variance, independently, which gives the same
chances: integrating over the player's own score gives the chance of each rank, which brings its uma and oka. The
scores themselves are expected to stay the same. If the game is over, rank and points follow from the rules.

n is the number of planned kyoku that are left, at least one. Repeated deals and overtime are part of the spread,
which is measured on the games at hand: see `spread_of`.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec

from jantaku.table.riichi.flow import hanchan
from jantaku.table.riichi.flow.outcome import Standing
from jantaku.table.riichi.rules import Rules

SPREAD = 9000.0
"""Standard deviation by which the difference of two scores changes per planned kyoku, if there are no games to measure
it."""
_FEWEST = 20
"""The spread is measured on at least this many kyoku."""
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
"""Nodes and weights of the 15-point Gauss-Hermite rule for exp(-x² / 2), from the middle up."""
_NODES = (*((-node, weight) for node, weight in _NODES_UP[:0:-1]), *_NODES_UP)


class Outlook(msgspec.Struct, frozen=True):
    """What a player can expect: its rank, from 1, and its final points."""

    rank: float
    points: float


class StandingWorth:
    """The value model of games with these rules."""

    def __init__(self, rules: Rules, spread: float = SPREAD) -> None:
        self._rules, self.spread = rules, spread
        self._bonus = [float(bonus) for bonus in hanchan.rank_bonus(rules)]

    def outlook(self, standing: Standing, over: bool, player: int, first_dealer: int) -> Outlook:
        """Return the expected rank and points of `player` at this standing; the final ones if the game is `over`."""
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
    """Return the chance of each rank. `ahead`: by how much each other player leads, in standard deviations of a
    difference."""
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
    """Measure the spread in these games, each given by its standings at every deal and at its end: how far the
    difference of two scores moves per planned kyoku, repeated deals included."""
    squares, kyoku, planned = 0.0, 0, 0
    for standings in games:
        planned += standings[0].last + 1 - standings[0].number
        for before, after in pairwise(standings):
            moved = [now - then for now, then in zip(after.scores, before.scores, strict=True)]
            pairs = [(a - b) ** 2 for place, a in enumerate(moved) for b in moved[:place]]
            squares += sum(pairs) / len(pairs)
            kyoku += 1
    return math.sqrt(squares / planned) if kyoku >= _FEWEST and squares and planned else SPREAD
