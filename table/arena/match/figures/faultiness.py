"""Tests whether one player has faults in more hanchan than the others; the test may be looked at any number of times.

If the player is no worse, a hanchan with a fault is equally likely to be any seat's: with a quarter of the seats it
has a quarter of those hanchan. The evidence against that is the likelihood ratio of larger shares, averaged
uniformly over all of them. By Ville's inequality it ever exceeds 1 / error with a chance of at most `error`, however
often somebody looks; a test for a number of hanchan fixed in advance would not keep that promise.
"""

import math
from typing import Final

from jantaku.table.arena.match.figures.summary import HanchanSummary, is_bad
from jantaku.table.ground.distributions import beta_above

NOBODY_PLAYS: Final = "no player plays: defaults are played for all players"
"""Why a match ends in which all players live on defaults, so that there is nothing to compare."""
MOST_DEFAULTS: Final = 0.1
"""A player does not play if defaults replaced more than this share of its answers."""


class Faultiness:
    """Counts for one player, and for all others together, the seats in hanchan and how many of them had a fault."""

    def __init__(self, name: str, unit: str) -> None:
        self._name, self._unit = name, unit
        self.own = self.own_seats = self.others = self.others_seats = 0
        self._beyond = {True: 0.0, False: 0.0}
        """By key True (the player) and False (the others): defaults beyond the share `MOST_DEFAULTS` of the
        questions."""

    def add(self, line: HanchanSummary) -> None:
        """Add one hanchan. A hanchan without a result does not count."""
        if not line.ranks:
            return
        asked = line.asked or (0, 0, 0, 0)  # summaries of older versions do not count questions
        for name, faults, questions in zip(line.players, line.faults, asked, strict=True):
            bad = any(map(is_bad, faults))
            lost = sum(count for word, count in faults.items() if is_bad(word))
            if questions:
                self._beyond[name == self._name] += lost - MOST_DEFAULTS * questions
            if name == self._name:
                self.own, self.own_seats = self.own + bad, self.own_seats + 1
            else:
                self.others, self.others_seats = self.others + bad, self.others_seats + 1

    def is_certain(self, error: float) -> bool:
        """Return whether the player has faults in more hanchan than the others, with a chance of error of at most
        `error`."""
        return is_certain(self.own, self.own_seats, self.others, self.others_seats, error)

    @property
    def nobody_plays(self) -> bool:
        """Whether neither the player nor the others play: defaults replace their answers."""
        return min(self._beyond.values()) > 0

    @property
    def text(self) -> str:
        """The counts of both sides as a sentence."""
        told = f"the first player has faults in {self.own} of its {self.own_seats} {self._unit}"
        return f"{told}, others in {self.others} of {self.others_seats}"


def is_certain(own: int, own_seats: int, others: int, others_seats: int, error: float) -> bool:
    """Return whether the evidence that one player has more faults exceeds 1 / error, which chance does less often than
    `error`."""
    if not own or not others_seats:
        return False
    share = own_seats / (own_seats + others_seats)
    larger = beta_above(own + 1, others + 1, share)
    if larger <= 0.0:
        return False
    beta = math.lgamma(own + 1) + math.lgamma(others + 1) - math.lgamma(own + others + 2)
    log = beta + math.log(larger) - math.log1p(-share)
    return log - own * math.log(share) - others * math.log1p(-share) > -math.log(error)
