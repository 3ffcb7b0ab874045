"""Runs a match from its plan to its report, the one way for all commands that do: opens folder and workers, plays the
missing hanchan, stores each one before it counts, and asks the stopping rule after every set."""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing
from itertools import chain, islice, takewhile
from pathlib import Path
from time import sleep
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

import msgspec

from jantaku.table.arena.match.executors import Executor
from jantaku.table.arena.match.figures.games import PlayedGames
from jantaku.table.arena.match.figures.looks import Looks
from jantaku.table.arena.match.figures.luck import is_learned
from jantaku.table.arena.match.figures.statistics import Figures
from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.arena.match.figures.tally import MatchTally
from jantaku.table.arena.match.figures.timing import Timing, timing
from jantaku.table.arena.match.hanchan import PlayedHanchan
from jantaku.table.arena.match.pool import Job
from jantaku.table.arena.match.processes import local
from jantaku.table.arena.match.ranklists import USUAL, rank_points
from jantaku.table.arena.match.records import P, places_in
from jantaku.table.arena.match.starting import Starting
from jantaku.table.arena.match.store import SQLITE, SqliteGames, Store, Taken, refuse_other
from jantaku.table.ground.disk import replace_whole, telling
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.installation import pip_install
from jantaku.table.ground.log import logger
from jantaku.table.play.outcome import FaultReport, FaultReports
from jantaku.table.play.parts import PartOf, begun, hosted
from jantaku.table.records.journal.places import RECORDS
from jantaku.table.records.journal.writer import journal_of
from jantaku.table.riichi.pieces.seats import SEATS

RESULTS, TIMING = "results.json", "timing.json"
TURN = 1.0
"""Seconds between two looks whether another process has ended."""
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


class Finished(msgspec.Struct, Generic[R], frozen=True):
    results: R
    """The content of `results.json`. Equal plans end with equal bytes."""
    times: tuple[Timing, ...]
    tally: MatchTally
    games: PlayedGames
    course: Sequence[float]
    """The log likelihood ratio after every set; empty without a sequential test."""


class Schedule(Protocol[R_co]):
    """Decides which hanchan are played, and learns of every finished one, in any order."""

    reason: str
    """Why nothing more is played; empty while hanchan are to come, and if the whole plan is played."""
    sets: int
    """How many of the sets count when the last hanchan is over; they are the first ones of the plan."""

    @property
    def course(self) -> Sequence[float]:
        """The log likelihood ratio after every set, as in `Finished.course`."""

    @property
    def looks(self) -> Looks:
        """How often somebody may have looked, which the intervals allow for."""

    @property
    def planned(self) -> int:
        """Number of hanchan, if nothing ends it early."""

    @property
    def stands(self) -> str:
        """How it stands, in a line."""

    def add(self, line: HanchanSummary) -> None:
        """Take note of a finished hanchan."""

    def jobs(self) -> Iterable[Job | None]:
        """Yield every hanchan in the order of the plan; None while the next one depends on hanchan that are not
        finished."""

    def results(self, figures: Figures | None) -> R_co:
        """Return the results. `figures` are None if no hanchan has a result."""


class PartSchedule(Generic[R]):
    """The hanchan of one part of `whole` that are known now, but for `done`. It judges nothing and never ends early:
    what counts is known when all parts are."""

    reason, looks, course, stands = "", Looks.ONCE, (), ""

    def __init__(self, whole: Schedule[R], part: PartOf, size: int, done: Container[int] = ()) -> None:
        self.sets, self._whole, self._part, self._done = whole.planned // size, whole, part, done
        self.add = whole.add
        self.results = whole.results
        self._known = sum(1 for _ in takewhile(lambda job: job is not None, whole.jobs()))
        self.planned = sum(1 for _ in self.jobs())

    def jobs(self) -> Iterator[Job | None]:
        for job in islice(self._whole.jobs(), self._known):
            if job is not None and self._part.has(job.set) and job.game not in self._done:
                yield job


class RunPlace(NamedTuple):
    """Where a plan is played: in which folder, whether it goes on with the run in it, by how many processes (None: one
    per core, 0: this one), whether they may keep to a core, and which part alone, without the hanchan that are
    `done`."""

    folder: Path
    resumed: bool
    workers: int | None
    pin: bool
    part: PartOf | None = None
    done: Container[int] = ()


Tell = Callable[[int, int, str], None]
"""Called with the number of finished hanchan, the number of all, and the standing in words."""
RunWatch = Callable[[Store[P], FaultReports], AbstractContextManager[Tell]]
"""Makes the context that is open while hanchan are played. What it yields is called after every hanchan. An exception
that it raises ends the run, and it sees the exception of any other end."""


class Ended(NamedTuple, Generic[P, R]):
    """A finished run: its folder, its results and faults, and why it has no HTML report (empty if it has one)."""

    store: Store[P]
    done: Finished[R]
    faults: FaultReports
    without_report: str

    def encoded(self) -> bytes:
        """Return all of it as one JSON object."""
        return msgspec.json.encode({"results": self.done.results, "times": self.done.times, "faults": self.faults.all})


def run(
    plan: P,
    where: RunPlace,
    watch: RunWatch[P],
    schedule: Schedule[R],
    report: Callable[[Path, Store[P], Finished[R]], str],
) -> Ended[P, R]:
    """Create or resume the folder, play what is missing, and write the report. BadInput, before anything is written, if
    folder, workers or the weights of luck cannot be used."""
    if plan.luck and not is_learned(plan.seats) and plan.seats == SEATS:
        raise BadInput(f"luck: for four players it needs numpy: {pip_install(package='numpy')}")
    if where.resumed:
        refuse_other(where.folder, plan)
    part = where.part
    if part is not None:
        sets = plan.games // plan.set_size
        begun(where.folder, part.refuse_more_than(sets, "wall sets"), sets)
        schedule = PartSchedule(schedule, part, plan.set_size, where.done)
        await_turn(where.folder)
    faults = FaultReports()
    executor = local(plan, places_in(where.folder, plan), where.workers, pin=where.pin)
    resumed = where.resumed
    store = Store.resume(where.folder, plan.seed, kind=type(plan)) if resumed else Store.create(where.folder, plan)
    with closing(store):
        with watch(store, faults) as tell, hosted(store.folder, lambda: len(store.kept)):
            done = conduct(store, executor, schedule, tell, faults)
        why = "no report of a part" if part else report(store.folder / "report.html", store, done)
        return Ended(store, done, faults, why)


def await_turn(folder: Path) -> None:
    """Wait while another process plays in the folder of a part: an engine that has lost a worker begins its part again,
    and the old one may not be dead."""
    is_said = False
    while (folder / SQLITE).exists():
        try:
            SqliteGames(folder / SQLITE).close()
        except Taken as taken:
            if not is_said:
                logger().warning("waiting", why=str(taken))
            is_said = True
            sleep(TURN)
        else:
            return


def conduct(
    store: Store[Any],
    executor: Executor,
    schedule: Schedule[R],
    tell: Tell = lambda over, planned, stands: None,
    faults: FaultReports | None = None,
) -> Finished[R]:
    """Play what is missing, put the folder in order, and write the results. BadInput if a player cannot begin: see
    `Starting`. An interruption (Ctrl-C, a full disk) leaves a folder from which `Store.resume` continues. `tell` is
    called after every hanchan, when `schedule` and `faults` know of it."""
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
                tell(len(store.kept), schedule.planned, schedule.stands)
                if schedule.reason:
                    break
    store.finish(schedule.sets)
    if faults is not None:
        faults.only(store.kept)
    return _concluded(store, schedule)


def _with_record(folder: Path, played: PlayedHanchan) -> list[FaultReport]:
    """Return the fault reports of a hanchan with the path that its record has when the match is over."""
    record = str(journal_of(folder / RECORDS, played.job.game))
    return [msgspec.structs.replace(report, record=record) for report in played.faults]


def _concluded(store: Store[Any], schedule: Schedule[R]) -> Finished[R]:
    """Compute the results of a finished run, and write them and the answer times."""
    names = store.plan.names
    tally = MatchTally(names, schedule.looks, rank_points(store.plan.pt or USUAL))
    games = PlayedGames()
    for line in store.lines():
        tally.add(line)
        games.add_line(line, journal_of(store.folder / RECORDS, line.game))
    results = schedule.results(tally.figures() if tally.games else None)
    times = timing(store.times(), names)
    with telling(store.folder):
        replace_whole(store.folder / RESULTS, _pretty(results))
        replace_whole(store.folder / TIMING, _pretty(times))
    return Finished(results, times, tally, games, schedule.course)


def _pretty(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
