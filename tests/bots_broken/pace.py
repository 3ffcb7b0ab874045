"""The clock that the broken players are made for."""

from table.judge.timing import Clock
from tests.kit.pace import UNIT

LIMIT = 6 * UNIT
MARGIN = UNIT
SHORT = UNIT
"""A pause that is in time."""
LONG = 2 * LIMIT
"""A pause that is not."""
START = 60 * UNIT
"""For programs that become ready, even where the machine is busy."""

CLOCK = Clock(turn=LIMIT, reaction=LIMIT, margin=MARGIN, start=START)
