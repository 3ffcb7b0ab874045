"""The unit of time for all tests that need a clock; set JANTAKU_TEST_UNIT_MS higher on a slow machine.

Never below 100 ms: a busy thread delays other threads' wake-ups by tens of milliseconds.
"""

import os

UNIT = max(100.0, float(os.environ.get("JANTAKU_TEST_UNIT_MS", "100"))) / 1000
"""Seconds."""

SOON = 20 * UNIT
"""Seconds for waits that end at once unless something is broken."""
