"""Puts the parts of a match, tournament or comparison together as one machine would have written it, and names what is
missing.

A part is a folder in which only some wall sets are played; any folder of the same plan will do. `--resume` has
the same reader of lines. Each line is checked against its record, so a torn or changed hanchan is never counted. A
match has the same writers. They write into a folder beside OUT; when all is written, that folder becomes OUT.
"""

import os
import shutil
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from jantaku.table.arena.comparing.folder import files_of
from jantaku.table.arena.comparing.results import Comparison
from jantaku.table.arena.forks.folder import FORKS, PLAN, ForkStore, fork_plan_in, read_forks, refuse_other
from jantaku.table.arena.forks.fork import ForkedGame
from jantaku.table.arena.forks.gains import judged
from jantaku.table.arena.forks.stages import Probe
from jantaku.table.arena.match.conduct import Finished, Schedule, conduct
from jantaku.table.arena.match.figures.stops import Stopping
from jantaku.table.arena.match.figures.summary import HanchanSummary, TimeLine, summary
from jantaku.table.arena.match.hanchan import PlayedHanchan, give_up, stem_of
from jantaku.table.arena.match.plan import MatchPlan
from jantaku.table.arena.match.pool import Job, PoolPlan, differences
from jantaku.table.arena.match.poolfile import told_apart
from jantaku.table.arena.match.records import P, known_plan
from jantaku.table.arena.match.store import JOURNAL, Store, read_lines
from jantaku.table.ground.disk import replace_whole, telling
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.files import bytes_of, opened
from jantaku.table.ground.installation import told, typed, version
from jantaku.table.judge.faults import OUT_OF_TIME
from jantaku.table.play import seeds
from jantaku.table.play.parts import ANEW, LOGS, NAMED, Host, PartFile, PartOf, digest_of, part_in
from jantaku.table.play.seating.roster import terms_in
from jantaku.table.records.journal.lines import LARGEST
from jantaku.table.records.journal.places import RECORDS
from jantaku.table.records.journal.writer import journal_of

PARTS, BASELINE = "parts.json", "baseline"
R = TypeVar("R")
Report = Callable[[Path, Store[P], Finished[R]], str]
"""Writes the report, as for `conduct.run`."""


class PartTold(msgspec.Struct):
    """What `parts.json` says of a part: the runs on its hosts, hanchan a second, and the answers that its players lost
    to the clock. It differs from run to run, like times."""

    folder: str
    part: str
    hosts: Sequence[Host]
    pace: float
    hanchan: int = 0
    lost: Counter[str] = msgspec.field(default_factory=Counter)


class PartFolder(NamedTuple):
    """A part as it was found: its plan, without the seed if it is being played or was killed (`is_open`), and at which
    byte of its journal each hanchan is told."""

    folder: Path
    plan: Any
    digest: str
    is_open: bool
    told: PartFile | None
    at: Mapping[int, int]

    @property
    def name(self) -> str:
        """The folder, for people."""
        return told(self.folder)

    @property
    def again(self) -> str:
        """The command that goes on with it."""
        is_match = self.plan.KIND == "match" and self.folder.name != BASELINE
        return typed(f"match --resume {self.name}") if is_match else "the command that began it"

    def line(self, game: int) -> HanchanSummary:
        """Read the line of a hanchan. BadInput if it is not as it was written."""
        with opened(self.folder / JOURNAL) as file:
            file.seek(self.at[game])
            text = file.readline()
        line = msgspec.json.decode(text, type=HanchanSummary)
        if msgspec.json.encode(line) + b"\n" != text:
            raise BadInput(f"{self.folder / JOURNAL}: the line of hanchan {game} was changed; {ANEW}")
        return line


def part_folder(folder: Path, kind: type[PoolPlan], known: PartFile | None = None) -> PartFolder:
    """Read the folder of a part. `known` names the part if the folder does not. In a part that is still open a hanchan
    counts once its record is in the folder, which is when its set is over. BadInput if this is no part's folder."""
    plan, digest, is_open = known_plan(folder, kind)
    at, _ = read_lines(folder / JOURNAL, HanchanSummary, digest, kind.KIND)
    if is_open:
        with telling(folder):
            there = {name.partition(".")[0] for name in os.listdir(folder / RECORDS)}
        at = {game: place for game, place in at.items() if stem_of(game) in there}
    return PartFolder(folder, plan, digest, is_open, known or part_in(folder), at)


def alike(parts: Sequence[PartFolder]) -> PoolPlan:
    """Return the plan of these parts, without a seed if none has ended. BadInput if they are of two matches, or of
    another version of jantaku."""
    first = min(parts, key=lambda part: part.is_open)
    plan: PoolPlan = first.plan
    for part in parts:
        if part.digest != first.digest:
            is_open = part.is_open or first.is_open
            other = msgspec.structs.replace(part.plan, seed=plan.seed) if is_open else part.plan
            found = "; ".join(differences(plan, other)) or "the seed"
            raise BadInput(f"{part.name}: belongs to another {plan.KIND} than {first.name}: {found}; leave it out")
    if plan.version != version():
        raise BadInput(
            f"{first.name}: was played by jantaku {plan.version}, and this is {version()}; collect with the version "
            "that played"
        )
    return plan


class Gathered(Generic[P, R]):
    """The hanchan of all parts, and a schedule that knows of them."""

    def __init__(self, parts: Sequence[PartFolder], plan: P, schedule: Callable[[P], Schedule[R]]) -> None:
        """`plan` is the plan of the parts; its stopping rule may be another one. BadInput if the parts do not fit."""
        self.parts, self.plan, self._new = parts, plan, schedule
        self._part_of: dict[int, PartFolder] = {}
        for part in parts:
            for game in part.at:
                if (other := self._part_of.setdefault(game, part)) is not part:
                    _refuse_two(game, other, part)
        self.of_parts = {part.folder: _told_of(part) for part in parts}
        self.schedule = schedule(plan)
        for line in self.lines():
            self.schedule.add(line)
            part = self._part_of[line.game]
            _refuse_foreign(part, line, plan)
            each = self.of_parts[part.folder]
            each.hanchan += 1
            for name, faults in zip(line.players, line.faults, strict=True):
                each.lost[name] += sum(faults.get(word, 0) for word in OUT_OF_TIME)

    def lines(self) -> Iterator[HanchanSummary]:
        """Yield every hanchan once, in the order of the plan."""
        yield from (self._part_of[game].line(game) for game in sorted(self._part_of))

    def over(self) -> Iterator[HanchanSummary]:
        """Yield the hanchan of all sets that are over."""
        size = self.plan.set_size
        came = Counter(game // size for game in self._part_of)
        yield from (line for line in self.lines() if came[line.set] == size)

    def missing(self) -> list[Job]:
        """Return the known hanchan that no part has played."""
        return [] if self.schedule.reason else [job for job in self._jobs() if job.game not in self._part_of]

    def _jobs(self) -> Iterator[Job]:
        yield from (job for job in takewhile(lambda one: one is not None, self.schedule.jobs()) if job is not None)

    def write(self, folder: Path, report: Report[P, R]) -> tuple[Store[P], Finished[R], str]:
        """Write the whole to a new folder. Return it, its results, and why it has no report. BadInput if a hanchan
        cannot be counted."""
        if self.plan.seed == "":
            raise BadInput(f"no part has ended yet; let the jobs end, or, if they were killed: {self.parts[0].again}")
        with closing(Store.gathered(folder, self.plan, self._copied(folder / RECORDS))) as store:
            done = conduct(store, _Nobody(), self._new(self.plan))
            for part in self.parts:
                if (part.folder / LOGS).is_dir():
                    shutil.copytree(part.folder / LOGS, folder / LOGS / part.folder.name)
            return store, done, report(folder / "report.html", store, done)

    def _copied(self, records: Path) -> Iterator[tuple[HanchanSummary, TimeLine]]:
        """Copy the records of all hanchan that count, and yield what they say."""
        for job in self._jobs():
            part = self._part_of.get(job.game)
            if part is None or job.set >= self.schedule.sets:
                continue
            line, times, files = self._checked(part, job)
            for name, content in files.items():
                (records / name).write_bytes(content)
            yield line, times

    def _checked(self, part: PartFolder, job: Job) -> tuple[HanchanSummary, TimeLine, Mapping[str, bytes]]:
        """Return a hanchan, its times and its records. BadInput if its line and its record do not say the same."""
        line, seed = part.line(job.game), seeds.of_game(self.plan.seed, job.set)
        given_up = give_up(self.plan, job, None, line.reason)
        found, times, files = given_up.line, given_up.times, dict[str, bytes]()
        if line.print:
            path = journal_of(part.folder / RECORDS, job.game)
            try:
                files = _files(path, is_whole=line.ended)
                found, times = summary(files[path.name], job.game, str(path))
            except (BadInput, msgspec.DecodeError) as error:
                raise _torn(part, path, error) from None
            if found.print != line.print:
                raise _torn(part, path, "it differs from its line")
            found = msgspec.structs.replace(found, luck=line.luck, reason=found.reason if line.ended else line.reason)
        wanted = {"seed": seed, "players": given_up.line.players, "set": job.set, "rules": self.plan.rules_digest}
        line = line if line.seed else msgspec.structs.replace(line, seed=seed)
        wrong = [name for name in line.__struct_fields__ if getattr(line, name) != getattr(found, name)]
        wrong += [name for name, value in wanted.items() if getattr(found, name) != value]
        if wrong:
            raise BadInput(
                f"{part.folder / JOURNAL}: hanchan {job.game}: {', '.join(dict.fromkeys(wrong))} differ from its "
                f"record or from the plan; remove the line, and {part.again} plays it again"
            )
        return line, times, files


class _Nobody:
    def run(self, jobs: object) -> Generator[PlayedHanchan, None, None]:
        yield from ()


def _files(journal: Path, *, is_whole: bool) -> dict[str, bytes]:
    kept = journal.with_suffix(".json")
    files = {journal.name: bytes_of(journal, LARGEST)}
    if is_whole or kept.is_file():
        files[kept.name] = bytes_of(kept, LARGEST)
        msgspec.json.decode(files[kept.name], type=msgspec.Raw)
    return files


def _torn(part: PartFolder, path: Path, why: object) -> BadInput:
    return BadInput(f"{path}: is missing or not whole ({why}); {part.again} plays it again")


def _told_of(part: PartFolder) -> PartTold:
    known = part.told
    return (
        PartTold(part.name, "", (), 0.0)
        if known is None
        else PartTold(part.name, str(known.own), known.hosts, round(known.pace, 3))
    )


def _refuse_two(game: int, one: PartFolder, other: PartFolder) -> None:
    """Raise BadInput if two parts tell of a hanchan in two ways."""
    a, b = (msgspec.structs.replace(part.line(game), seed="", luck=msgspec.UNSET) for part in (one, other))
    if a != b:
        raise BadInput(
            f"{one.folder / JOURNAL} and {other.folder / JOURNAL}: hanchan {game} is in both, and differs; leave one "
            "of the two parts out"
        )


def _refuse_foreign(part: PartFolder, line: HanchanSummary, plan: PoolPlan) -> None:
    """Raise BadInput if a hanchan is not of this part."""
    own = part.told is None or part.told.own.has(line.set)
    if line.set != line.game // plan.set_size or line.game >= plan.games or not own:
        whose = f"this {plan.KIND}" if part.told is None else f"part {part.told.own}"
        where = f"{part.folder / JOURNAL}: hanchan {line.game} of set {line.set}"
        raise BadInput(f"{where} does not belong to {whose}; {ANEW}")


def missing_lines(gathered: Gathered[Any, Any], missing: Sequence[Job]) -> list[str]:
    """Say what is missing, and with which command it is played."""
    parts = gathered.parts
    of = {part.told.of for part in parts if part.told is not None}
    sets = sorted({job.set for job in missing})
    if len(of) != 1:
        named = ", ".join(map(str, sets[:NAMED])) + (", …" if len(sets) > NAMED else "")
        return [f"sets {named} are missing; go on with the parts that have them"] if sets else []
    several = of.pop()
    numbers = Counter(number % several + 1 for number in sets)
    known = {part.told.part: part for part in parts if part.told is not None}
    like = min(parts, key=lambda part: part.is_open)
    lines = []
    for number, count in sorted(numbers.items())[:NAMED]:
        own = PartOf(number, several)
        if number in known:
            lines.append(f"part {own} is not finished, sets to play: {count}; go on with {known[number].again}")
        elif like.again.endswith(like.name):
            lines.append(f"part {own} is missing: {like.again} --part {own} --out part-{number}")
        else:
            lines.append(f"part {own} is missing: give its command with --part {own}")
    rest = len(numbers) - len(lines)
    return [*lines, f"… and {rest} more parts"] if rest else lines


class Comparing:
    def __init__(self, folders: Sequence[Path]) -> None:
        """BadInput if the parts do not fit."""
        self.fork_plan = fork_plan_in(folders[0])
        self.forks: dict[int, ForkedGame] = {}
        parts = [self._part(folder) for folder in folders]
        plan = alike(parts)
        assert isinstance(plan, MatchPlan)
        if self.fork_plan.baseline != parts[0].digest:
            raise BadInput(f"{folders[0] / PLAN}: belongs to another {BASELINE} than the one beside it; {ANEW}")
        self.hanchan = max(part.told.sets for part in parts if part.told is not None)
        self.baseline = Gathered(parts, plan, lambda plan: Stopping(plan, self.hanchan))

    def _part(self, folder: Path) -> PartFolder:
        refuse_other(folder, self.fork_plan)
        known = part_in(folder)
        if known is None:
            raise BadInput(f"{told(folder)}: holds a whole comparison, not a part of one; leave it out")
        if wanted := known.digests.get(FORKS):
            if digest_of(folder / FORKS) != wanted:
                raise BadInput(f"{folder / FORKS}: has changed since the part was over; {ANEW}")
            games, _ = read_forks(folder / FORKS)
            for game, forked in games.items():
                if self.forks.setdefault(game, forked) != forked or not known.own.has(game):
                    raise BadInput(f"{folder / FORKS}: hanchan {game} is in another part, and differs; {ANEW}")
        return part_folder(folder / BASELINE, MatchPlan, known)

    def missing(self) -> list[Job]:
        """Return the hanchan that lack their game or their forks."""
        ended = {line.game for line in self.baseline.lines() if line.ended}
        gone = {job.game for job in self.baseline.missing()}
        jobs = self.baseline.plan.jobs(self.hanchan)
        return [job for job in jobs if job.game in gone or (job.game in ended and job.game not in self.forks)]

    def write(self, folder: Path, out: Path) -> Comparison:
        """Write the comparison to a new folder that will be `out`."""
        plan = self.baseline.plan
        new, old = told_apart(self.fork_plan.candidate, terms_in(plan.players)[0])
        with telling(folder):
            folder.mkdir(mode=0o700)
        store, _, _ = self.baseline.write(folder / BASELINE, lambda path, store, done: "")
        games = [line.game for line in store.lines() if line.ended]
        with closing(ForkStore(folder, self.fork_plan)) as forks:
            forks.games = self.forks
            ended = Comparison(
                names=(old.label, new.label),
                seats=plan.seats,
                probe=Probe(),
                found=judged([self.forks[game] for game in games], plan.rules) if games else None,
                confirmation=None,
                out=told(out),
            )
            forks.finish(games, files_of(ended, plan.rules, folder / BASELINE / RECORDS, folder))
        return ended


def kind_in(folder: Path, names: Sequence[str]) -> str:
    """Return which of these files the folder has. BadInput if it has none."""
    if not folder.is_dir():
        raise BadInput(f"{told(folder)}: there is no such folder")
    found = next((name for name in names if os.path.lexists(folder / name)), None)
    if found is None:
        raise BadInput(f"{told(folder)}: is not a part: it holds none of {', '.join(names)}; {ANEW}")
    return found


@contextmanager
def written(out: Path, parts: Sequence[PartTold]) -> Iterator[Path]:
    """Make a folder beside `out` that becomes `out` in the end, or is removed."""
    if os.path.lexists(out):
        raise BadInput(f"{told(out)} exists already; name a new folder")
    work = out.with_name(f"{out.name}.part")
    with telling(out.parent):
        out.parent.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(work, ignore_errors=True)
        try:
            yield work
            told_of = msgspec.json.format(msgspec.json.encode(parts), indent=1) + b"\n"
            replace_whole(work / PARTS, told_of)
            work.rename(out)
        except BaseException:
            shutil.rmtree(work, ignore_errors=True)
            raise
