"""Makes of the parts of a match or tournament what one machine would have written, and says how it stands while parts
are missing.

A part is the folder of a match in which only some wall sets are played; any folder of the same plan will do. Lines are
read as `--resume` reads them, and each is checked against its record, so that what is torn or changed is never counted.
What is written goes through the writers of a match, into a folder beside that becomes OUT in the end.
"""

import os
import shutil
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import takewhile
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from jantaku.table.arena.match.conduct import Finished, Schedule, conduct
from jantaku.table.arena.match.figures.summary import HanchanSummary, TimeLine, summary
from jantaku.table.arena.match.hanchan import PlayedHanchan, give_up, stem_of
from jantaku.table.arena.match.plan import Job, PoolPlan, differences
from jantaku.table.arena.match.records import P, known_plan
from jantaku.table.arena.match.store import JOURNAL, Store, read_lines
from jantaku.table.ground.disk import replace_whole, telling
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign import bytes_of, opened
from jantaku.table.ground.installation import told, typed, version
from jantaku.table.judge.faults import OUT_OF_TIME
from jantaku.table.play import seeds
from jantaku.table.play.parts import ANEW, Host, PartFile, PartOf, part_in
from jantaku.table.records.journal.lines import LARGEST, RECORDS, plan_name
from jantaku.table.records.journal.writer import journal_of

PARTS = "parts.json"
NAMED = 12
"""Most missing parts that are named."""
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
        return typed(f"{self.plan.KIND} --resume {self.name}") if self.plan.KIND == "match" else "its own command"

    def line(self, game: int) -> HanchanSummary:
        """Read the line of a hanchan."""
        with opened(self.folder / JOURNAL) as file:
            file.seek(self.at[game])
            return msgspec.json.decode(file.readline(), type=HanchanSummary)


def part_folder(folder: Path, kind: type[PoolPlan]) -> PartFolder:
    """Read what is in the folder of a part. Of one that is open only hanchan count whose records are there: those of
    sets that are over. BadInput if it is not what a part writes."""
    plan, digest, is_open = known_plan(folder, kind)
    at, _ = read_lines(folder / JOURNAL, HanchanSummary, digest, kind.KIND)
    if is_open:
        with telling(folder):
            there = {name.partition(".")[0] for name in os.listdir(folder / RECORDS)}
        at = {game: place for game, place in at.items() if stem_of(game) in there}
    return PartFolder(folder, plan, digest, is_open, part_in(folder), at)


class Gathered(Generic[P, R]):
    """The hanchan of all parts, and a schedule that knows of them."""

    def __init__(self, parts: Sequence[PartFolder], plan: P, schedule: Callable[[P], Schedule[R]]) -> None:
        """`plan`: that of the parts, with another stopping rule or none. BadInput if the parts do not fit."""
        self.parts, self.plan, self._schedule = parts, plan, schedule
        self._part_of: dict[int, PartFolder] = {}
        for part in parts:
            for game in part.at:
                if (other := self._part_of.setdefault(game, part)) is not part:
                    _refuse_two(game, other, part)
        self.of_parts = {part.folder: _told_of(part) for part in parts}
        self.schedule = schedule(plan)
        for line in self.lines():
            self.schedule.add(line)

    def lines(self) -> Iterator[HanchanSummary]:
        """Yield every hanchan once, in the order of the plan."""
        for each in self.of_parts.values():
            each.hanchan, each.lost = 0, Counter()
        for game in sorted(self._part_of):
            part = self._part_of[game]
            line = part.line(game)
            self._refuse_foreign(part, line)
            each = self.of_parts[part.folder]
            each.hanchan += 1
            for name, faults in zip(line.players, line.faults, strict=True):
                each.lost[name] += sum(faults.get(word, 0) for word in OUT_OF_TIME)
            yield line

    def _refuse_foreign(self, part: PartFolder, line: HanchanSummary) -> None:
        number, size = line.set, self.plan.set_size
        own = part.told is None or part.told.own.has(number)
        if number != line.game // size or line.game >= self.plan.games or not own:
            whose = "this match" if part.told is None else f"part {part.told.own}"
            raise BadInput(f"{part.folder / JOURNAL}: hanchan {line.game} of set {number} is not of {whose}; {ANEW}")

    def over(self) -> Iterator[HanchanSummary]:
        """Yield the hanchan of all sets that are over."""
        size = self.plan.set_size
        came = Counter(game // size for game in self._part_of)
        yield from (line for line in self.lines() if came[line.set] == size)

    def missing(self) -> list[Job]:
        """Return the hanchan that are still to be played, of those that are known."""
        if self.schedule.reason:
            return []
        return [job for job in self._jobs() if job.game not in self._part_of]

    def _jobs(self) -> Iterator[Job]:
        yield from (job for job in takewhile(lambda one: one is not None, self.schedule.jobs()) if job is not None)

    def write(
        self, out: Path, report: Callable[[Path, Store[P], Finished[R]], str]
    ) -> tuple[Store[P], Finished[R], str]:
        """Write the whole to a new folder, and nothing if a hanchan cannot be counted. Return it, its results, and why
        it has no report."""
        if os.path.lexists(out):
            raise BadInput(f"{told(out)} exists already; name a new folder")
        work = out.with_name(f"{out.name}.part")
        shutil.rmtree(work, ignore_errors=True)
        try:
            with closing(Store.gathered(work, self.plan, self._copied(work / RECORDS))) as store:
                done = conduct(store, _Nobody(), self._schedule(self.plan))
                without = report(work / "report.html", store, done)
            with telling(out):
                replace_whole(work / PARTS, _pretty(list(self.of_parts.values())))
                work.rename(out)
        except BaseException:
            shutil.rmtree(work, ignore_errors=True)
            raise
        store.folder = out
        return store, done, without

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
                raise _torn(part, path, "it does not end as its line says")
            found = found if line.ended else msgspec.structs.replace(found, reason=line.reason)
        wanted = {"seed": seed, "players": given_up.line.players, "set": job.set, "rules": self.plan.rules_digest}
        line = line if line.seed else msgspec.structs.replace(line, seed=seed)
        wrong = [name for name in line.__struct_fields__ if getattr(line, name) != getattr(found, name)]
        wrong += [name for name, value in wanted.items() if getattr(found, name) != value]
        if wrong:
            raise BadInput(
                f"{part.folder / JOURNAL}: hanchan {job.game}: {', '.join(dict.fromkeys(wrong))} differ from its "
                f"record and the plan; remove the line, and {part.again} plays it again"
            )
        return line, times, files


class _Nobody:
    """Plays nothing: all is there."""

    def run(self, jobs: object) -> Generator[PlayedHanchan, None, None]:
        yield from ()


def _files(journal: Path, *, is_whole: bool) -> dict[str, bytes]:
    """Return the records of a hanchan by name."""
    kept = journal.with_suffix(".json")
    files = {journal.name: bytes_of(journal, LARGEST)}
    if is_whole or kept.is_file():
        files[kept.name] = bytes_of(kept, LARGEST)
        msgspec.json.decode(files[kept.name], type=msgspec.Raw)
    return files


def _torn(part: PartFolder, path: Path, why: object) -> BadInput:
    return BadInput(f"{path}: is missing or not whole ({why}); {part.again} plays it again")


def _told_of(part: PartFolder) -> PartTold:
    hosts = [] if part.told is None else part.told.hosts
    pace = 0.0 if part.told is None else part.told.pace
    return PartTold(part.name, "" if part.told is None else str(part.told.own), hosts, round(pace, 3))


def _refuse_two(game: int, one: PartFolder, other: PartFolder) -> None:
    """Raise BadInput if two parts tell of a hanchan in two ways."""
    a, b = (msgspec.structs.replace(part.line(game), seed="") for part in (one, other))
    if a != b:
        raise BadInput(
            f"{one.folder / JOURNAL} and {other.folder / JOURNAL}: hanchan {game} is in both, and differs; leave one "
            "of the two parts out"
        )


def alike(parts: Sequence[PartFolder]) -> PoolPlan:
    """Return the plan of these parts, without a seed if none has ended. BadInput if they are of two matches, or of
    another version of jantaku."""
    first = min(parts, key=lambda part: part.is_open)
    plan: PoolPlan = first.plan
    for part in parts:
        if part.digest != first.digest:
            seeds_apart = part.is_open or first.is_open
            other = msgspec.structs.replace(part.plan, seed=plan.seed) if seeds_apart else part.plan
            found = "; ".join(differences(plan, other)) or "the seed"
            raise BadInput(f"{part.name}: is of another {plan.KIND} than {first.name}: {found}; leave it out")
    if plan.version != version():
        raise BadInput(
            f"{first.name}: was played by jantaku {plan.version}, and this is {version()}; collect with the version "
            "that played"
        )
    return plan


def missing_lines(gathered: Gathered[Any, Any], missing: Sequence[Job]) -> list[str]:
    """Say what is missing, and with which command it is played."""
    parts, plan = gathered.parts, gathered.plan
    of = {part.told.of for part in parts if part.told is not None}
    sets = sorted({job.set for job in missing})
    if len(of) != 1:
        named = ", ".join(map(str, sets[:NAMED])) + (", …" if len(sets) > NAMED else "")
        return [f"sets {named} are missing; go on with the part that has them"]
    several = of.pop()
    numbers = Counter(number % several + 1 for number in sets)
    known = {part.told.part: part for part in parts if part.told is not None}
    ended = next((part.name for part in parts if not part.is_open), parts[0].name)
    lines = []
    for number, count in sorted(numbers.items())[:NAMED]:
        own = PartOf(number, several)
        if number in known:
            lines.append(f"part {own}: {count} sets are not over: {known[number].again}")
        elif plan.KIND == "match":
            again = typed(f"match --resume {ended} --part {own} --out part-{number}")
            lines.append(f"part {own} is missing: {again}")
        else:
            lines.append(f"part {own} is missing: its command with --part {own}")
    rest = len(numbers) - len(lines)
    return [*lines, f"… and {rest} more parts"] if rest else lines


def kind_in(folder: Path, names: Sequence[str]) -> str:
    """Return which of these files the folder has. BadInput if it has none."""
    if not folder.is_dir():
        raise BadInput(f"{told(folder)}: there is no such folder")
    found = next((name for name in names if os.path.lexists(folder / name)), None)
    if found is None:
        raise BadInput(
            f"{told(folder)}: is no part: it holds none of {', '.join(names)}; leave it out, or play it anew"
        )
    return found


def parts_in(folders: Sequence[Path], kind: type[PoolPlan]) -> list[PartFolder]:
    """Read these parts, each once."""
    wanted = plan_name(kind.KIND)
    for folder in folders:
        if (found := kind_in(folder, (wanted, *_OTHERS))) != wanted:
            raise BadInput(
                f"{told(folder)}: holds {found}, and {told(folders[0])} {wanted}; collect one kind at a time"
            )
    return [part_folder(folder, kind) for folder in dict.fromkeys(folders)]


_OTHERS = ("compare.json", "match.json", "tournament.json", "about.json")


def _pretty(value: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n"
