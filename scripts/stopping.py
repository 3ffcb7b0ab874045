"""Simulates the sequential test of `jantaku match --sprt` and `jantaku gate`: how often it is wrong, and how many sets
it needs, beside the formula of fastchess on the same sets.

    python -m scripts.stopping --runs 1000
    python -m scripts.stopping --rank0 2.6 --rank1 2.5     (the gate's test; lead 0 is an equal player)
    python -m scripts.stopping --rank0 2.6 --rank1 2.5 --match DIR…
    python -m scripts.stopping --rank0 2.6 --rank1 2.5 --apart 1.5

The mean rank of a set is drawn from a normal distribution and rounded to the possible means of four hanchan. With
--match it is drawn from the sets of matches that were played, all shifted by the same amount to the lead of the row.
With --apart all sets are exactly 2.5 except rare ones at that distance, as frequent as the lead of the row requires: a
player that plays like the others but for a rare blunder. `lead` is by how many ranks the player is better than 2.5,
negative if it is worse. `expected` is the number of sets by Wald's approximation with a known variance. fastchess has
no `least`, and takes the log likelihood ratio of the distributions with mean rank0 and rank1 that are nearest to the
observed one (M. Van den Bergh, Comments on Normalized Elo, proposition 1.1).
"""

import argparse
import math
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from jantaku.table.arena.match.figures.statistics import Mean
from jantaku.table.arena.match.figures.stops import sprt
from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.arena.match.figures.tally import mean_of
from jantaku.table.arena.match.matchfile import Stop
from jantaku.table.arena.match.records import plan_in

STOP = Stop(sprt=True)
EVEN = 2.5
LEADS = (-1.0, -0.5, -0.3, -0.2, -0.15, -0.1, -0.05, 0.0, 0.05, 0.1, 0.15, 0.2, 0.5)
OUTCOMES = np.arange(1, 4.01, 0.25)
"""Possible mean ranks of a set of four hanchan."""
HALVINGS = 50
"""Steps of the bisection: more than a double has digits."""

Numbers = npt.NDArray[np.float64]


def main() -> None:
    """Print a row for each true lead."""
    given = _arguments()
    real = np.array([rank for folder in given.match for rank in sets_of(folder)])
    stop = Stop(sprt=True, rank0=given.rank0, rank1=given.rank1)
    print(f"rank0 {stop.rank0}, rank1 {stop.rank1}, alpha {stop.alpha}, beta {stop.beta}, least {stop.least} sets")
    print(f"{'':7} {'jantaku':^32} {'Wald':>9} {'fastchess':^32}")
    heads = f"{'H0':>7} {'H1':>7} {'neither':>8} {'sets':>7}"
    print(f"{'lead':>7} {heads} {'expected':>9} {heads}")
    for lead in LEADS:
        if given.apart and abs(lead) > given.apart:
            continue
        ranks, moved = _drawn(lead, given, real)
        spread = float(real.std()) if given.match else given.spread
        if given.apart:
            spread = math.sqrt(given.apart * abs(lead) - lead**2)
        ours = _row([match(run.tolist(), stop) for run in ranks])
        theirs = _row(fastchess(ranks, stop, OUTCOMES + moved))
        wald = f"{expected(lead, spread, stop):9.1f}" if spread else f"{'–':>9}"
        print(f"{lead:+7.2f} {ours} {wald} {theirs}", flush=True)


def _drawn(lead: float, given: argparse.Namespace, real: Numbers) -> tuple[Numbers, float]:
    """Draw the mean ranks of the sets of each run; return them, and their offset from the outcomes."""
    numbers, shape = np.random.default_rng(1), (given.runs, given.most)
    if given.match:
        moved = EVEN - lead - float(real.mean())
        return numbers.choice(real, shape) + moved, moved
    if given.apart:
        rare = numbers.random(shape) < abs(lead) / given.apart
        return np.where(rare, EVEN - math.copysign(given.apart, lead), EVEN), 0.0
    drawn = numbers.normal(EVEN - lead, given.spread, shape)
    return np.clip(np.round(drawn * 4) / 4, OUTCOMES[0], OUTCOMES[-1]), 0.0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000, help="simulated matches a row (1000)")
    parser.add_argument("--spread", type=float, default=0.5, help="standard deviation of a set's mean rank (0.5)")
    parser.add_argument("--most", type=int, default=2000, help="sets after which a match is undecided (2000)")
    parser.add_argument("--rank0", type=float, default=STOP.rank0, help=f"mean rank of H0 ({STOP.rank0})")
    parser.add_argument("--rank1", type=float, default=STOP.rank1, help=f"mean rank of H1 ({STOP.rank1})")
    parser.add_argument("--apart", type=float, default=0.0, help="rare sets that far from 2.5 (0.25 to 1.5)")
    parser.add_argument("--match", type=Path, nargs="+", default=[], metavar="DIR", help="matches 1v3 that were played")
    return parser.parse_args()


def sets_of(folder: Path) -> Iterator[float]:
    """Yield the mean rank of the first player in each whole set of a match."""
    plan, ranks = plan_in(folder, whole=False), dict[int, list[float]]()
    for line in (folder / "journal.jsonl").read_bytes().splitlines()[1:]:  # the first names the plan
        hanchan = msgspec.json.decode(line, type=HanchanSummary)
        if (rank := mean_of(hanchan, plan.names[0], hanchan.ranks)) is not None:
            ranks.setdefault(hanchan.set, []).append(rank)
    yield from (sum(those) / len(those) for those in ranks.values() if len(those) == plan.set_size)


def _row(ends: list[tuple[str, int]]) -> str:
    said = [sum(word == accepted for accepted, _ in ends) / len(ends) for word in ("H0", "H1", "")]
    sets = sum(count for _, count in ends) / len(ends)
    return f"{said[0]:7.1%} {said[1]:7.1%} {said[2]:8.1%} {sets:7.1f}"


def match(ranks: Iterable[float], stop: Stop = STOP) -> tuple[str, int]:
    """Return what the test accepts for these sets, and after how many."""
    seen = Mean()
    for rank in ranks:
        seen.add(rank)
        if seen.count >= stop.least and (accepted := sprt(seen, stop).accepted):
            return accepted, seen.count
    return "", seen.count


def expected(lead: float, spread: float, stop: Stop = STOP) -> float:
    """Return the number of sets to a decision by Wald's approximation, for a player with that lead."""
    apart = stop.rank0 - stop.rank1
    lower, upper = _bounds(stop)
    drift, scale = apart * ((stop.rank0 + stop.rank1) / 2 - (EVEN - lead)) / spread**2, (apart / spread) ** 2
    if abs(drift) < 1e-12:
        return -lower * upper / scale
    power = -2 * drift / scale
    reach = (1 - math.exp(power * lower)) / (math.exp(power * upper) - math.exp(power * lower))
    return (reach * upper + (1 - reach) * lower) / drift


def _bounds(stop: Stop) -> tuple[float, float]:
    return math.log(stop.beta / (1 - stop.alpha)), math.log((1 - stop.beta) / stop.alpha)


def fastchess(ranks: Numbers, stop: Stop, outcomes: Numbers) -> list[tuple[str, int]]:
    """Do as `match` for each row of `ranks`, all among `outcomes`, by the formula of fastchess."""
    lower, upper = _bounds(stop)
    runs, most = ranks.shape
    ends = [("", most)] * runs
    seen, open_ = np.zeros((runs, len(outcomes))), np.arange(runs)
    places = np.rint((ranks - outcomes[0]) * 4).astype(int)
    for number in range(most):
        seen[open_, places[open_, number]] += 1
        ratio = llr(seen[open_], stop, outcomes)
        for run in open_[ratio >= upper]:
            ends[run] = ("H1", number + 1)
        for run in open_[ratio <= lower]:
            ends[run] = ("H0", number + 1)
        open_ = open_[(lower < ratio) & (ratio < upper)]
        if not len(open_):
            break
    return ends


def llr(seen: Numbers, stop: Stop, outcomes: Numbers) -> Numbers:
    """Return the log likelihood ratio of rank1 against rank0 for each row of counts of `outcomes`; an unseen outcome
    counts a thousandth, as in fastchess."""
    counts = np.where(seen == 0, 1e-3, seen)
    logs = [_log_weights(counts, outcomes - rank) for rank in (stop.rank0, stop.rank1)]
    ratio: Numbers = (counts * (logs[0] - logs[1])).sum(axis=1)
    return ratio


def _log_weights(counts: Numbers, away: Numbers) -> Numbers:
    """Return log(1 + theta away). The observed shares divided by exp of it have the mean from which the outcomes are
    `away`; theta solves sum(share away / (1 + theta away)) = 0 for each row, by bisection."""
    low, high = np.full(len(counts), -1 / away[-1]), np.full(len(counts), -1 / away[0])
    for _ in range(HALVINGS):
        theta = (low + high) / 2
        excess = (counts * away / (1 + theta[:, None] * away)).sum(axis=1) > 0  # it falls with theta
        low, high = np.where(excess, theta, low), np.where(excess, high, theta)
    weights: Numbers = np.log1p(((low + high) / 2)[:, None] * away)
    return weights


if __name__ == "__main__":
    main()
