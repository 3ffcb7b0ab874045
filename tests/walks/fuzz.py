"""`python -m tests.walks.fuzz`: random games under random rules; after every event the laws of the game are checked.

Tiles and points are conserved; options are never empty; each offered option is accepted and others are refused; no
player sees a hidden tile, and all see the same public state; records drive the engine to the same game. Prints `N
kyoku, M events, 0 violations`; for a violation the seed and the rules. Exit code 0 if there is none, 1 if there is.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import count

from jantaku.table.riichi.pieces.seats import SEATS, THREE
from scripts.core import compile_first
from tests.walks.laws import Violation
from tests.walks.play import FuzzedGame, play

ENOUGH = 5
"""Violations after which it stops."""
EVERY = 100
"""Games between two progress lines, and of one round of the processes."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.walks.fuzz", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kyoku", type=int, default=1000, metavar="N", help="play at least so many (default 1000)")
    parser.add_argument("--seed", default="1", metavar="TEXT", help="what games and rules depend on (default 1)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (default 1)")
    parser.add_argument("--players", type=int, default=SEATS, choices=(SEATS, THREE), help="of a game (default 4)")
    parser.add_argument("--game", type=int, metavar="N", help="play only the game of this number, to see it again")
    options = parser.parse_args(arguments)
    if options.kyoku < 1 or options.jobs < 1:
        print("fuzz: --kyoku and --jobs must be 1 or more", file=sys.stderr)
        return 2
    total, violations = FuzzedGame(), 0
    one = options.game is not None
    games = (
        [_outcome(options.seed, options.players, options.game)]
        if one
        else _games(options.seed, options.players, options.jobs)
    )
    for played, (number, came) in enumerate(games, 1):
        if isinstance(came, FuzzedGame):
            total += came
        else:
            violations += 1
            print(f"game {number}, {came}", flush=True)
        if played % EVERY == 0:
            print(f"... {played} games, {total.kyoku} kyoku", file=sys.stderr, flush=True)
        if total.kyoku >= options.kyoku or violations == ENOUGH:
            break
    print(
        f"{total.wins} wins, {total.draws} draws ({total.chombos} chombo), {total.questions} questions, "
        f"{total.refused} answers refused, ",
        end="",
    )
    print(f"{total.verified} records verified")
    print(f"{total.kyoku} kyoku, {total.events} events, {violations} violations")
    return 1 if violations else 0


def _outcome(seed: str, players: int, number: int) -> tuple[int, FuzzedGame | str]:
    """Play the game with that number; return what was wrong with it, if anything."""
    try:
        return number, play(f"{seed}|{number}", players=players)
    except Violation as violation:
        return number, str(violation)


def _games(seed: str, players: int, jobs: int) -> Iterator[tuple[int, FuzzedGame | str]]:
    outcome = partial(_outcome, seed, players)
    if jobs == 1:
        yield from map(outcome, count())
    with ProcessPoolExecutor(jobs) as pool:
        for first in count(0, EVERY):
            yield from pool.map(outcome, range(first, first + EVERY))


if __name__ == "__main__":
    compile_first()
    sys.exit(main())
