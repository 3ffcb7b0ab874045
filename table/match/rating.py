"""Ratings of a pool by openskill's Plackett-Luce model, which is made for games of more than two.

Hanchan are rated one after another in the order of the plan. `sigma` is the model's own doubt; it takes hanchan for
independent, so where walls are paired the intervals of ranks are what to trust.
"""

from collections.abc import Iterable, Sequence

import msgspec
from openskill.models import PlackettLuce

from table.match.summary import Line


class Rating(msgspec.Struct, frozen=True):
    """A player's strength and the model's doubt about it; everybody starts with 25 and 8.33."""

    mu: float
    sigma: float


def ratings(ended: Iterable[Line], names: Sequence[str]) -> dict[str, Rating]:
    """The rating of every player in `names` after these hanchan, which must have ended."""
    model = PlackettLuce()
    current = {name: model.rating() for name in names}
    for line in ended:
        teams = [[model.create_rating([current[name].mu, current[name].sigma])] for name in line.players]
        rated = model.rate(teams, ranks=[float(rank) for rank in line.ranks])
        for name in set(line.players):
            # Several seats of one player: they are one strength, so it gets the mean of what they say.
            own = [team[0] for player, team in zip(line.players, rated, strict=True) if player == name]
            mu, sigma = sum(one.mu for one in own) / len(own), sum(one.sigma for one in own) / len(own)
            current[name] = model.create_rating([mu, sigma])
    return {name: Rating(round(rating.mu, 6), round(rating.sigma, 6)) for name, rating in current.items()}
