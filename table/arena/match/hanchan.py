"""Plays one hanchan of a match. Its bots are created from seeds of its own, so that the result does not depend on where
it is played and what was played before."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Self

import msgspec

from jantaku.table.arena.match.figures.luck import luck_of
from jantaku.table.arena.match.figures.summary import DEFECT, Counts, HanchanSummary, TimeLine, Times, summary
from jantaku.table.arena.match.pool import Job, PoolPlan
from jantaku.table.ground.disk import telling
from jantaku.table.ground.errors import TableFault
from jantaku.table.ground.log import context, logger
from jantaku.table.play import seeds
from jantaku.table.play.outcome import FaultReport
from jantaku.table.play.riichi import Keeping, OpenRiichi
from jantaku.table.play.runner import Plan, play_one
from jantaku.table.play.seating.roster import Entrant, enlist, kept, terms_in
from jantaku.table.play.seating.spec import Terms
from jantaku.table.records.journal.lines import FORMAT
from jantaku.table.records.journal.read import load
from jantaku.table.records.journal.writer import Header, journal_of
from jantaku.table.riichi.game import RiichiGame, walls_from


class PlayedHanchan(msgspec.Struct, frozen=True):
    """A hanchan that was played. `files` are its records by name, unless they are in their folder already. `faults` are
    the reports with a player and verdict that its table has not reported before."""

    job: Job
    line: HanchanSummary
    times: TimeLine
    files: dict[str, bytes]
    faults: tuple[FaultReport, ...] = ()


class Places(msgspec.Struct, frozen=True):
    """The folders of a table: `scratch` for hanchan in progress; `records` for finished records (None: they travel with
    the result); `logs` for what programs write to stderr (None: it is dropped)."""

    scratch: Path
    records: Path | None = None
    logs: Path | None = None


class JobTable(ABC):
    """Does jobs one after another; a context manager. Players are looked up once: modules stay loaded, programs keep
    running."""

    def __init__(self, players: Sequence[str | Terms], logs: Path | None) -> None:
        self._entrants = enlist(players, logs)
        self._alive = kept(self._entrants)

    def __enter__(self) -> Self:
        self._alive.__enter__()
        return self

    def __exit__(self, *problem: Any) -> None:
        self._alive.__exit__(*problem)

    @abstractmethod
    def play(self, job: Job) -> PlayedHanchan:
        """Do one job."""


class HanchanTable(JobTable):
    """Plays hanchan of one match one after another. Logs of programs go to a folder named after this process."""

    def __init__(self, plan: PoolPlan, places: Places) -> None:
        self._plan = plan
        self._scratch, self._records, logs = places.scratch, places.records, places.logs
        if logs is not None and any(terms.scheme for terms in terms_in(plan.players)):
            logs = logs / str(os.getpid())  # other tables have players with the same names
            logs.mkdir(parents=True, exist_ok=True)
        super().__init__(plan.players, logs)
        self._reported: set[tuple[str, str]] = set()
        """The (player, verdict) pairs whose fault was reported."""

    def play(self, job: Job) -> PlayedHanchan:
        """Play one hanchan. Its journal grows in the scratch folder and is moved when it is complete. BadInput if
        `job.must_start` and a player cannot start. A hanchan that a defect of jantaku stops is void. A bot may have
        triggered the defect, so the match continues."""
        with context(game=job.game), telling(self._scratch):  # several workers share one log
            return self._play(job)

    def _play(self, job: Job) -> PlayedHanchan:
        _taken(job, self._scratch)  # an earlier attempt may have left files
        entrants = [self._entrants[index] for index in job.seating]
        try:
            outcome = play_one(
                self._runner_plan(job, entrants),
                job.game,
                lambda number: self._open(job, entrants),
                must_start=job.must_start,
            )
        except TableFault as fault:
            logger().error("hanchan is void", defect=str(fault), exc_info=fault)
            return give_up(self._plan, job, self._scratch, f"{DEFECT}{fault}")
        return self._collected(job, tuple(self._news(outcome.fault_reports)))

    def _news(self, reports: Iterable[FaultReport]) -> Iterator[FaultReport]:
        """Yield the reports whose player and verdict have not been reported here before."""
        for report in reports:
            if report.kind not in self._reported:
                self._reported.add(report.kind)
                yield report

    def _collected(self, job: Job, faults: tuple[FaultReport, ...]) -> PlayedHanchan:
        """Summarise the hanchan that was just played, and move its records out of the scratch folder."""
        journal = journal_of(self._scratch, job.game)
        line, times = summary(journal.read_bytes(), job.game, journal.name)
        if self._plan.luck and line.ended:
            line = msgspec.structs.replace(line, luck=luck_of(load(journal)))
        if self._records is None:
            return PlayedHanchan(job, line, times, _taken(job, self._scratch), faults)
        for path in _files(job, self._scratch):
            path.replace(self._records / path.name)
        return PlayedHanchan(job, line, times, {}, faults)

    def _runner_plan(self, job: Job, entrants: list[Entrant]) -> Plan:
        plan = self._plan
        return Plan(
            entrants=tuple(entrants),
            games=1,
            seed=seeds.of_game(plan.seed, job.set),
            mode=plan.threads,
            clock=plan.clock,
            on_fault=plan.on_fault,
            lots=job.set,
        )

    def _open(self, job: Job, entrants: list[Entrant]) -> OpenRiichi:
        plan = self._plan
        names = tuple([entrant.name for entrant in entrants])
        seed = seeds.of_game(plan.seed, job.set)
        walls = walls_from(seed, job.set, plan.rules, plan.walls)
        game = RiichiGame(plan.rules, walls, names)
        header = Header(
            jantaku=FORMAT,
            version=plan.version,
            game="riichi",
            rules=msgspec.to_builtins(plan.rules),
            seed=seed,
            number=job.set,
            player=names,
            qijia=game.first_dealer,
            walls=plan.walls,
        )
        keeping = Keeping(self._scratch, plan.version, buffered=True)
        return OpenRiichi(game, range(plan.seats), names, job.game, header, keeping)


def stem_of(game: int) -> str:
    return journal_of(Path(), game).stem


def give_up(plan: PoolPlan, job: Job, scratch: Path | None, reason: str) -> PlayedHanchan:
    """Make a void hanchan for one that cannot be played. Its partial journal in `scratch`, if that is given, is
    kept."""
    files = _taken(job, scratch) if scratch is not None else {}
    journal = journal_of(Path(), job.game).name
    begun = files.get(journal, b"")
    if b"\n" in begun:
        line, times = summary(begun, job.game, journal)
        known = msgspec.structs.replace(line, seed=seeds.of_game(plan.seed, job.set), reason=reason)
        return PlayedHanchan(job, known, times, files)
    names = tuple(plan.names[index] for index in job.seating)
    line = HanchanSummary(
        game=job.game,
        set=job.set,
        seed=seeds.of_game(plan.seed, job.set),
        rules=plan.rules_digest,
        players=names,
        ended=False,
        reason=reason,
        scores=(),
        ranks=(),
        points=(),
        faults=tuple({} for _ in names),
        counts=tuple(Counts() for _ in names),
        print="",
    )
    return PlayedHanchan(job, line, TimeLine(job.game, names, tuple(Times() for _ in names)), {})


def _taken(job: Job, scratch: Path) -> dict[str, bytes]:
    """Read the files of a hanchan, by name, and remove them."""
    files = {}
    for path in _files(job, scratch):
        files[path.name] = path.read_bytes()
        path.unlink()
    return files


def _files(job: Job, scratch: Path) -> list[Path]:
    return sorted(scratch.glob(f"{stem_of(job.game)}.*"))
