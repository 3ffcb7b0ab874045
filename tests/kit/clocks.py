"""The clock for which the broken players are made."""

import msgspec

from jantaku.table.judge.timing import Clock
from tests.kit.pace import UNIT

LIMIT = 15 * UNIT
"""Seconds for an answer: enough for a player that answers at once, even on a busy machine."""
BANK = 2 * UNIT
MARGIN = UNIT
START = 60 * UNIT
"""Seconds to become ready, long enough for a busy machine."""

CLOCK = Clock(turn=LIMIT, reaction=LIMIT, bank=BANK, margin=MARGIN, start=START)

_UNGREETED = 50 * UNIT
"""Bank where no player shows that it is ready: its start counts as time for its first answer."""


def clock_for(dialect: str) -> Clock:
    """Return the clock of a broken player that is spoken to in that dialect (empty: none)."""
    ungreeted = dialect in ("majiang-2015", "mjai-lines", "mjai-lines-actions")
    return msgspec.structs.replace(CLOCK, bank=_UNGREETED) if ungreeted else CLOCK


def too_long(dialect: str) -> float:
    """Return a pause in seconds that exceeds the time, though a busy machine's stalls add to that: it is twice as
    long."""
    return 2 * (LIMIT + clock_for(dialect).bank + MARGIN)
