"""The clock that the broken players are made for."""

import msgspec

from jantaku.table.judge.timing import Clock
from scripts.pace import UNIT

LIMIT = 15 * UNIT
"""So long that whoever answers at once is in time, even where the machine is busy."""
BANK = 2 * UNIT
MARGIN = UNIT
START = 60 * UNIT
"""For programs that become ready, even where the machine is busy."""

CLOCK = Clock(turn=LIMIT, reaction=LIMIT, bank=BANK, margin=MARGIN, start=START)

_UNGREETED = 50 * UNIT
"""Time in reserve where no player shows that it is ready: the start of a program counts as time for its first
answer."""


def clock_for(dialect: str) -> Clock:
    """The clock of a broken player that is spoken to in that dialect (empty: none)."""
    ungreeted = dialect in ("majiang-2015", "mjai-lines", "mjai-lines-actions")
    return msgspec.structs.replace(CLOCK, bank=_UNGREETED) if ungreeted else CLOCK


def too_long(dialect: str) -> float:
    """A pause that is not in time, in seconds."""
    return LIMIT + 2 * clock_for(dialect).bank + MARGIN
