"""Runs a match: plays what is missing, stores every hanchan before it counts, and asks the stopping rule after every
set."""

from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path

import msgspec

from table.match.figures.decision_times import Timing, timing
from table.match.figures.listed import PlayedGames
from table.match.figures.statistics import Figures, Interval
from table.match.figures.stopping import Sprt, Stopping
from table.match.figures.tally import MatchTally
from table.match.folder.disk import replace_whole, telling
from table.match.folder.hidden import RECORDS
from table.match.folder.store import Store
from table.match.workers.executor import Executor
from table.match.workers.hanchan import PlayedHanchan
from table.match.workers.starting import Starting
from table.play.faults import FaultReport, FaultReports
from table.record.journal import journal_of

RESULTS, TIMING = "results.json", "timing.json"


class Progress(msgspec.Struct, frozen=True):
    """Progress of a match: hanchan that count, and the first player's mean rank over whole sets."""

    games: int
    planned: int
    estimate: Interval | None
    test: Sprt | None


class Results(msgspec.Struct, frozen=True):
    """What `results.json` holds. Equal plans end with equal bytes."""

    plan: str
    format: str
    walls: str
    rules: str
    seed: int | str
    ended_by: str
    """Why the match ended before its last set; empty if it did not."""
    sprt: Sprt | None
    figures: Figures | None
    """None if no hanchan has a result."""


class Finished(msgspec.Struct, frozen=True):
    """A match at its end."""

    results: Results
    times: tuple[Timing, ...]
    tally: MatchTally
    games: PlayedGames
    course: Sequence[float]
    """The log likelihood ratio after every set, if there was a sequential test."""


def conduct(
    store: Store, executor: Executor, tell: Callable[[Progress], None], faults: FaultReports | None = None
) -> Finished:
    """Play what is missing, then put the folder in order and write the results. BadInput if a player cannot begin: see
    `Starting`.

    An interruption (Ctrl-C, a full disk) leaves a folder from which `Store.resume` continues. `tell` is called after
    every hanchan, when `faults` have learnt of it.
    """
    plan = store.plan
    stopping = Stopping(plan)
    for line in store.lines():
        stopping.add(line)
    if not stopping.reason:
        starting = Starting()
        missing = starting.marked(job for job in plan.jobs() if job.game not in store.kept)
        with closing(executor.run(missing)) as hanchan:
            for played in chain.from_iterable(map(starting.counted, hanchan)):
                store.keep(played)
                if faults is not None:
                    faults.add(played.line.players, played.line.faults, _with_record(store.folder, played))
                stopping.add(played.line)
                tell(Progress(len(store.kept), plan.games, stopping.estimate, stopping.test))
                if stopping.reason:
                    break
    store.finish(stopping.sets)
    if faults is not None:
        faults.only(store.kept)
    return _conclude(store, stopping)


def _with_record(folder: Path, played: PlayedHanchan) -> list[FaultReport]:
    """The reports of a hanchan, with the place at which its record is when the match is over."""
    record = str(journal_of(folder / RECORDS, played.job.game))
    return [msgspec.structs.replace(report, record=record) for report in played.faults]


def _conclude(store: Store, stopping: Stopping) -> Finished:
    """Compute and write the results of a finished match."""
    plan = store.plan
    tally, games = MatchTally(plan.names), PlayedGames()
    for line in store.lines():
        tally.add(line)
        games.add_line(line, journal_of(store.folder / RECORDS, line.game))
    results = Results(
        plan=plan.digest,
        format=plan.format,
        walls=plan.walls,
        rules=plan.rules_digest,
        seed=plan.seed,
        ended_by=stopping.reason,
        sprt=stopping.test,
        figures=tally.figures() if tally.games else None,
    )
    times = timing(store.times(), plan.names)
    with telling(store.folder):
        replace_whole(store.folder / RESULTS, _pretty(results))
        replace_whole(store.folder / TIMING, _pretty(times))
    return Finished(results, times, tally, games, stopping.course)


def _pretty(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
