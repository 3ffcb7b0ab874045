"""Measure what forks are worth: for pairs of different closeness, what a comparison costs by plain games, by paired
walls, by forks, and by forks of games that are there already.

    python -m scripts.forks --hanchan 200 --sets 50

`cost` is CPU seconds times the square of the half-width of the mean rank: what it would take for a half-width of one
rank. `cheaper` says how many times less than by paired walls, and than by plain games. All of it is played here in one
process, so that the seconds are comparable.
"""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from players.bots.shanten import Shanten
from table.clock import cpu_of_all
from table.forks.baseline import baseline_of, drawing
from table.forks.job import ForkedHanchan, ForkWork
from table.forks.screening import judged
from table.judge.turn.way import Mode
from table.match.conduct import conduct
from table.match.figures.statistics import Interval
from table.match.folder.hidden import RECORDS, places_in
from table.match.folder.store import Store
from table.match.plan.matchfile import Match, MatchFile
from table.match.plan.plan import MatchPlan, plan_of
from table.match.workers.executor import Here
from table.port import Action, Question
from table.riichi.actions import Discard
from table.seating.spec import Terms

NO_CONTROL = 1_000_000
FEW_TILES = 5


class Late(Shanten):
    """Shanten without riichi in its first five turns."""

    remembers = False
    reseed = None

    def answer(self, question: Question) -> Action:
        """As shanten would, but it discards without riichi."""
        action = super().answer(question)
        if isinstance(action, Discard) and action.riichi and len(self.board.rivers[self.seat].tiles) < FEW_TILES:
            return msgspec.structs.replace(action, riichi=False)
        return action


class Row(NamedTuple):
    """One way to compare: the lead found, and the CPU seconds that it took."""

    lead: Interval
    seconds: float

    @property
    def cost(self) -> float:
        """CPU seconds for a half-width of one rank."""
        return self.seconds * (self.lead.half or 0.0) ** 2


def main() -> None:
    """Compare every pair in four ways and print the table."""
    given = _arguments()
    print(
        f"{'pair':34} {'way':14} {'lead':>18} {'CPU s':>8} {'cost':>9} {'cheaper than paired':>20} {'than plain':>11}"
    )
    for pair in given.pairs:
        a, b = (drawing(player) for player in pair.split(","))
        with tempfile.TemporaryDirectory(prefix="jantaku-forks-") as place:
            ways = _measured(Path(place), given, a, b)
        for name, row in ways.items():
            worth = [f"{ways[other].cost / row.cost:.1f}" if row.cost else "-" for other in ("paired", "plain")]
            lead = row.lead.text(4, sign=True)
            print(f"{pair:34} {name:14} {lead:>18} {row.seconds:8.1f} {row.cost:9.4f} {worth[0]:>20} {worth[1]:>11}")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hanchan", type=int, default=200, help="hanchan to fork")
    parser.add_argument("--sets", type=int, default=50, help="wall sets of the paired match; plain games are as many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--pairs",
        nargs="+",
        default=["shanten,scripts.forks:Late", "shanten,scripts.variance:Closed", "shanten,caller"],
    )
    return parser.parse_args()


def _measured(place: Path, given: argparse.Namespace, a: Terms, b: Terms) -> dict[str, Row]:
    match = Match(format="1v3", sets=given.sets, seed=given.seed, threads=Mode.INLINE)
    file = MatchFile(match=match, player=(_named(b, "new"), _named(a, "old")))
    ways = {"paired": _match(place / "paired", file)}
    alone = msgspec.structs.replace(match, sets=given.sets * 4, seatings="one")
    ways["plain"] = _match(place / "plain", msgspec.structs.replace(file, match=alone))
    plan = baseline_of(file, a)
    folder = place / "baseline"
    games = _seconds(lambda: _played(folder, plan, given.hanchan))
    found, forks = _forked(folder, plan, b, given.hanchan)
    ways["forks"] = Row(found, games + forks)
    ways["forks, stored"] = Row(found, forks)
    return ways


def _named(terms: Terms, name: str) -> Terms:
    return msgspec.structs.replace(terms, name=name)


def _match(folder: Path, file: MatchFile) -> Row:
    plan = plan_of(file)
    found: list[Interval] = []

    def play() -> None:
        figures = _played(folder, plan, plan.sets)
        found.append(figures)

    seconds = _seconds(play)
    return Row(found[0], seconds)


def _played(folder: Path, plan: MatchPlan, sets: int) -> Interval:
    """The lead of the first player: by how much its mean rank is better than 2.5."""
    store = Store.create(folder, plan)
    try:
        done = conduct(store, Here(plan, store.places), lambda progress: None, sets=sets)
    finally:
        store.close()
    assert done.results.figures is not None, "bots of ours finish their games"
    rank = done.results.figures.players[0].rank
    return Interval(2.5 - rank.mean, rank.half)


def _forked(folder: Path, plan: MatchPlan, b: Terms, hanchan: int) -> tuple[Interval, float]:
    games = []

    def fork() -> None:
        executor = Here(plan, places_in(folder, plan), ForkWork(b, folder / RECORDS, NO_CONTROL))
        for one in executor.run(plan.jobs(hanchan)):
            assert isinstance(one, ForkedHanchan) and one.forked is not None, "it was played here"
            games.append(one.forked)

    seconds = _seconds(fork)
    found = judged(games, plan.rules).screening
    walls, answers = found.walls / found.hanchan, found.asked / found.hanchan
    print(f"  {found.share:.1%} of kyoku fork, {walls:.1f} walls and {answers:.0f} answers a hanchan", flush=True)
    return found.rank, seconds


def _seconds(work: Callable[[], object]) -> float:
    began = cpu_of_all()
    work()
    return cpu_of_all() - began


if __name__ == "__main__":
    main()
