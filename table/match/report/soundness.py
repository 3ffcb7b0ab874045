"""Whether the new player of a gate has played: what was played for it by default says nothing about it, and must not
pass on the strength of others' bad luck."""

import msgspec

from jantaku.table.match.figures.distributions import binomial_at_least
from jantaku.table.match.figures.faultiness import MOST_DEFAULTS, is_certain
from jantaku.table.match.figures.statistics import PlayerFigures
from jantaku.table.match.figures.summary import is_bad


class Soundness(msgspec.Struct, frozen=True):
    """In how many of its hanchan each player had a fault, a hanchan counted once for each of its seats, and for which
    share of the new one's questions the default was played."""

    new: int
    new_seats: int
    old: int
    old_seats: int
    defaults: float

    def fails(self, error: float) -> bool:
        """Whether the new player has not played, or has faults in more hanchan than the old one by more than chance
        explains: of the hanchan with a fault as many or more would be its own by chance with less than `error`, if
        both had them equally often."""
        if self.defaults > MOST_DEFAULTS:
            return True
        if is_certain(self.new, self.new_seats, self.old, self.old_seats, error):
            return True
        share = self.new_seats / (self.new_seats + self.old_seats)
        return self.new > 0 and binomial_at_least(self.new, self.new + self.old, share) < error

    def text(self, new: str, old: str, unit: str) -> str:
        """In words; empty if the new player had no fault. `unit`: what a game is called."""
        if not self.new:
            return ""
        return (
            f"{new} had faults in {self.new} of its {self.new_seats} {unit}, in {self.defaults * 100:.1f} % of its "
            f"questions, {old} in {self.old} of {self.old_seats}"
        )


def soundness(new: PlayerFigures, old: PlayerFigures, questions: int) -> Soundness:
    """That of the new player, who was asked so many questions."""
    faults = sum(count for word, count in new.faults.items() if is_bad(word))
    return Soundness(new.faulty, new.seats, old.faulty, old.seats, faults / questions if questions else 0.0)
