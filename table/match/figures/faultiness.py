"""Whether one player has faults in more hanchan than others, judged as often as one likes.

As long as nobody is worse, a hanchan with a fault is as likely any seat's: who has a quarter of the seats has a quarter
of those hanchan. The evidence against that is the mean, over all larger shares alike, of how much likelier they make
what was seen. By Ville's inequality it ever exceeds 1 / error with a chance of at most `error`, however often one
looks; a test for a number of hanchan that was fixed before would not keep to that.
"""

import math
from typing import Final

from jantaku.table.match.figures.distributions import beta_above
from jantaku.table.match.figures.summary import HanchanSummary, is_bad

NOBODY_PLAYS: Final = "nobody plays: defaults are played for all players"
"""Why a match ends in which there is nothing to compare."""
MOST_DEFAULTS: Final = 0.1
"""A player whose questions had a default more often than that has not played."""


class Faultiness:
    """Counts the hanchan with a fault, once for each seat, of one player and of all others."""

    def __init__(self, name: str, unit: str) -> None:
        self._name, self._unit = name, unit
        self.own = self.own_seats = self.others = self.others_seats = 0
        self._beyond = {True: 0.0, False: 0.0}
        """By how many defaults the one and all others are beyond those with which they might have played."""

    def add(self, line: HanchanSummary) -> None:
        """One more hanchan; one without a result does not count."""
        if not line.ranks:
            return
        asked = line.asked or (0, 0, 0, 0)  # an older version has not counted
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
        """Whether the player has faults in more hanchan than the others, as far as anybody can be sure."""
        return is_certain(self.own, self.own_seats, self.others, self.others_seats, error)

    @property
    def nobody_plays(self) -> bool:
        """Whether neither the player nor the others play: defaults are played for them."""
        return min(self._beyond.values()) > 0

    @property
    def text(self) -> str:
        """In words."""
        told = f"the first player has faults in {self.own} of its {self.own_seats} {self._unit}"
        return f"{told}, others in {self.others} of {self.others_seats}"


def is_certain(own: int, own_seats: int, others: int, others_seats: int, error: float) -> bool:
    """Whether the evidence that one player has more faults is so strong that chance does it with less than `error`."""
    if not own or not others_seats:
        return False
    share = own_seats / (own_seats + others_seats)
    larger = beta_above(own + 1, others + 1, share)
    if larger <= 0.0:
        return False
    beta = math.lgamma(own + 1) + math.lgamma(others + 1) - math.lgamma(own + others + 2)
    log = beta + math.log(larger) - math.log1p(-share)
    return log - own * math.log(share) - others * math.log1p(-share) > -math.log(error)
