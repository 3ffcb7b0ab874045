"""Small tournaments for tests: mostly single kyoku between dice, in this process."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from jantaku.table.arena.match.conduct import Finished, conduct
from jantaku.table.arena.match.executors import Executor, Here
from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.arena.match.pool import Job
from jantaku.table.arena.match.store import Store
from jantaku.table.arena.tournament.plan import TournamentPlan, plan_of, read
from jantaku.table.arena.tournament.rounds import Rounds, TournamentResults
from jantaku.table.riichi import ruleset
from tests.arena.match.matches import line


def small_tournament(count: int = 9, *, rules: str = ruleset.DEFAULT, **flags: Any) -> TournamentPlan:
    """A Swiss of two rounds unless `flags` say otherwise."""
    given = {"format": "swiss", "seed": 5, "threads": "inline", "players": ["dice"] * count, **flags}
    if given["format"] == "swiss":
        given.setdefault("rounds", 2)
    file = read(None, {f"tournament.{key}": value for key, value in given.items()})
    short = ruleset.with_settings(ruleset.preset(rules), {"game.length": "one"})
    return plan_of(msgspec.structs.replace(file, rules=short))


def play_tournament(
    folder: Path, plan: TournamentPlan, executor: Executor | None = None
) -> Finished[TournamentResults]:
    store = Store.create(folder, plan)
    try:
        return conduct(store, executor or Here(plan, store.places), Rounds(store.plan))
    finally:
        store.close()


def made_up(plan: TournamentPlan, job: Job) -> HanchanSummary:
    """A hanchan of that plan that ends by chance, alike whenever it is asked for."""
    ranks = Random(job.game).sample(range(1, plan.seats + 1), plan.seats)
    points = [45.1 - 20.3 * rank + job.game / 7 for rank in ranks]
    return line(job.game, job.set, [plan.names[player] for player in job.seating], ranks, points)


def followed(plan: TournamentPlan) -> tuple[Rounds, list[Job]]:
    rounds, done = Rounds(plan), list[Job]()
    for job in waiting(rounds):
        done.append(job)
        rounds.add(made_up(plan, job))
    return rounds, done


def waiting(rounds: Rounds) -> Iterator[Job]:
    """The jobs one after another, none of which waits for others than those before."""
    for job in rounds.jobs():
        assert job is not None, "all hanchan of earlier rounds are over"
        yield job
