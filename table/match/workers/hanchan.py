"""One hanchan of a match: its bots are created from seeds of its own, so that the result is the same wherever it is
played and whatever was played before."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Self

import msgspec

from jantaku.table.disk import telling
from jantaku.table.errors import TableFault
from jantaku.table.log import context, logger
from jantaku.table.match.figures.summary import DEFECT, Counts, HanchanSummary, TimeLine, Times, summary
from jantaku.table.match.plan.pool import Job, PoolPlan
from jantaku.table.play import seeds
from jantaku.table.play.faults import FaultReport
from jantaku.table.play.riichi import Keeping, OpenRiichi
from jantaku.table.play.roster import Entrant, enlist, kept, terms_in
from jantaku.table.play.runner import Plan, play_one
from jantaku.table.record.journal import Header, journal_of
from jantaku.table.record.lines import FORMAT
from jantaku.table.riichi.game import RiichiGame, walls_from


class PlayedHanchan(msgspec.Struct, frozen=True):
    """A hanchan that was played, and those of its records, by file name, that are not in their folder yet. `faults`
    are those that its table has not reported yet of that player and verdict."""

    job: Job
    line: HanchanSummary
    times: TimeLine
    files: dict[str, bytes]
    faults: tuple[FaultReport, ...] = ()


class Places(msgspec.Struct, frozen=True):
    """The folders of a table: `scratch` for hanchan in progress, `records` for their records when they are over (None:
    these travel with the result), `logs` for what programs write to stderr (None: nowhere)."""

    scratch: Path
    records: Path | None = None
    logs: Path | None = None


class HanchanTable:
    """Plays hanchan of one match, one after another, as a context. The players are looked up once, their modules stay
    loaded and their programs live on; logs of programs are in a folder of this process."""

    def __init__(self, plan: PoolPlan, places: Places) -> None:
        self._plan = plan
        self._scratch, self._records, logs = places.scratch, places.records, places.logs
        if logs is not None and any(terms.scheme for terms in terms_in(plan.players)):
            logs = logs / str(os.getpid())  # several tables have players of one name
            logs.mkdir(parents=True, exist_ok=True)
        self._entrants = enlist(plan.players, logs)
        self._reported: set[tuple[str, str]] = set()
        """Players and verdicts of which a fault was reported."""
        self._alive = kept(self._entrants)

    def __enter__(self) -> Self:
        self._alive.__enter__()
        return self

    def __exit__(self, *problem: Any) -> None:
        self._alive.__exit__(*problem)

    def play(self, job: Job) -> PlayedHanchan:
        """Play one hanchan. Its journal grows in the scratch folder and is moved when it is complete. BadInput if all
        must start, and one cannot.

        One that is stopped by a defect of ours is void: a bot may have triggered it, so the match continues.
        """
        with context(game=job.game), telling(self._scratch):  # lines of several workers stand in one log
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
        """Those that are the first of their player and verdict here."""
        for report in reports:
            if report.kind not in self._reported:
                self._reported.add(report.kind)
                yield report

    def _collected(self, job: Job, faults: tuple[FaultReport, ...]) -> PlayedHanchan:
        """The hanchan that was just played; its records leave the scratch folder."""
        journal = journal_of(self._scratch, job.game)
        line, times = summary(journal.read_bytes(), job.game, journal.name)
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
    """The name, without ending, of a hanchan's records."""
    return journal_of(Path(), game).stem


def give_up(plan: PoolPlan, job: Job, scratch: Path | None, reason: str) -> PlayedHanchan:
    """A void hanchan, because it cannot be played; its partial journal in `scratch` is kept (None: it is on another
    machine)."""
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
    """The files of a hanchan by name; they are removed from the folder."""
    files = {}
    for path in _files(job, scratch):
        files[path.name] = path.read_bytes()
        path.unlink()
    return files


def _files(job: Job, scratch: Path) -> list[Path]:
    return sorted(scratch.glob(f"{stem_of(job.game)}.*"))
