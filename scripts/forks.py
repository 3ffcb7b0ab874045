"""Measures what forks are worth: for pairs of different closeness, the cost of a comparison by plain games, by paired
walls, by forks, and by forks of existing games; and the cost of `jantaku compare` as a whole.

    python -m scripts.forks --hanchan 200 --sets 50
    python -m scripts.forks --programs --hanchan 8 --sets 6 --length tonpu    (majiang-ai, which scripts/test installs)
    python -m scripts.forks --whole --pairs shanten,caller --ci 0.05 --sets 400

`cost` is CPU seconds, programs' included, times the square of the half-width of the mean rank: the cost of a half-width
of one rank. `cheaper` is the ratio to the cost by paired walls, and by plain games. Everything is played here in one
process, so that the seconds are comparable. "no luck" adjusts the same match for luck, as `jantaku stats --luck` does
(from 30 sets on), and counts the cost of that. Programs are slow: with --programs the games of the paired match serve
as plain games, as if each had walls of its own.

With --whole the two commands run one after the other, as a user would run them: `jantaku compare A B`, and a match of B
among three of A on paired walls, both until the half-width is --ci.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
from scipy import stats

from jantaku.table.arena.forks.folder import Judged, judged
from jantaku.table.arena.forks.fork import ForkedGame, ForkedHanchan, ForkWork
from jantaku.table.arena.forks.shadow import baseline_of, drawing
from jantaku.table.arena.match.conduct import conduct
from jantaku.table.arena.match.figures.luck import FEWEST, LuckTally, luck_of
from jantaku.table.arena.match.figures.statistics import Interval, interval
from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.arena.match.hanchan import Executor, Here
from jantaku.table.arena.match.matchfile import Match, MatchFile
from jantaku.table.arena.match.plan import MatchPlan, plan_of
from jantaku.table.arena.match.records import places_in
from jantaku.table.arena.match.store import Store
from jantaku.table.ground.clock import cpu_in_all
from jantaku.table.judge.turn.responses import Mode
from jantaku.table.play.spec import Terms, players_in, terms_of
from jantaku.table.records.journal.lines import RECORDS
from jantaku.table.records.journal.read import load
from jantaku.table.records.journal.writer import journal_of
from jantaku.table.riichi import ruleset
from scripts.league import ADAPTER, NODE, PEER

NO_CONTROL = 1_000_000
LATE = "scripts.planted:Late?arg.tiles=5"
PAIRS = (f"shanten,{LATE}", "shanten,scripts.variance:Closed", "shanten,caller")
LATE_NODE = f"exec:node {ADAPTER} {Path(__file__).parent / 'late_ai.js'}?name=late-ai&cwd={PEER.parent}"
PROGRAM_PAIRS = (f"{NODE},{LATE_NODE}", f"shanten,{NODE}")


class Row(NamedTuple):
    """One way to compare: the lead it found, and its CPU seconds."""

    lead: Interval
    seconds: float

    @property
    def cost(self) -> float:
        """CPU seconds for a half-width of one rank."""
        return self.seconds * (self.lead.half or 0.0) ** 2


def main() -> None:
    """Compare every pair in all ways and print the table."""
    given = _arguments()
    measured = _whole if given.whole else _measured
    print(
        f"{'pair':34} {'way':16} {'lead':>18} {'CPU s':>8} {'cost':>9} {'cheaper than paired':>20} {'than plain':>11}"
    )
    for pair in given.pairs or (PROGRAM_PAIRS if given.programs else PAIRS):
        a, b = players_in(pair)
        both = ",".join(terms_of(player).label for player in (a, b))
        with tempfile.TemporaryDirectory(prefix="jantaku-forks-") as place:
            ways = measured(Path(place), given, a, b)
        for name, row in ways.items():
            others = (ways.get(other) for other in ("paired", "plain"))
            worth = [f"{other.cost / row.cost:.2f}" if other and row.cost else "-" for other in others]
            lead = row.lead.text(4, sign=True)
            print(f"{both:34} {name:16} {lead:>18} {row.seconds:8.1f} {row.cost:9.4f} {worth[0]:>20} {worth[1]:>11}")
        sys.stdout.flush()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hanchan", type=int, default=200, help="hanchan to fork")
    parser.add_argument("--sets", type=int, default=50, help="wall sets of the paired match; plain games are as many")
    parser.add_argument("--length", default="hanchan")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=1, help="with --whole: so many seeds, their seconds added up")
    parser.add_argument("--ci", type=float, default=0.05, help="with --whole: the half-width at which both end")
    parser.add_argument("--pairs", nargs="+", help="A,B each")
    parser.add_argument("--programs", action="store_true", help="the pairs with majiang-ai")
    parser.add_argument("--whole", action="store_true", help="jantaku compare against jantaku match")
    return parser.parse_args()


# --- way by way, in this process


def _measured(place: Path, given: argparse.Namespace, old: str, new: str) -> dict[str, Row]:
    a, b = drawing(old), drawing(new)
    file = file_of(given.sets, given.seed, given.length, (named(b, "new"), named(a, "old")))
    ways = _match(place / "paired", file, "paired")
    if given.programs:
        ways["plain"] = Row(_singly(place / "paired"), ways["paired"].seconds)
    else:
        alone = msgspec.structs.replace(file.match, sets=given.sets * 4, seatings="one")
        ways |= _match(place / "plain", msgspec.structs.replace(file, match=alone), "plain")
    plan = baseline_of(file, a)
    folder = place / "baseline"
    games = _seconds(lambda: played(folder, plan, given.hanchan))
    found: list[ForkedGame] = []
    forks = _seconds(lambda: found.extend(forked(folder, plan, b, given.hanchan, Here)))
    said = judged(found, plan.rules)
    _tell(said)
    lead = said.screening.rank
    return ways | {"forks": Row(lead, games + forks), "forks, stored": Row(lead, forks)}


def file_of(sets: int, seed: int, length: str, players: tuple[Terms, ...]) -> MatchFile:
    """Return the match in which the first player meets three of the second."""
    threads = Mode.RESIDENT if any(player.scheme for player in players) else Mode.INLINE
    rules = ruleset.with_settings(MatchFile().rules, {"game.length": length})
    match = Match(format="1v3", sets=sets, seed=seed, threads=threads)
    return MatchFile(match=match, player=players, rules=rules)


def named(terms: Terms, name: str) -> Terms:
    """Return the same player under another name."""
    return msgspec.structs.replace(terms, name=name)


def _match(folder: Path, file: MatchFile, name: str) -> dict[str, Row]:
    """Return the lead of the first player in a match (by how much its mean rank is better than 2.5), plain and adjusted
    for luck."""
    plan = plan_of(file)
    seconds = _seconds(lambda: played(folder, plan, plan.sets))
    tally = LuckTally()

    def adjust() -> None:
        for line in _lines(folder):
            tally.add(line, luck_of(load(journal_of(folder / RECORDS, line.game))))

    if plan.sets < FEWEST:
        return {name: Row(_singly(folder, plan.set_size), seconds)}
    more = _seconds(adjust)
    found = tally.figures(plan.names).players[0]
    plain, without = (Interval(2.5 - rank.mean, rank.half) for rank in (found.rank, found.rank_adjusted))
    return {name: Row(plain, seconds), f"{name}, no luck": Row(without, seconds + more)}


def _singly(folder: Path, games: int = 1) -> Interval:
    """Return the lead of the first player, with `games` consecutive games as the unit."""
    ranks = np.array([line.ranks[line.players.index("new")] for line in _lines(folder)], float)
    units = 2.5 - ranks.reshape(-1, games).mean(axis=1)
    return interval(units.tolist(), [1.0] * len(units))


def _lines(folder: Path) -> list[HanchanSummary]:
    with closing(Store.resume(folder)) as store:
        lines = sorted(store.lines(), key=lambda line: line.game)
    assert all(line.ended for line in lines), "bots of ours finish their games"
    return lines


def played(folder: Path, plan: MatchPlan, sets: int, executor: Callable[..., Executor] = Here) -> None:
    """Play the first sets of a match."""
    with closing(Store.create(folder, plan)) as store:
        conduct(store, executor(plan, store.places), lambda progress: None, sets=sets)


def forked(
    folder: Path, plan: MatchPlan, b: Terms, hanchan: int, executor: Callable[..., Executor]
) -> Iterator[ForkedGame]:
    """Fork the first hanchan of the baseline in that folder with `b`."""
    work = ForkWork(b, folder / RECORDS, NO_CONTROL)
    for one in executor(plan, places_in(folder, plan), opened=work).run(plan.jobs(hanchan)):
        assert isinstance(one, ForkedHanchan) and one.forked is not None, "bots of ours finish their games"
        yield one.forked


def _tell(said: Judged) -> None:
    """Print how often the candidate differs, and how much of the variance between hanchan comes from the walls of
    forks: no more could be removed by luck adjustment."""
    found = said.screening
    gains, walls = defaultdict[int, float](float), 0.0
    for one in said.decisions:
        gains[one.game] += one.rank / 4
        if one.half is not None:
            walls += (one.half / float(stats.t.ppf(0.975, one.walls - 1)) / 4) ** 2
    every = [*gains.values(), *[0.0] * (found.hanchan - len(gains))]
    share = walls / found.hanchan / float(np.var(every, ddof=1)) if len(gains) > 1 else 0.0
    print(
        f"  {found.share:.1%} of kyoku fork, {found.walls / found.hanchan:.1f} walls and "
        f"{found.asked / found.hanchan:.0f} answers a hanchan; {share:.0%} of the variance is that of walls",
        flush=True,
    )


def _seconds(work: Callable[[], object]) -> float:
    began = cpu_in_all()
    work()
    return cpu_in_all() - began


# --- the commands as a person gives them


def _whole(place: Path, given: argparse.Namespace, a: str, b: str) -> dict[str, Row]:
    """Run both commands once for every seed; return mean leads, mean squared half-widths, and summed seconds."""
    runs: dict[str, list[Row]] = {"paired": [], "compare": []}
    for seed in range(given.seed, given.seed + given.seeds):
        common = ["--until", f"ci={given.ci}", "--sets", str(given.sets), "--length", given.length, "--json"]
        common += ["--seed", str(seed), "--workers", "1"]
        found, spent = _ran("compare", a, b, "--out", f"{place}/c{seed}", *common)
        match = found["confirmation"]
        runs["compare"].append(Row(_lead(match) if match else Interval(**found["screening"]["rank"]), spent))
        threads = [] if any(terms_of(one).scheme for one in (a, b)) else ["--threads", "inline"]
        seats = ["--format", "1v3", "--players", f"{b},{a}", *threads]
        found, spent = _ran("match", *seats, "--out", f"{place}/m{seed}", *common)
        runs["paired"].append(Row(_lead(found["results"]), spent))
    return {name: _added(rows) for name, rows in runs.items()}


def _ran(*words: str) -> tuple[Any, float]:
    """Run a command; return its result, and its CPU seconds."""
    began = cpu_in_all()
    done = subprocess.run([sys.executable, "-m", "jantaku", *words], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout), cpu_in_all() - began


def _lead(results: Any) -> Interval:
    rank = results["figures"]["players"][0]["rank"]
    return Interval(2.5 - rank["mean"], rank["half"])


def _added(rows: Sequence[Row]) -> Row:
    """Return their mean lead, with the root of the mean squared half-width."""
    halves = [row.lead.half or 0.0 for row in rows]
    mean = float(np.mean([row.lead.mean for row in rows]))
    return Row(Interval(mean, float(np.sqrt(np.mean(np.square(halves))))), sum(row.seconds for row in rows))


if __name__ == "__main__":
    main()
