"""What tells walls that are still to be played is not in a match's folder while the match runs: its seed, and the
records of hanchan whose wall set has others to come. It is where only this user can read it (`sealed.state`):

    match.json    the whole plan, tournament.json of a tournament; in the folder it stands without its seed, and with
                  `sealed`, its digest
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
from typing import TypeVar, overload

import msgspec

from jantaku.table.disk import replace_whole
from jantaku.table.errors import BadInput
from jantaku.table.foreign.files import bytes_of
from jantaku.table.match.plan.plan import MatchPlan
from jantaku.table.match.plan.pool import PoolPlan
from jantaku.table.match.workers.hanchan import Places
from jantaku.table.record import left
from jantaku.table.record.lines import LARGEST
from jantaku.table.record.sealed import move, name_for, state

RECORDS, PLAYING, LOGS = "records", "playing", "logs"
KINDS = ("match", "tournament")
"""What a folder may hold: `PoolPlan.KIND`."""
PLAN = "match.json"
"""That of a match: `plan_name` of its kind."""
_NAME = re.compile(r"game-(\d+)\.")
P = TypeVar("P", bound=PoolPlan)
T = TypeVar("T", bound=msgspec.Struct)


class _Head(msgspec.Struct):
    """What is told of any plan: its players, and its digest if it is that of a match that is running, or was killed."""

    names: tuple[str, ...]
    sealed: str = ""


class Hidden:
    """The hidden part of the match in `folder`."""

    def __init__(self, folder: Path, plan: PoolPlan) -> None:
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
        name = plan_name(self._plan.KIND)
        replace_whole(self._place / name, self._plan.encoded(), private=True)
        replace_whole(self._folder / name, self._plan.sealed(), private=True)
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
        replace_whole(self._folder / plan_name(self._plan.KIND), self._plan.encoded(), private=True)
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


def places_in(folder: Path, plan: PoolPlan) -> Places:
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
    path = _plan_file(folder)
    return "/" if path is None else f"{_read(path, _Head).sealed or '/'}-"


def plan_name(kind: str) -> str:
    """The name of the file with the plan of a `PoolPlan.KIND`."""
    return f"{kind}.json"


def _plan_file(folder: Path) -> Path | None:
    """The plan of whatever is in a folder."""
    return next((path for kind in KINDS if os.path.lexists(path := folder / plan_name(kind))), None)


def names_in(folder: Path) -> tuple[str, ...]:
    """The players of what is played in a folder; none if that is only records."""
    path = _plan_file(folder)
    return () if path is None else _read(path, _Head).names


@overload
def plan_in(folder: Path, *seeds: int | str, whole: bool = ...) -> MatchPlan: ...
@overload
def plan_in(folder: Path, *seeds: int | str, whole: bool = ..., kind: type[P]) -> P: ...
def plan_in(folder: Path, *seeds: int | str, whole: bool = True, kind: type[PoolPlan] = MatchPlan) -> PoolPlan:
    """The plan of the match in a folder. BadInput if there is none, or if it is to be `whole`, is that of a match that
    was killed, and neither what is hidden of it is here nor its seed among `seeds`."""
    path = folder / plan_name(kind.KIND)
    if not os.path.lexists(path):
        other = _plan_file(folder)
        hint = "" if other is None else f", but a {other.stem}: jantaku {other.stem} --resume {folder}"
        raise BadInput(f"{folder}: holds no {kind.KIND}: there is no {path.name}{hint}")
    plan, sealed = _read(path, kind), _read(path, _Head).sealed
    if not sealed or not whole:
        return plan
    for found in _opened(plan, sealed, folder, seeds):
        if found.digest == sealed:
            return found
    raise BadInput(
        f"{folder}: this {kind.KIND} was killed, and its seed is neither in {state('matches')} nor the one given: "
        "give --seed"
    )


def _opened(plan: P, sealed: str, folder: Path, seeds: Iterable[int | str]) -> Iterator[P]:
    """What the plan may be."""
    exact = _place_of(sealed, folder)
    for place in (exact, *sorted(exact.parent.glob(f"{sealed}-*"))):  # the folder may have been moved
        with suppress(BadInput):
            yield _read(place / plan_name(plan.KIND), type(plan))
    for seed in seeds:
        yield msgspec.structs.replace(plan, seed=seed)


def _read(path: Path, kind: type[T]) -> T:
    content = bytes_of(path, LARGEST)
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"{path}: is not the plan of a {path.stem}: {error}") from None
