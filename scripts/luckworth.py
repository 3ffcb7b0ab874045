"""What is it worth to take luck out? Measured on matches 1v3 that were played: docs/luck.md has the table.

python -m scripts.luckworth DIR…

Of each match, for ranks and for points: the half-width of the plain interval, and with rough and with learned luck
taken out, and what a hanchan is worth then. Then it is simulated, by matches that draw their sets from those played:
how often the interval holds the truth, how often the test of `jantaku gate` is wrong on either side, and how many
sets it needs. Learned luck must not have been fitted to these matches.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from time import process_time
from typing import NamedTuple

import click
import numpy as np

from jantaku.table.arena.match.figures.adjusted import Running, adjusted
from jantaku.table.arena.match.figures.luck import rough_luck
from jantaku.table.arena.match.figures.outlook import learned_luck, net_in
from jantaku.table.arena.match.figures.statistics import interval
from jantaku.table.arena.match.matchfile import Stop
from jantaku.table.records.journal.places import RECORDS
from jantaku.table.records.journal.read import Record, load
from scripts.intervals import EVEN, Numbers, Pool, held, match

MARGIN, MOST = 0.1, 1000
"""Ranks by which a gate's player may be worse, and most sets of a gate."""
KINDS = {"rough": 3, "learned": 1}
"""The kinds of luck, with the number of columns of each."""


class Sets(NamedTuple):
    """The sets of a match: rank and points of the challenger, then its luck of either kind, of ranks and of points."""

    name: str
    results: Numbers
    luck: dict[str, Numbers]
    seconds: dict[str, float]


@click.command(help=(__doc__ or "").splitlines()[0])
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--weights", type=click.Path(path_type=Path), help="Other weights than those that come along.")
@click.option("--sets", default=1000, show_default=True, help="Most sets to read of each match.")
@click.option("--matches", "runs", default=1000, show_default=True, help="Simulated matches of each kind.")
def main(folders: Sequence[Path], weights: Path | None, sets: int, runs: int) -> None:
    """Measure one match after another."""
    for folder in folders:
        for line in told(sets_of(folder, weights, sets), runs):
            print(line, flush=True)


def sets_of(folder: Path, weights: Path | None, most: int) -> Sets:
    """Read at most `most` wall sets. A set of which a record is missing is left out."""
    net = net_in(weights) if weights else net_in()
    rows, name = dict[int, list[list[float]]](), ""
    seconds = dict.fromkeys(KINDS, 0.0)
    for path in sorted((folder / RECORDS).glob("game-*.jsonl")):
        record = load(path)
        if record.final is None or record.number >= most:
            continue
        own = next(place for place, one in enumerate(record.names) if record.names.count(one) == 1)
        other = next(one for one in record.names if one != record.names[own])
        name, row = f"{record.names[own]} beside {other}", _result(record, own)
        for kind in KINDS:
            begun = process_time()
            luck = np.array(rough_luck(record))[own] if kind == "rough" else learned_luck(record, net)[own]
            seconds[kind] += process_time() - begun
            row += [*luck, *luck] if kind == "rough" else [*luck]
        rows.setdefault(record.number, []).append(row)
    whole = np.array([np.mean(games, 0) for games in rows.values() if len(games) == max(map(len, rows.values()))])
    luck = {"rough": whole[:, 2:8], "learned": whole[:, 8:10]}
    games = sum(map(len, rows.values()))
    return Sets(name, whole[:, :2], luck, {kind: spent / games for kind, spent in seconds.items()})


def _result(record: Record, own: int) -> list[float]:
    final = record.final
    assert final is not None and final.ranks is not None and final.tenths is not None, "our own records tell all"
    return [final.ranks[own], final.tenths[own] / 10]


def told(sets: Sets, runs: int) -> Iterator[str]:
    """Tell what was measured, a line for each figure and for each kind of luck."""
    weights, random = [1.0] * len(sets.results), np.random.default_rng(1)
    yield f"{sets.name}: {len(weights)} sets"
    for figure, unit in enumerate(("rank", "points")):
        values = sets.results[:, figure]
        plain = interval(values.tolist(), weights).half or 0.0
        yield f"  {unit}: plain ± {plain:.3f}"
        if not plain:
            continue  # all sets came out alike, or are too few
        for kind, several in KINDS.items():
            luck = sets.luck[kind] - sets.luck[kind].mean(0)
            columns = luck[:, figure * several : (figure + 1) * several].T.tolist()
            half = interval(adjusted(values.tolist(), weights, columns), weights).half or 0.0
            pool = Pool(sets.name, np.hstack([sets.results, luck])[:, None], tuple(sets.results.mean(0).tolist()))
            (share, lucky), _ = held(pool, figure, len(weights), runs, random)
            worth, cost = (plain / half) ** 2, sets.seconds[kind]
            holds = f"holds {lucky:.1%} (plain {share:.1%})"
            yield f"    {kind} ± {half:.3f}, {worth:.2f} times, {holds}, {cost:.3f} s a hanchan"
    for truth, wrong in ((EVEN + MARGIN, "H1"), (EVEN, "H0"), (float(sets.results[:, 0].mean()), "")):
        found = [gated(sets, truth, lucky, runs) for lucky in (False, True)]
        said = [f"{sum(word == wrong for word, _ in ends) / runs:.1%} {wrong or 'open'}" for ends in found]
        mean = [np.mean([count for _, count in ends]) for ends in found]
        by_rank, without = (f"{share}, {count:.0f} sets" for share, count in zip(said, mean, strict=True))
        yield f"  gate at mean rank {truth:.3f}: {by_rank}; without luck {without}"


def gated(sets: Sets, truth: float, lucky: bool, runs: int) -> list[tuple[str, int]]:
    """What gates accept, and after how many sets, where the player's mean rank is `truth`."""
    stop, random = Stop(sprt=True, rank0=EVEN + MARGIN, rank1=EVEN), np.random.default_rng(2)
    ranks = sets.results[:, 0] - sets.results[:, 0].mean() + truth
    luck = sets.luck["learned"][:, 0] - sets.luck["learned"][:, 0].mean()
    ends = []
    for _ in range(runs):
        running, drawn = Running(), random.integers(0, len(ranks), MOST)
        seen = zip(ranks[drawn].tolist(), luck[drawn].tolist(), strict=True)
        ends.append(match((running.less_luck(*one) if lucky else one[0] for one in seen), stop))
    return ends


if __name__ == "__main__":
    main()
