"""Hanchan per second with one worker and with more, on bots that only compute.

    python -m scripts.speedup --sets 50 --workers 2

Start-up and end, when not all workers play, are not counted: the time runs from the end of the first tenth of the
hanchan to the end of the ninth.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from jantaku.table.arena.match.conduct import conduct
from jantaku.table.arena.match.folder.store import Store
from jantaku.table.arena.match.plan.matchfile import read
from jantaku.table.arena.match.plan.plan import plan_of
from jantaku.table.arena.match.workers.processes import Processes
from jantaku.table.ground.clock import now


def main() -> int:
    """Measure and print; return 0 if every further worker brings at least 85 % of one."""
    given = _arguments()
    one, many = _rate(1, given.sets), _rate(given.workers, given.sets)
    gain = many / one
    print(f"1 worker {one:.2f} hanchan/s, {given.workers} workers {many:.2f} hanchan/s: {gain:.2f} times")
    return 0 if gain >= 1 + 0.85 * (given.workers - 1) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=50)
    parser.add_argument("--workers", type=int, default=2)
    return parser.parse_args()


def _rate(workers: int, sets: int) -> float:
    flags = {"format": "1v3", "players": ["shanten", "shanten"], "sets": sets, "seed": 1, "threads": "inline"}
    plan = plan_of(read(None, {f"match.{key}": value for key, value in flags.items()}))
    ends: list[float] = []
    with tempfile.TemporaryDirectory(prefix="jantaku-speedup-") as place:
        store = Store.create(Path(place) / "match", plan)
        try:
            conduct(store, Processes(plan, store.places, workers), lambda progress: ends.append(now()))
        finally:
            store.close()
    first, last = len(ends) // 10, len(ends) * 9 // 10
    return (last - first) / (ends[last] - ends[first])


if __name__ == "__main__":
    sys.exit(main())
