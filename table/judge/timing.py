"""How long a seat may think: the settings of the clock, checked once when they are made."""

import math

import msgspec

from table.errors import BadInput


class Clock(msgspec.Struct, frozen=True):
    """Time limits in seconds, the same for every seat. Raises BadInput for a value that cannot be meant.

    `turn` and `reaction` are the limits of one question put to the turn seat and to another seat (None:
    no limit). `bank` is each seat's reserve for the whole game, which shrinks by what a question takes
    beyond its limit. `margin` is granted on top, and shown in the verdict, because a busy machine wakes
    a waiting thread late. So a seat has `limit + bank + margin` at most, and nothing extends that.
    """

    turn: float | None = None
    reaction: float | None = None
    bank: float = 0.0
    margin: float = 0.1

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and value >= 0):
                raise BadInput(f"clock.{name}: {value} is not a time; allowed are seconds from 0 up")
        if self.bank and not self.runs:
            raise BadInput(f"clock.bank: {self.bank} s without clock.turn or clock.reaction, so it can never be used")

    @property
    def runs(self) -> bool:
        """Whether any question has a limit."""
        return self.turn is not None or self.reaction is not None

    @property
    def longest(self) -> float | None:
        """The longest limit that is set, None if neither is."""
        return max((limit for limit in (self.turn, self.reaction) if limit is not None), default=None)
