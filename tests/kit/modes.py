"""The ways to run a table, for tests that hold in each of them."""

from jantaku.table.judge.mode import Mode

MODES: tuple[Mode, ...] = tuple(Mode)
THREADED: tuple[Mode, ...] = tuple(mode for mode in MODES if mode is not Mode.INLINE)
"""Those that call players in threads, and so can keep a clock."""
