"""Do intervals and tests hold what they promise? Simulated where the truth is known: docs/statistics.md says how well.

python -m scripts.intervals matches --hanchan 600
python -m scripts.intervals matches --hanchan 0 --few --match DIR…
python -m scripts.intervals forks --hanchan 300
python -m scripts.intervals looks
python -m scripts.intervals gate --rank0 2.6 --rank1 2.5
"""

import math
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec
import numpy as np
import numpy.typing as npt
from scipy import stats

from jantaku.table.arena.forks.course import baseline_of, drawing
from jantaku.table.arena.forks.fork import ForkedGame
from jantaku.table.arena.forks.gains import FEWEST, gain_of, judged, judged_forks
from jantaku.table.arena.forks.jobs import ForkedHanchan, ForkWork
from jantaku.table.arena.match.conduct import conduct
from jantaku.table.arena.match.executors import Here
from jantaku.table.arena.match.figures.adjusted import adjusted
from jantaku.table.arena.match.figures.looks import Looks, squared_half
from jantaku.table.arena.match.figures.luck import luck_of
from jantaku.table.arena.match.figures.statistics import Mean, interval
from jantaku.table.arena.match.figures.stops import FARTHEST_SET, Stopping, sprt
from jantaku.table.arena.match.matchfile import Match, MatchFile, Stop, read
from jantaku.table.arena.match.plan import MatchPlan, plan_of
from jantaku.table.arena.match.records import places_in
from jantaku.table.arena.match.store import Store
from jantaku.table.judge.mode import Mode
from jantaku.table.play.seating.spec import Terms, players_in
from jantaku.table.records.journal.places import RECORDS
from jantaku.table.records.journal.read import load
from jantaku.table.records.journal.writer import journal_of
from jantaku.table.riichi.flow.worth import StandingWorth, spread_of
from jantaku.table.riichi.rules import Rules

Numbers = npt.NDArray[np.float64]
EVEN = 2.5
"""Mean rank of a player among equals."""
GOOD = (0.93, 0.97)
"""Shares of 95 % intervals that hold the truth, within which all is as it should be."""


@click.group(help=(__doc__ or "").splitlines()[0])
def main() -> None:
    """Choose what is simulated."""


def ended(shares: Iterable[float]) -> None:
    """End with exit code 1 if one of the shares is not as it should be."""
    sys.exit(0 if all(GOOD[0] <= share <= GOOD[1] for share in shares) else 1)


def played(folder: Path, plan: MatchPlan, sets: int) -> None:
    with closing(Store.create(folder, plan)) as store:
        conduct(store, Here(plan, store.places), Stopping(store.plan, sets))


# --- one look at the end

SETS = (30, 60, 200)
FEW, MANY = (2, 3, 4, 5, 6, 8, 10, 20), 4000
"""Numbers of sets at which an interval could first be stated, and number of matches for each."""


class Pool(NamedTuple):
    """Sets to draw from: rank, points and luck of the challenger in each. Axes: set, possible seat, figure."""

    name: str
    samples: Numbers
    truth: tuple[float, float]


@main.command()
@click.option("--hanchan", default=600, show_default=True, help="Of a player against itself.")
@click.option("--matches", "runs", default=1000, show_default=True, help="Simulated matches a row.")
@click.option("--few", is_flag=True, help="Only what intervals of few sets would be worth.")
@click.option("--player", default="shanten", show_default=True)
@click.option("--match", "folders", type=click.Path(path_type=Path), multiple=True, help="A match 1v3 that was played.")
@click.option("--seed", default=1, show_default=True)
def matches(hanchan: int, runs: int, few: bool, player: str, folders: Sequence[Path], seed: int) -> None:
    """How often the intervals of a match hold the truth, plain and adjusted for luck, for ranks and for points.

    For a bot against itself the truth is known: four equal players have mean rank 2.5 and 0 points. On paired walls a
    bot without chance makes every set come out at exactly 2.5, and its interval of no width always covers that. So the
    hanchan are played on walls of their own, and every simulated match draws its sets from them, with the challenger's
    seat drawn by lot. With --match simulated matches draw whole sets of a match between two bots; the truth is the mean
    of all its sets. Luck has mean zero over all possible sets, so it is shifted to mean zero over these.
    """
    random, shares = np.random.default_rng(seed), list[float]()
    for pool in _pools(hanchan, player, folders, seed):
        if few:
            _few(pool, random)
            continue
        for sets in SETS:
            row = []
            for figure in (0, 1):
                (plain, lucky), worth = held(pool, figure, sets, runs, random)
                row.append(f"{plain:7.1%} without luck {lucky:6.1%} worth {worth:.2f}")
                shares += plain, lucky
            print(f"{pool.name:28} {sets:5} rank {row[0]}  points {row[1]}", flush=True)
    ended(shares)


def _few(pool: Pool, random: np.random.Generator) -> None:
    for sets in FEW:
        drawn = pool.samples[random.integers(0, len(pool.samples), (MANY, sets)), 0, :2]
        reach = stats.t.ppf(0.975, sets - 1) * drawn.std(axis=1, ddof=1) / sets**0.5
        found = (abs(drawn.mean(axis=1) - pool.truth) <= reach).mean(axis=0)
        alike = (np.ptp(drawn, axis=1) == 0).mean(axis=0)
        print(f"{pool.name:28} {sets:5} {found[0]:7.1%} alike {alike[0]:6.1%} points {found[1]:7.1%}", flush=True)


def held(
    pool: Pool, figure: int, sets: int, runs: int, random: np.random.Generator
) -> tuple[tuple[float, float], float]:
    """Return the shares of simulated matches whose interval holds the truth, plain and adjusted, and the worth of an
    adjusted set."""
    hits, squares = np.zeros(2), np.zeros(2)
    weights = [1.0] * sets
    for _ in range(runs):
        drawn = pool.samples[
            random.integers(0, len(pool.samples), sets), random.integers(0, pool.samples.shape[1], sets)
        ]
        values, luck = drawn[:, figure].tolist(), np.split(drawn[:, 2:], 2, axis=1)[figure]
        for number, used in enumerate((values, adjusted(values, weights, luck.T.tolist()))):
            found = interval(used, weights)
            assert found.half is not None
            hits[number] += abs(found.mean - pool.truth[figure]) <= found.half
            squares[number] += found.half**2
    shares = hits / runs
    return (float(shares[0]), float(shares[1])), float(squares[0] / squares[1])


def _pools(hanchan: int, player: str, folders: Sequence[Path], seed: int) -> Iterator[Pool]:
    if hanchan:
        flags: dict[str, Any] = {"format": "1v3", "players": [player] * 2, "seed": seed, "seatings": "one"}
        flags |= {"sets": hanchan, "threads": "inline"}
        plan = plan_of(read(None, {f"match.{key}": value for key, value in flags.items()}))
        with tempfile.TemporaryDirectory(prefix="jantaku-intervals-") as place:
            folder = Path(place) / "match"
            played(folder, plan, hanchan)
            rows = np.array([rows for _, _, rows in _hanchan_in(folder)])
        yield Pool(f"{player} against itself", rows, (EVEN, 0.0))
    for folder in folders:
        found = dict[int, list[Numbers]]()
        for number, mine, rows in _hanchan_in(folder):
            found.setdefault(number, []).append(rows[mine])
        sets = np.array([[np.mean(those, axis=0)] for those in found.values()])
        sets[:, :, 2:] -= sets[:, :, 2:].mean(axis=(0, 1))
        rank, points = sets[:, :, :2].mean(axis=(0, 1)).tolist()
        yield Pool(folder.name[-28:], sets, (rank, points))


def _hanchan_in(folder: Path) -> Iterator[tuple[int, int, Numbers]]:
    """Yield set, place of the first player, and by place rank, points and luck, for every hanchan with a result."""
    with closing(Store.resume(folder)) as store:
        for line in store.lines():
            if line.ended:
                luck = [one.rank + one.points for one in luck_of(load(journal_of(store.folder / RECORDS, line.game)))]
                mine = line.players.index(store.plan.names[0])
                yield line.set, mine, np.array([line.ranks, line.points, *zip(*luck, strict=True)]).T


# --- forks

FORKED = (FEWEST, 2 * FEWEST, 4 * FEWEST)
"""Hanchan of a comparison by forks; there is no interval for fewer than the first."""
SLIPPING = "scripts.planted:Slipping?arg.salt="
PAIRS = (f"{SLIPPING}a,{SLIPPING}b", "shanten,scripts.planted:Late?arg.tiles=5", "shanten,scripts.planted:Closed")
SPREADS = (0.7, 0.85, 1.0, 1.15, 1.3)
"""Spreads of the value models by which hanchan are valued, as shares of the spread of all; gains are interpolated
between them."""
NO_CONTROL = 1_000_000


class ForkPool:
    def __init__(self, games: Sequence[ForkedGame], rules: Rules) -> None:
        self._games = games
        self.said = judged(games, rules).screening
        self._spreads = np.array(SPREADS) * self.said.spread
        models = [StandingWorth(rules, spread) for spread in self._spreads]
        self._gains = np.array([[gain_of(judged_forks(game, model), game.seats) for model in models] for game in games])

    def held(self, hanchan: int, runs: int, random: np.random.Generator) -> list[float]:
        """Return the shares of simulated comparisons whose interval holds the estimate of all hanchan, for ranks and
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


@main.command()
@click.option("--hanchan", default=300, show_default=True, help="Hanchan to fork of each pair.")
@click.option("--matches", "runs", default=4000, show_default=True, help="Simulated comparisons a row.")
@click.option("--pair", "pairs", multiple=True, default=PAIRS, show_default=True, help="A,B")
@click.option("--seed", default=1, show_default=True)
def forks(hanchan: int, runs: int, pairs: Sequence[str], seed: int) -> None:
    """How often the intervals of a comparison by forks hold the truth.

    Every simulated comparison draws whole hanchan from those that were forked, fits its own value model to them, and
    has the interval that `jantaku compare` prints. The truth is the estimate from all of them: the interval covers the
    first order of the change, not the result of whole hanchan. For the first pair, whose bots are equally strong, that
    is known, too: zero; whether the interval of all hanchan covers it is printed.
    """
    random, shares = np.random.default_rng(seed), list[float]()
    for pair in pairs:
        pool = _forked(pair, hanchan, seed)
        lead, points = pool.said.rank.text(4, sign=True), pool.said.points.text(3, sign=True)
        print(f"{pair}: {pool.said.share:.1%} of kyoku fork, {lead} ranks better, {points} points", flush=True)
        for count in FORKED:
            found = pool.held(count, runs, random)
            shares += found
            print(f"  {count:5} rank {found[0]:.1%} points {found[1]:.1%}", flush=True)
    ended(shares)


def _forked(pair: str, hanchan: int, seed: int) -> ForkPool:
    a, b = (drawing(player) for player in players_in(pair))
    threads = Mode.RESIDENT if a.scheme or b.scheme else Mode.INLINE
    names: tuple[Terms, ...] = (msgspec.structs.replace(b, name="new"), msgspec.structs.replace(a, name="old"))
    match = Match(format="1v3", sets=1, seed=seed, threads=threads)
    plan = baseline_of(MatchFile(match=match, player=names), a)
    with tempfile.TemporaryDirectory(prefix="jantaku-intervals-") as place:
        folder = Path(place) / "baseline"
        played(folder, plan, hanchan)
        work = ForkWork(b, folder / RECORDS, NO_CONTROL)
        done = Here(plan, places_in(folder, plan), opened=work).run(plan.jobs(hanchan))
        games = [one.forked for one in done if isinstance(one, ForkedHanchan)]
    assert all(games), "bots of ours finish their games"
    return ForkPool(sorted((one for one in games if one), key=lambda one: one.game), plan.rules)


# --- looking while it runs

WIDTHS = (0.15, 0.1, 0.05)
RARE, SPREAD = (0.01, 0.03, 0.07), (0.2, 0.35, 0.45, 0.6)


class SeenMatches:
    """Simulated matches, one per row, with their means after every set."""

    def __init__(self, ranks: Numbers, truth: float) -> None:
        self._sets = np.arange(1, ranks.shape[1] + 1)
        means = np.cumsum(ranks, axis=1) / self._sets
        self._spread = np.maximum(np.cumsum(ranks**2, axis=1) - self._sets * means**2, 0.0)
        self._away = np.abs(means - truth) - 1e-9

    def halves(self, looks: Looks) -> Numbers:
        """Return the half-widths after every set, infinite where there is no interval."""
        kept = np.full(self._away.shape, np.inf)
        for sets in self._sets:
            # The squared half-width is linear in D, so D = 0 and D = 1 determine it.
            none, one = (squared_half(looks, int(sets), spread, FARTHEST_SET) for spread in (0.0, 1.0))
            if none is not None and one is not None:
                kept[:, sets - 1] = np.sqrt(none + (one - none) * self._spread[:, sets - 1])
        return kept

    def missed(self, half: Numbers, first: int) -> float:
        """Return the share of matches in which any look, from that set on, misses the truth."""
        return float((self._away > half)[:, first - 1 :].any(axis=1).mean())

    def ended(self, half: Numbers, width: float, least: int = 20) -> tuple[float, float]:
        """Return the share of matches that miss the truth at their end, when they are that narrow, and the mean number
        of sets."""
        narrow = (half <= width) & (self._sets >= least)
        ends = np.where(narrow.any(axis=1), narrow.argmax(axis=1), len(self._sets) - 1)
        rows = np.arange(len(ends))
        return float((self._away[rows, ends] > half[rows, ends]).mean()), float(ends.mean() + 1)


def steps_of(ranks: Numbers) -> Numbers:
    """Return mean ranks as sets of four hanchan have them."""
    return np.clip(np.round(ranks * 4) / 4, 1, 4)


@main.command()
@click.option("--runs", default=2000, show_default=True, help="Simulated matches a row.")
@click.option("--sets", default=1000, show_default=True, help="Sets of each, with a look after each.")
@click.option("--first", default=20, show_default=True, help="Sets before the first look at the t interval.")
def looks(runs: int, sets: int, first: int) -> None:
    """How often an interval misses the truth, if somebody looks at a match after every set.

    `t` is the share of matches in which the t interval misses the truth at any look; `any` the same for `Looks.ANY`.
    For every width, with t and with `Looks.WIDTH`: the share of matches that end with an interval that misses the
    truth, if a match ends as soon as it is that narrow, and the mean number of sets. `wide` is by how
    many times the half-width of `Looks.ANY` exceeds t's after all sets.
    """
    random = np.random.default_rng(1)
    kinds = [(f"spread {one}", steps_of(random.normal(EVEN, one, (runs, sets))), EVEN) for one in SPREAD]
    for share in RARE:
        ranks = np.where(random.random((runs, sets)) < share, EVEN + FARTHEST_SET, EVEN)
        kinds.append((f"last four times in {share:.0%}", ranks, EVEN + FARTHEST_SET * share))
    widths = "".join(f"{f'± {width}: t':>12} {'sets':>5} {'width':>6} {'sets':>5}" for width in WIDTHS)
    print(f"{'sets':24} {'t':>6} {'any':>6} {'wide':>6}{widths}")
    for name, ranks, truth in kinds:
        seen = SeenMatches(ranks, truth)
        once, everywhere = (seen.halves(looks) for looks in (Looks.ONCE, Looks.ANY))
        wide = float(np.mean(everywhere[:, -1]) / np.mean(once[:, -1]))
        ends = [seen.ended(half, width) for width in WIDTHS for half in (once, seen.halves(Looks.WIDTH))]
        told = "".join(f"{error:{7 if n % 2 else 12}.1%} {count:5.0f}" for n, (error, count) in enumerate(ends))
        print(f"{name:24} {seen.missed(once, first):6.1%} {seen.missed(everywhere, 1):6.1%} {wide:6.2f}{told}")


# --- the sequential test

STOP = Stop(sprt=True)
LEADS = (-1.0, -0.5, -0.3, -0.2, -0.15, -0.1, -0.05, 0.0, 0.05, 0.1, 0.15, 0.2, 0.5)


@main.command()
@click.option("--runs", default=1000, show_default=True, help="Simulated matches a row.")
@click.option("--spread", default=0.5, show_default=True, help="Standard deviation of a set's mean rank.")
@click.option("--most", default=2000, show_default=True, help="Sets after which a match is undecided.")
@click.option("--rank0", default=STOP.rank0, show_default=True, help="Mean rank of H0.")
@click.option("--rank1", default=STOP.rank1, show_default=True, help="Mean rank of H1.")
@click.option("--apart", default=0.0, help="All sets are even but rare ones that far from it, 0.25 to 1.5.")
def gate(runs: int, spread: float, most: int, rank0: float, rank1: float, apart: float) -> None:
    """How often the sequential test of `jantaku match --sprt` and `jantaku gate` is wrong, and how many sets it needs.

    `lead` is by how many ranks the player is better than 2.5. `expected` is the number of sets by Wald's approximation
    with a known variance.
    """
    stop = Stop(sprt=True, rank0=rank0, rank1=rank1)
    print(f"{'lead':>7} {'H0':>7} {'H1':>7} {'neither':>8} {'sets':>7} {'expected':>9}")
    for lead in (one for one in LEADS if not apart or abs(one) <= apart):
        random = np.random.default_rng(1)
        if apart:
            rare = random.random((runs, most)) < abs(lead) / apart
            ranks = np.where(rare, EVEN - math.copysign(apart, lead), EVEN)
            spread = math.sqrt(apart * abs(lead) - lead**2)
        else:
            ranks = steps_of(random.normal(EVEN - lead, spread, (runs, most)))
        ends = [match(run.tolist(), stop) for run in ranks]
        said = [sum(word == accepted for accepted, _ in ends) / runs for word in ("H0", "H1", "")]
        sets = sum(count for _, count in ends) / runs
        wald = f"{expected(lead, spread, stop):9.1f}" if spread else f"{'–':>9}"
        print(f"{lead:+7.2f} {said[0]:7.1%} {said[1]:7.1%} {said[2]:8.1%} {sets:7.1f} {wald}", flush=True)


def match(ranks: Iterable[float], stop: Stop = STOP) -> tuple[str, int]:
    """Return what the test accepts for these sets, and after how many."""
    seen = Mean()
    for rank in ranks:
        seen.add(rank)
        if seen.count >= stop.least and (accepted := sprt(seen, stop).accepted):
            return accepted, seen.count
    return "", seen.count


def expected(lead: float, spread: float, stop: Stop) -> float:
    """Return the number of sets to a decision by Wald's approximation, for a player with that lead."""
    apart = stop.rank0 - stop.rank1
    lower, upper = math.log(stop.beta / (1 - stop.alpha)), math.log((1 - stop.beta) / stop.alpha)
    drift, scale = apart * ((stop.rank0 + stop.rank1) / 2 - (EVEN - lead)) / spread**2, (apart / spread) ** 2
    if abs(drift) < 1e-12:
        return -lower * upper / scale
    power = -2 * drift / scale
    reach = (1 - math.exp(power * lower)) / (math.exp(power * upper) - math.exp(power * lower))
    return (reach * upper + (1 - reach) * lower) / drift


if __name__ == "__main__":
    main()
