"""One unit of time for all tests that need a real clock; a slow machine sets JANTAKU_TEST_UNIT_MS higher.

Never below 100 ms: a busy thread delays everybody's wake-up by tens of milliseconds.
"""

import os

UNIT = max(100.0, float(os.environ.get("JANTAKU_TEST_UNIT_MS", "100"))) / 1000
"""Seconds."""

SOON = 60.0
"""Seconds, for waits that end at once unless something is broken. So long that no busy machine is taken for that."""
