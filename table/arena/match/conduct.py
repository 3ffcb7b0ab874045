"""Runs a match from its plan to its report, the one way for all commands that do: opens folder and workers, plays the
missing hanchan, stores each one before it counts, and asks the stopping rule after every set."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, closing
from itertools import chain
from pathlib import Path
from typing import Any, Generic, NamedTuple, ParamSpec, Protocol, TypeVar

import msgspec

from jantaku.table.arena.match.figures.statistics import Figures, Interval, Looks
from jantaku.table.arena.match.figures.stops import Sprt, Stopping, looks_of
from jantaku.table.arena.match.figures.summary import HanchanSummary, Timing, timing
from jantaku.table.arena.match.figures.tally import MatchTally, PlayedGames
from jantaku.table.arena.match.hanchan import Executor, Places, PlayedHanchan, Starting
from jantaku.table.arena.match.plan import Job, MatchPlan, PoolPlan
from jantaku.table.arena.match.processes import local
from jantaku.table.arena.match.records import P, places_in
from jantaku.table.arena.match.store import Store, refuse_other
from jantaku.table.ground.disk import replace_whole, telling
from jantaku.table.ground.errors import BadInput
from jantaku.table.play.outcome import FaultReport, FaultReports
from jantaku.table.play.roster import terms_in
from jantaku.table.records.journal.lines import RECORDS
from jantaku.table.records.journal.writer import journal_of

RESULTS, TIMING = "results.json", "timing.json"
D = TypeVar("D")
N = ParamSpec("N")


class Progress(msgspec.Struct, frozen=True):
    """Progress of a match: hanchan that count, and the first player's mean rank over whole sets, with an interval for
    any number of looks."""

    games: int
    planned: int
    estimate: Interval | None
    test: Sprt | None


class Results(msgspec.Struct, frozen=True):
    """The content of `results.json`. Equal plans end with equal bytes."""

    plan: str
    format: str
    walls: str
    rules: str
    seed: int | str
    ended_by: str
    """Why the match ended before its last set; empty if it was played to the end."""
    sprt: Sprt | None
    figures: Figures | None
    """None if no hanchan has a result."""


class Finished(msgspec.Struct, frozen=True):
    """A finished match."""

    results: Results
    times: tuple[Timing, ...]
    tally: MatchTally
    games: PlayedGames
    course: Sequence[float]
    """The log likelihood ratio after every set; empty without a sequential test."""


class Schedule(Protocol):
    """Decides which hanchan are played, and learns of every finished one, in any order."""

    reason: str
    """Why nothing more is played; empty while hanchan are to come, and if the whole plan is played."""
    sets: int
    """How many of the sets count when the last hanchan is over; they are the first ones of the plan."""

    def add(self, line: HanchanSummary) -> None:
        """Take note of a finished hanchan."""

    def jobs(self) -> Iterable[Job | None]:
        """Yield every hanchan in the order of the plan; None while the next one depends on hanchan that are not
        finished."""


class Workers(NamedTuple):
    """The workers of a run: how many processes (None: one per core, 0: this one), and whether they may keep to a
    core."""

    processes: int | None
    pin: bool


class RunPlace(NamedTuple):
    """Where a plan is played: in which folder, whether it goes on with the run in it, and by which workers."""

    folder: Path
    resumed: bool
    workers: Workers


RunWatch = Callable[[Store[P], FaultReports], AbstractContextManager[Callable[N, None]]]
"""Makes the context that is open while hanchan are played. What it yields is called after every hanchan. An exception
that it raises ends the run, and it sees the exception of any other end."""


class Ended(NamedTuple, Generic[P, D]):
    """A finished run: its folder, its results and faults, and why it has no HTML report (empty if it has one)."""

    store: Store[P]
    done: D
    faults: FaultReports
    without_report: str


def run(
    plan: P,
    where: RunPlace,
    watch: RunWatch[P, N],
    conduct: Callable[[Store[P], Executor, Callable[N, None], FaultReports], D],
    report: Callable[[Path, Store[P], D], str],
) -> Ended[P, D]:
    """Create or resume the folder, play what is missing by `conduct`, and write the report. BadInput, before anything
    is written, if folder or workers cannot be used."""
    if where.resumed:
        refuse_other(where.folder, plan)
    faults = FaultReports()
    executor = executor_of(plan, places_in(where.folder, plan), where.workers)
    resumed = where.resumed
    store = Store.resume(where.folder, plan.seed, kind=type(plan)) if resumed else Store.create(where.folder, plan)
    with closing(store):
        with watch(store, faults) as tell:
            done = conduct(store, executor, tell, faults)
        return Ended(store, done, faults, report(store.folder / "report.html", store, done))


def play(
    store: Store[Any],
    executor: Executor,
    schedule: Schedule,
    tell: Callable[[], None],
    faults: FaultReports | None = None,
) -> None:
    """Play what is missing, then put the folder in order. BadInput if a player cannot begin: see `Starting`.

    An interruption (Ctrl-C, a full disk) leaves a folder from which `Store.resume` continues. `tell` is called after
    every hanchan, when `schedule` and `faults` know of it.
    """
    for line in store.lines():
        schedule.add(line)
    if not schedule.reason:
        starting = Starting()
        missing = (job for job in schedule.jobs() if job is None or job.game not in store.kept)
        with closing(executor.run(starting.marked(missing))) as hanchan:
            for played in chain.from_iterable(map(starting.counted, hanchan)):
                store.keep(played)
                if faults is not None:
                    faults.add(played.line.players, played.line.faults, _with_record(store.folder, played))
                schedule.add(played.line)
                tell()
                if schedule.reason:
                    break
    store.finish(schedule.sets)
    if faults is not None:
        faults.only(store.kept)


def conduct(
    store: Store[MatchPlan],
    executor: Executor,
    tell: Callable[[Progress], None],
    faults: FaultReports | None = None,
    sets: int | None = None,
) -> Finished:
    """Play a match, its first `sets` sets or all, and write its results."""
    plan, stopping = store.plan, Stopping(store.plan, sets)
    planned = plan.games if sets is None else sets * plan.set_size

    def told() -> None:
        tell(Progress(len(store.kept), planned, stopping.estimate, stopping.test))

    play(store, executor, stopping, told, faults)
    return _conclude(store, stopping)


def _with_record(folder: Path, played: PlayedHanchan) -> list[FaultReport]:
    """Return the fault reports of a hanchan with the path that its record has when the match is over."""
    record = str(journal_of(folder / RECORDS, played.job.game))
    return [msgspec.structs.replace(report, record=record) for report in played.faults]


def counted(store: Store[Any], looks: Looks = Looks.ONCE) -> tuple[MatchTally, PlayedGames]:
    """Add up the hanchan of a folder; the intervals allow for `looks`."""
    tally, games = MatchTally(store.plan.names, looks), PlayedGames()
    for line in store.lines():
        tally.add(line)
        games.add_line(line, journal_of(store.folder / RECORDS, line.game))
    return tally, games


def write_results(store: Store[Any], results: object) -> tuple[Timing, ...]:
    """Write the results and the answer times; return the times."""
    times = timing(store.times(), store.plan.names)
    with telling(store.folder):
        replace_whole(store.folder / RESULTS, _pretty(results))
        replace_whole(store.folder / TIMING, _pretty(times))
    return times


def _conclude(store: Store[MatchPlan], stopping: Stopping) -> Finished:
    """Compute and write the results of a finished match."""
    plan = store.plan
    tally, games = counted(store, looks_of(plan.stop))
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
    return Finished(results, write_results(store, results), tally, games, stopping.course)


def _pretty(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"


def executor_of(plan: PoolPlan, places: Places, workers: Workers) -> Executor:
    """Make the executor of a plan. BadInput if its players cannot be played by these workers."""
    here = any(terms.scheme == "ws" for terms in terms_in(plan.players))  # clients connect to this process
    if here and workers.processes:
        raise BadInput("--workers: ws: players connect to this process; leave --workers away")
    return local(plan, places, 0 if here else workers.processes, pin=workers.pin)
