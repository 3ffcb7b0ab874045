"""What tells walls that are still to be played is not in a match's folder while the match runs: its seed, and the
records of hanchan whose wall set has others to come. It is where only this user can read it (`sealed.state`):

    match.json    the whole plan; in the folder it stands without its seed, as `SealedPlan`
    records/      of the sets that are not over
    playing/      journals of hanchan in progress, worth nothing after an interruption

Records take their place when their set is over, all of it when the match ends in whichever way. After a kill the next
`--resume` takes up what is there.
"""

import os
import re
import shutil
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Set
from contextlib import suppress
from pathlib import Path

import msgspec

from table.errors import BadInput
from table.foreign.files import bytes_of
from table.match.folder.disk import replace_whole
from table.match.plan.plan import MatchPlan
from table.match.workers.hanchan import Places
from table.record import left
from table.record.lines import LARGEST
from table.record.sealed import move, name_for, state

PLAN, RECORDS, PLAYING, LOGS = "match.json", "records", "playing", "logs"
_NAME = re.compile(r"game-(\d+)\.")


class SealedPlan(MatchPlan, frozen=True, kw_only=True):
    """The plan of a match that is running, or was killed: `sealed` is its digest, and the seed is missing."""

    sealed: str = ""


class Hidden:
    """The hidden part of the match in `folder`."""

    def __init__(self, folder: Path, plan: MatchPlan) -> None:
        self._folder, self._plan = folder, plan
        self._place = _place_of(plan.digest, folder)
        self._records = self._place / RECORDS
        self._begun = False
        """Whether what is there is of this process: of another one nothing may be touched."""
        self._kept: Counter[int] = Counter()
        """Number of hanchan kept of each set that is not over."""

    def gather(self) -> None:
        """Move all records that are here to the folder: left over from a kill."""
        if self._records.is_dir():
            _move(os.listdir(self._records), self._records, self._folder / RECORDS)

    def begin(self, kept: Set[int]) -> None:
        """The match starts or resumes. `kept`: the finished hanchan, all of whose records are in the folder. OSError if
        the disk refuses."""
        left.forget(self._place)
        self._begun = True
        for folder in (self._records, self._place / PLAYING):  # the plan is nowhere else after a kill
            shutil.rmtree(folder, ignore_errors=True)
        for folder in (self._place, self._records, self._place / PLAYING):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_whole(self._place / PLAN, self._plan.encoded(), private=True)
        told = {**msgspec.structs.asdict(self._plan), "seed": "", "sealed": self._plan.digest}
        replace_whole(self._folder / PLAN, SealedPlan(**told).encoded(), private=True)
        left.note(self._place, self._folder)
        _clear(self._place.parent)
        for game in kept:
            self._kept[game // self._plan.set_size] += 1
        self._kept = Counter({number: count for number, count in self._kept.items() if count < self._plan.set_size})
        self._move(self._kept, self._folder / RECORDS, self._records)

    def put(self, name: str, content: bytes) -> None:
        """Keep a record that came without a file."""
        replace_whole(self._records / name, content, awaited=False)

    def keep(self, game: int) -> None:
        """A hanchan is finished, and its records are here: those of its set are moved if it was the last of it."""
        number = game // self._plan.set_size
        self._kept[number] += 1
        if self._kept[number] == self._plan.set_size:
            del self._kept[number]
            self._move((number,), self._records, self._folder / RECORDS)

    def end(self) -> None:
        """The match is over, or goes on some other time. May be called again. OSError if the disk refuses."""
        if not self._begun:
            return
        self.gather()
        replace_whole(self._folder / PLAN, self._plan.encoded(), private=True)
        left.forget(self._place)
        shutil.rmtree(self._place, ignore_errors=True)
        self._begun = False

    def _move(self, sets: Container[int], source: Path, target: Path) -> None:
        """All records of these sets."""
        _move([name for name in os.listdir(source) if self._set_of(name) in sets], source, target)

    def _set_of(self, name: str) -> int:
        """The set whose record has that name; -1 if it is no record."""
        found = _NAME.match(name)
        return int(found[1]) // self._plan.set_size if found else -1


def _move(names: Iterable[str], source: Path, target: Path) -> None:
    for name in names:
        move(source / name, target / name)


def places_in(folder: Path, plan: MatchPlan) -> Places:
    """Where the tables of a match in this folder play."""
    place = _place_of(plan.digest, folder)
    return Places(place / PLAYING, place / RECORDS, folder / LOGS)


def _place_of(digest: str, folder: Path) -> Path:
    return state("matches") / name_for(digest, folder)


def _clear(folder: Path) -> None:
    """Remove leftovers of killed matches that cannot be resumed."""
    for place, is_old in left.old_of(folder):
        match = left.belongs_to(place)
        gone = is_old and (match is None or not match.is_dir())
        with suppress(BadInput):
            gone = gone or (match is not None and match.is_dir() and not place.name.startswith(_sealed_in(match)))
        if gone:
            left.forget(place)
            shutil.rmtree(place, ignore_errors=True)


def _sealed_in(folder: Path) -> str:
    """How names of what is hidden of the match in a folder begin: of none if there is no match, or one that is over."""
    path = folder / PLAN
    return f"{_read(path).sealed or '/'}-" if os.path.lexists(path) else "/"


def plan_in(folder: Path, *seeds: int | str, whole: bool = True) -> MatchPlan:
    """The plan of the match in a folder. BadInput if there is none, or if it is to be `whole`, is that of a match that
    was killed, and neither what is hidden of it is here nor its seed among `seeds`."""
    path = folder / PLAN
    if not os.path.lexists(path):
        raise BadInput(f"{folder}: holds no match: there is no {PLAN}")
    plan = _read(path)
    if not plan.sealed or not whole:
        return _whole(plan)
    for found in _opened(plan, folder, seeds):
        if found.digest == plan.sealed:
            return found
    raise BadInput(
        f"{folder}: this match was killed, and its seed is neither in {state('matches')} nor the one given: give --seed"
    )


def _opened(plan: SealedPlan, folder: Path, seeds: Iterable[int | str]) -> Iterator[MatchPlan]:
    """What the plan may be."""
    exact = _place_of(plan.sealed, folder)
    for place in (exact, *sorted(exact.parent.glob(f"{plan.sealed}-*"))):  # the folder may have been moved
        with suppress(BadInput):
            yield _whole(_read(place / PLAN))
    for seed in seeds:
        yield _whole(msgspec.structs.replace(plan, seed=seed))


def _whole(plan: SealedPlan) -> MatchPlan:
    told = msgspec.structs.asdict(plan)
    return MatchPlan(**{name: told[name] for name in MatchPlan.__struct_fields__})


def _read(path: Path) -> SealedPlan:
    content = bytes_of(path, LARGEST)
    try:
        return msgspec.json.decode(content, type=SealedPlan)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"{path}: is not the plan of a match: {error}") from None
