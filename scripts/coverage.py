"""Do 95 % intervals cover the truth in 95 % of matches? Measured on real hanchan of a bot against itself.

    python -m scripts.coverage --hanchan 600 --matches 400 --sets 200

Four equal players have mean rank 2.5. On paired walls a bot without chance makes every set come out at 2.5 exactly, and
its interval, of no width, covers that always. So the hanchan are played without pairing, each on walls of its own, and
every simulated match draws its sets from them, with the challenger's seat drawn by lot.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from table.match.conduct import conduct
from table.match.figures.statistics import interval
from table.match.folder.store import Store
from table.match.plan.matchfile import read
from table.match.plan.plan import plan_of
from table.match.workers.processes import Processes

TRUTH = 2.5


def main() -> int:
    """Play, simulate, print; 0 if between 93 % and 97 % of the intervals cover the truth."""
    given = _arguments()
    ranks = _played(given)
    random = np.random.default_rng(given.seed)
    covered = 0
    for _ in range(given.matches):
        hanchan = random.integers(0, len(ranks), given.sets)
        seats = random.integers(0, 4, given.sets)
        found = interval([float(ranks[n][seat]) for n, seat in zip(hanchan, seats, strict=True)], [1.0] * given.sets)
        assert found.half is not None
        covered += abs(found.mean - TRUTH) <= found.half
    share = covered / given.matches
    print(
        f"{given.player} against itself: {covered} of {given.matches} simulated matches of {given.sets} sets "
        f"({share:.1%}) have {TRUTH} in their interval"
    )
    return 0 if 0.93 <= share <= 0.97 else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hanchan", type=int, default=600)
    parser.add_argument("--matches", type=int, default=400)
    parser.add_argument("--sets", type=int, default=200)
    parser.add_argument("--player", default="shanten")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    return parser.parse_args()


def _played(given: argparse.Namespace) -> list[tuple[int, ...]]:
    """The ranks by place of real hanchan, each on walls of its own."""
    flags: dict[str, Any] = {"format": "1v3", "players": [given.player] * 2, "seed": given.seed, "seatings": "one"}
    flags |= {"sets": given.hanchan, "threads": "inline"}
    plan = plan_of(read(None, {f"match.{key}": value for key, value in flags.items()}))
    with tempfile.TemporaryDirectory(prefix="jantaku-coverage-") as place:
        store = Store.create(Path(place) / "match", plan)
        try:
            conduct(store, Processes(plan, store.places, given.workers), lambda progress: None)
            return [line.ranks for line in store.lines() if line.ended]
        finally:
            store.close()


if __name__ == "__main__":
    sys.exit(main())
