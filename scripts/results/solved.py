"""Puts the suite of `jantaku solve` to all bots of the ladder: does what they lose there foretell their mean ranks?

    python -m scripts.results.solved [--suite FILE] [--from DIR]

Prints, for each bot, the points that it loses a decision at the positions of four players, its mean rank on the ladder,
and the seconds it took; then how both correlate. Programs of others are fetched first, see `python -m scripts.anchors`.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import correlation
from time import perf_counter
from typing import NamedTuple

import msgspec

from jantaku.table.drawing.columns import counted
from jantaku.table.ground.errors import BadInput
from scripts.anchors.__main__ import home, seated
from scripts.results.__main__ import FIGURES, PLACE
from scripts.results.plan import EVEN, OWN, Played


class Solved(NamedTuple):
    """What a bot loses at the suite, and its mean rank on the ladder."""

    name: str
    lost: float
    half: float
    rank: float
    seconds: float


def solved(name: str, spec: str, rank: float, suite: Path | None) -> Solved:
    """Put the suite to a bot. BadInput if that fails; a bot that is at fault counts."""
    chosen = ["--seats=4", *([f"--suite={suite}"] if suite else [])]
    begun = perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "jantaku", "solve", spec, "--json", *chosen], capture_output=True, text=True
    )
    seconds = perf_counter() - begun
    if not done.stdout:
        raise BadInput(f"{name}: {done.stderr.strip()}")
    told = json.loads(done.stdout)["all"]
    return Solved(name, told["lost"], told["half"] or 0.0, rank, seconds)


def places(values: Sequence[float]) -> list[float]:
    """The place of each value, the mean place of equal ones."""
    order = sorted(values)
    return [order.index(value) + (order.count(value) - 1) / 2 for value in values]


def related(found: Sequence[Solved]) -> str:
    """Tell how what is lost and the mean ranks correlate."""
    lost, rank = [one.lost for one in found], [one.rank for one in found]
    if len(set(lost)) < 2 or len(set(rank)) < 2:
        return f"{counted(len(found), 'bot')}: too few that differ for a correlation"
    both = correlation(lost, rank), correlation(places(lost), places(rank))
    return f"{len(found)} bots: correlation {both[0]:.2f}, of their places {both[1]:.2f}"


def main(words: Sequence[str] | None = None) -> int:
    about = (__doc__ or "").split("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m scripts.results.solved", description=about)
    parser.add_argument("--suite", type=Path, metavar="FILE", help="another suite than the one that comes along")
    parser.add_argument("--from", dest="source", metavar="DIR", help="a clone of majiang-ai, instead of GitHub")
    given = parser.parse_args(words)
    played = msgspec.json.decode((PLACE / FIGURES).read_bytes(), type=Played)
    ground = played.rows[0].beside
    ranks = {ground: EVEN} | {row.name: row.rank.mean for row in played.rows if row.beside == ground}
    found = list[Solved]()
    try:
        for name, rank in sorted(ranks.items(), key=lambda one: one[1]):
            spec = name if name in OWN else seated(name, home(), given.source)
            found.append(one := solved(name, spec, rank, given.suite))
            print(
                f"{name}: loses {one.lost:.3f} ± {one.half:.3f}; mean rank {rank:.3f}; {one.seconds:.1f} s", flush=True
            )
    except BadInput as error:
        print(f"solved: {error}", file=sys.stderr)
        return 2
    print(related(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
