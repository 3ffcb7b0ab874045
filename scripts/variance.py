"""Measures what pairing walls is worth: for each wall school, the half-width of the interval with and without pairing
at equal numbers of hanchan.

    python -m scripts.variance --sets 50

The default is a small change to a bot, the usual case: `shanten` against one that never calls. Without pairing every
hanchan has walls of its own and a seating drawn by lot. `worth` says how many unpaired hanchan one paired hanchan
replaces: the square of the ratio of the half-widths.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from jantaku.players.bots.shanten import Shanten
from jantaku.table.arena.match.conduct import conduct
from jantaku.table.arena.match.figures.statistics import Figures
from jantaku.table.arena.match.matchfile import read
from jantaku.table.arena.match.plan import plan_of
from jantaku.table.arena.match.processes import Processes
from jantaku.table.arena.match.store import Store
from jantaku.table.ground.port import Action, Question
from jantaku.table.riichi import ruleset
from jantaku.table.riichi.actions import Call


class Closed(Shanten):
    """Shanten that never calls."""

    remembers = False
    reseed = None

    def answer(self, question: Question) -> Action:
        """Answer like shanten, but pass on every call."""
        action = super().answer(question)
        return question.default if isinstance(action, Call) else action


def main() -> None:
    """Play four matches and print the comparison."""
    given = _arguments()
    with tempfile.TemporaryDirectory(prefix="jantaku-variance-") as place:
        print(f"{'walls':9} {'hanchan':>8} {'figure':12} {'paired':>16} {'unpaired':>16} {'worth':>6}")
        for walls in ("shared", "per-seat"):
            paired = _played(Path(place) / f"{walls}-paired", given, walls, given.seatings, given.sets)
            games = paired.games
            apart = _played(Path(place) / f"{walls}-unpaired", given, walls, "one", games)
            for figure, digits in (("rank", 3), ("points", 2)):
                with_pairs, without = (getattr(one.players[0], figure) for one in (paired, apart))
                worth = (without.half / with_pairs.half) ** 2 if with_pairs.half else float("inf")
                print(
                    f"{walls:9} {games:8} mean {figure:7} {with_pairs.text(digits):>16} {without.text(digits):>16} "
                    f"{worth:6.2f}"
                )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=50)
    parser.add_argument("--players", default="scripts.variance:Closed,shanten")
    parser.add_argument("--format", default="1v3")
    parser.add_argument("--seatings", default="rotated")
    parser.add_argument("--length", default="hanchan")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    return parser.parse_args()


def _played(folder: Path, given: argparse.Namespace, walls: str, seatings: str, sets: int) -> Figures:
    flags: dict[str, Any] = {"format": given.format, "players": given.players.split(","), "seed": given.seed}
    flags |= {"walls": walls, "seatings": seatings, "sets": sets, "threads": "inline"}
    file = read(None, {f"match.{key}": value for key, value in flags.items()})
    rules = ruleset.with_settings(file.rules, {"game.length": given.length})
    plan = plan_of(msgspec.structs.replace(file, rules=rules))
    store = Store.create(folder, plan)
    try:
        done = conduct(store, Processes(plan, store.places, given.workers), lambda progress: None)
    finally:
        store.close()
    if done.results.figures is None:
        sys.exit(f"no hanchan of {folder} has a result")
    return done.results.figures


if __name__ == "__main__":
    main()
