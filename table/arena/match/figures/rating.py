"""Ratings of a pool by openskill's Plackett-Luce model, which is made for games of more than two players.

Hanchan are rated one after another in the order of the plan. `sigma` is the model's own uncertainty. The model takes
hanchan for independent, so trust the intervals of the ranks instead if walls are paired.
"""

import msgspec
from openskill.models import PlackettLuce

from jantaku.table.arena.match.figures.summary import HanchanSummary


class Rating(msgspec.Struct, frozen=True):
    """A player's strength and the model's uncertainty about it; every player starts with 25 and 8.33."""

    mu: float
    sigma: float


class Ratings:
    """The ratings of all players after the hanchan added so far."""

    def __init__(self) -> None:
        self._model = PlackettLuce()
        first = self._model.rating()
        self._first = (first.mu, first.sigma)
        self._current: dict[str, tuple[float, float]] = {}

    def add(self, line: HanchanSummary) -> None:
        """Rate one hanchan, which must have a result."""
        teams = [[self._model.create_rating([*self._current.get(name, self._first)])] for name in line.players]
        rated = self._model.rate(teams, ranks=[float(rank) for rank in line.ranks])
        for name in set(line.players):
            # A player that holds several seats has one strength: it gets the mean of their updates.
            own = [team[0] for player, team in zip(line.players, rated, strict=True) if player == name]
            self._current[name] = sum(one.mu for one in own) / len(own), sum(one.sigma for one in own) / len(own)

    def of(self, name: str) -> Rating:
        """Return the rating of a player; the initial one if it has not played."""
        mu, sigma = self._current.get(name, self._first)
        return Rating(round(mu, 6), round(sigma, 6))
