"""The unit of time for all tests that need a real clock, and the ways to run a table. Set JANTAKU_TEST_UNIT_MS higher
on a slow machine; never below 100 ms: a busy thread delays other threads' wake-ups by tens of milliseconds."""

import os

from jantaku.table.judge.mode import Mode

UNIT = max(100.0, float(os.environ.get("JANTAKU_TEST_UNIT_MS", "100"))) / 1000
"""Seconds."""

SOON = 60.0
"""Seconds for waits that end at once unless something is broken; so many that a busy machine does not exceed them."""


MODES: tuple[Mode, ...] = tuple(Mode)
THREADED: tuple[Mode, ...] = tuple(mode for mode in MODES if mode is not Mode.INLINE)
"""Those that call players in threads, and so can keep a clock."""
