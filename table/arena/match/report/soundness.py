"""Whether the new player of a gate really played. Default answers say nothing about a player, which must not pass a
gate because of its opponents' bad luck."""

import msgspec

from jantaku.table.arena.match.figures.faultiness import MOST_DEFAULTS, is_certain
from jantaku.table.ground.distributions import binomial_at_least


class Soundness(msgspec.Struct, frozen=True):
    """How many of its seats in hanchan had a fault, for each player, and the share of the new one's questions that the
    default answered."""

    new: int
    new_seats: int
    old: int
    old_seats: int
    defaults: float

    def fails(self, error: float) -> bool:
        """Return whether the new player did not play, or has faults in more hanchan than the old one by more than
        chance explains: with equal rates, a share of faulty hanchan as large as its own would have a chance below
        `error`."""
        if self.defaults > MOST_DEFAULTS:
            return True
        if is_certain(self.new, self.new_seats, self.old, self.old_seats, error):
            return True
        share = self.new_seats / (self.new_seats + self.old_seats)
        return self.new > 0 and binomial_at_least(self.new, self.new + self.old, share) < error

    def text(self, new: str, old: str, unit: str) -> str:
        """The faults as a sentence; empty if the new player had none. `unit`: what a game is called."""
        if not self.new:
            return ""
        return (
            f"{new} had faults in {self.new} of its {self.new_seats} {unit}, in {self.defaults * 100:.1f} % of its "
            f"questions, {old} in {self.old} of {self.old_seats}"
        )
