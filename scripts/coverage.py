"""Do 95 % intervals cover the truth in 95 % of matches? Measured on real hanchan, plain and adjusted for luck.

    python -m scripts.coverage --hanchan 600 --matches 1000
    python -m scripts.coverage --match DIR…         (matches 1v3 that were played, besides)
    python -m scripts.coverage --hanchan 0 --forks 300

For a bot against itself the truth is known: four equal players have mean rank 2.5 and 0 points. On paired walls a bot
without chance makes every set come out at exactly 2.5, and its interval of no width always covers that. So the hanchan
are played without pairing, each on walls of its own, and every simulated match draws its sets from them, with the
challenger's seat drawn by lot. With --match simulated matches draw whole sets of a match between two bots. The truth is
then the mean of all its sets. Luck has mean zero over all possible sets, so it is shifted to mean zero over these.

With --forks that many hanchan are forked for each of --pairs. Every simulated comparison draws whole hanchan from them,
fits its own value model to them, and has the interval that `jantaku compare` prints. The truth is the estimate from all
of them: the interval covers the first order of the change, not the result of whole hanchan. For the first pair, whose
bots are equally strong, the truth of whole hanchan is known, too: zero; whether the interval of all hanchan covers it
is printed.

A row is a number of sets per match: the share of matches whose interval covers the truth, plain and adjusted for luck,
for ranks and for points, and how many plain sets one adjusted set is worth.
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from jantaku.table.arena.forks.folder import FEWEST, gain_of, judged, judged_forks
from jantaku.table.arena.forks.fork import ForkedGame
from jantaku.table.arena.forks.rollout import StandingWorth, spread_of
from jantaku.table.arena.forks.shadow import baseline_of, drawing
from jantaku.table.arena.match.conduct import conduct
from jantaku.table.arena.match.figures.luck import adjusted, luck_of
from jantaku.table.arena.match.figures.statistics import interval
from jantaku.table.arena.match.matchfile import read
from jantaku.table.arena.match.plan import MatchPlan, plan_of
from jantaku.table.arena.match.processes import Processes
from jantaku.table.arena.match.store import Store
from jantaku.table.play.spec import players_in
from jantaku.table.records.journal.lines import RECORDS
from jantaku.table.records.journal.read import load
from jantaku.table.records.journal.writer import journal_of
from jantaku.table.riichi.rules import Rules
from scripts.forks import LATE, file_of, forked, named, played

Numbers = npt.NDArray[np.float64]
SETS = (30, 60, 200)
FEW, MANY = (2, 3, 4, 5, 6, 8, 10, 20), 4000
"""Numbers of sets at which an interval could first be stated, and number of matches for each."""
FORKED = (FEWEST, 2 * FEWEST, 4 * FEWEST)
"""Hanchan of a comparison by forks; there is no interval for fewer than the first."""


SLIPPING = "scripts.planted:Slipping?arg.salt="
PAIRS = [f"{SLIPPING}a,{SLIPPING}b", f"shanten,{LATE}", "shanten,scripts.variance:Closed"]
SPREADS = (0.7, 0.85, 1.0, 1.15, 1.3)
"""Spreads of the value models by which hanchan are valued, as shares of the spread of all; gains are interpolated
between them."""


class ForkPool:
    """Forked hanchan to draw from."""

    def __init__(self, name: str, games: Sequence[ForkedGame], rules: Rules) -> None:
        self.name, self._games = name, games
        self.said = judged(games, rules).screening
        self._spreads = np.array(SPREADS) * self.said.spread
        models = [StandingWorth(rules, spread) for spread in self._spreads]
        self._gains = np.array([[gain_of(judged_forks(game, model), game.seats) for model in models] for game in games])

    def covered(self, hanchan: int, runs: int, random: np.random.Generator) -> list[float]:
        """Return the shares of simulated comparisons whose interval covers the estimate of all hanchan, for ranks and
        points."""
        hits, truth = np.zeros(2), (self.said.rank.mean, self.said.points.mean)
        for _ in range(runs):
            drawn = random.integers(0, len(self._games), hanchan)
            spread = spread_of(self._games[number].standings for number in drawn)
            for figure in (0, 1):
                values = [float(np.interp(spread, self._spreads, self._gains[one, :, figure])) for one in drawn]
                found = interval(values, [1.0] * hanchan)
                hits[figure] += abs(found.mean - truth[figure]) <= (found.half or 0.0)
        return [float(share) for share in hits / runs]


def _forked_pools(given: argparse.Namespace) -> Iterator[ForkPool]:
    for pair in given.pairs if given.forks else ():
        old, new = players_in(pair)
        a, b = drawing(old), drawing(new)
        plan = baseline_of(file_of(1, given.seed, "hanchan", (named(b, "new"), named(a, "old"))), a)
        with tempfile.TemporaryDirectory(prefix="jantaku-coverage-") as place:
            folder = Path(place) / "baseline"
            workers = partial(Processes, count=given.workers)
            played(folder, plan, given.forks, workers)
            games = sorted(forked(folder, plan, b, given.forks, workers), key=lambda one: one.game)
        pool = ForkPool(f"forks {a.label},{b.label}"[:28], games, plan.rules)
        lead, points = pool.said.rank.text(4, sign=True), pool.said.points.text(3, sign=True)
        print(f"  {pool.name}: {pool.said.share:.1%} of kyoku fork, {lead} ranks better, {points} points", flush=True)
        yield pool


class Pool(NamedTuple):
    """Sets to draw from: rank, points and luck of the challenger in each. Axes: set, possible seat, figure."""

    name: str
    samples: Numbers
    truth: tuple[float, float]


def main() -> int:
    """Play, simulate, print; return 0 if between 93 % and 97 % of all intervals cover the truth."""
    given = _arguments()
    random, good = np.random.default_rng(given.seed), True
    if given.few:
        return _few(given, random)
    print(
        f"{'sets of':28} {'sets':>5} {'rank':>7} {'no luck':>8} {'worth':>6} {'points':>7} {'no luck':>8} {'worth':>6}"
    )
    for forks in _forked_pools(given):
        for hanchan in FORKED:
            found = forks.covered(hanchan, given.matches, random)
            good &= all(0.93 <= share <= 0.97 for share in found)
            row = [f"{share:7.1%} {'-':>8} {'-':>6}" for share in found]
            print(f"{forks.name:28} {hanchan:5} {' '.join(row)}", flush=True)
    for pool in _pools(given):
        for sets in SETS:
            row = []
            for figure in (0, 1):
                shares, worth = covered(pool, figure, sets, given.matches, random)
                row.append(f"{shares[0]:7.1%} {shares[1]:8.1%} {worth:6.2f}")
                good &= all(0.93 <= share <= 0.97 for share in shares)
            print(f"{pool.name:28} {sets:5} {' '.join(row)}", flush=True)
    return 0 if good else 1


def _few(given: argparse.Namespace, random: np.random.Generator) -> int:
    """Print how good t intervals of few sets would be: how often they cover the truth, and how often they have no
    width."""
    for pool in _pools(given):
        for sets in FEW:
            drawn = pool.samples[random.integers(0, len(pool.samples), (MANY, sets)), 0, :2]
            reach = stats.t.ppf(0.975, sets - 1) * drawn.std(axis=1, ddof=1) / sets**0.5
            held = (abs(drawn.mean(axis=1) - pool.truth) <= reach).mean(axis=0)
            alike = (np.ptp(drawn, axis=1) == 0).mean(axis=0)
            print(f"{pool.name:28} {sets:5} {held[0]:7.1%} alike {alike[0]:6.1%} points {held[1]:7.1%}", flush=True)
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hanchan", type=int, default=600)
    parser.add_argument("--matches", type=int, default=1000, help="simulated matches a row (1000)")
    parser.add_argument("--few", action="store_true", help="only what intervals of few sets would be worth")
    parser.add_argument("--player", default="shanten")
    parser.add_argument("--match", type=Path, nargs="+", default=[], metavar="DIR")
    parser.add_argument("--forks", type=int, default=0, help="hanchan to fork of each of --pairs (0)")
    parser.add_argument("--pairs", nargs="+", default=PAIRS, metavar="A,B")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=2)
    return parser.parse_args()


def covered(
    pool: Pool, figure: int, sets: int, matches: int, random: np.random.Generator
) -> tuple[tuple[float, float], float]:
    """Return the shares of simulated matches whose interval covers the truth, plain and adjusted, and the worth of an
    adjusted set."""
    hits, squares = np.zeros(2), np.zeros(2)
    weights = [1.0] * sets
    for _ in range(matches):
        drawn = pool.samples[
            random.integers(0, len(pool.samples), sets), random.integers(0, pool.samples.shape[1], sets)
        ]
        values = drawn[:, figure].tolist()
        for number, used in enumerate((values, adjusted(values, weights, drawn[:, 2:].T.tolist()))):
            found = interval(used, weights)
            assert found.half is not None
            hits[number] += abs(found.mean - pool.truth[figure]) <= found.half
            squares[number] += found.half**2
    shares = hits / matches
    return (float(shares[0]), float(shares[1])), float(squares[0] / squares[1])


def _pools(given: argparse.Namespace) -> Iterator[Pool]:
    if given.hanchan:
        yield Pool(f"{given.player} against itself", _played(given), (2.5, 0.0))
    for folder in given.match:
        sets = _sets_in(folder)
        sets[:, :, 2:] -= sets[:, :, 2:].mean(axis=(0, 1))
        rank, points = sets[:, :, :2].mean(axis=(0, 1)).tolist()
        yield Pool(folder.name[-28:], sets, (rank, points))


def _played(given: argparse.Namespace) -> Numbers:
    """Play real hanchan of a bot against itself, each on walls of its own."""
    flags: dict[str, Any] = {"format": "1v3", "players": [given.player] * 2, "seed": given.seed, "seatings": "one"}
    flags |= {"sets": given.hanchan, "threads": "inline"}
    plan = plan_of(read(None, {f"match.{key}": value for key, value in flags.items()}))
    with tempfile.TemporaryDirectory(prefix="jantaku-coverage-") as place:
        store = Store.create(Path(place) / "match", plan)
        try:
            conduct(store, Processes(plan, store.places, given.workers), lambda progress: None)
            return np.array([rows for _, _, rows in _hanchan_in(store)])
        finally:
            store.close()


def _sets_in(folder: Path) -> Numbers:
    """Return the sets of a match 1v3, as if the challenger had one seat in each: the means over its hanchan."""
    store, found = Store.resume(folder), dict[int, list[Numbers]]()
    try:
        for number, players, rows in _hanchan_in(store):
            found.setdefault(number, []).append(rows[players.index(store.plan.names[0])])
    finally:
        store.close()
    return np.array([[np.mean(those, axis=0)] for those in found.values()])


def _hanchan_in(store: Store[MatchPlan]) -> Iterator[tuple[int, tuple[str, ...], Numbers]]:
    """Yield set, players, and by place rank, points and luck, for every hanchan with a result."""
    for line in store.lines():
        if line.ended:
            luck = luck_of(load(journal_of(store.folder / RECORDS, line.game)))
            yield line.set, line.players, np.array([line.ranks, line.points, *zip(*luck, strict=True)]).T


if __name__ == "__main__":
    sys.exit(main())
