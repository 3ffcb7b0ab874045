"""Ratings of a pool by openskill's Plackett-Luce model, which is made for games of more than two.

Hanchan are rated one after another in the order of the plan. `sigma` is the model's own uncertainty; it treats hanchan
as independent, so where walls are paired the intervals of ranks are to be trusted instead.
"""

import msgspec
from openskill.models import PlackettLuce

from jantaku.table.match.figures.summary import HanchanSummary


class Rating(msgspec.Struct, frozen=True):
    """A player's strength and the model's uncertainty about it; everybody starts with 25 and 8.33."""

    mu: float
    sigma: float


class Ratings:
    """The ratings of all players after the hanchan so far."""

    def __init__(self) -> None:
        self._model = PlackettLuce()
        first = self._model.rating()
        self._first = (first.mu, first.sigma)
        self._current: dict[str, tuple[float, float]] = {}

    def add(self, line: HanchanSummary) -> None:
        """One more hanchan, which must have a result."""
        teams = [[self._model.create_rating([*self._current.get(name, self._first)])] for name in line.players]
        rated = self._model.rate(teams, ranks=[float(rank) for rank in line.ranks])
        for name in set(line.players):
            # Several seats of one player: they are one strength, so it gets the mean of their updates.
            own = [team[0] for player, team in zip(line.players, rated, strict=True) if player == name]
            self._current[name] = sum(one.mu for one in own) / len(own), sum(one.sigma for one in own) / len(own)

    def of(self, name: str) -> Rating:
        """The rating of that player."""
        mu, sigma = self._current.get(name, self._first)
        return Rating(round(mu, 6), round(sigma, 6))
