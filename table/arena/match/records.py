"""Reads records for their figures: of matches, of `jantaku play`, and from other programs. Apart from the records it
reads only the names and the stopping rule of a match.

It also keeps what tells of walls still to be played out of a match's folder while the match runs: its seed, and the
records of hanchan whose wall set is not over. It lies in a place that only this user can read (`sealed.state`):

    match.json    the whole plan, tournament.json of a tournament; the copy in the match's folder has no seed, and in
                  `sealed` its digest
    records/      records of sets that are not over
    playing/      journals of hanchan in progress, worthless after an interruption

The records of a set move to the folder when the set is over, and all the rest when the match ends in any way. After a
kill, `--resume` moves what is there.
"""

import os
import re
import shutil
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, TypeVar, overload

import msgspec

from jantaku.table.arena.match.figures.games import PlayedGames
from jantaku.table.arena.match.figures.looks import Looks
from jantaku.table.arena.match.figures.luck import luck_of
from jantaku.table.arena.match.figures.stops import looks_of
from jantaku.table.arena.match.figures.summary import HanchanSummary, TimeLine, summary
from jantaku.table.arena.match.figures.tally import MatchTally
from jantaku.table.arena.match.figures.timing import Spent
from jantaku.table.arena.match.hanchan import Places
from jantaku.table.arena.match.plan import MatchPlan
from jantaku.table.arena.match.pool import PoolPlan
from jantaku.table.arena.match.ranklists import USUAL, rank_points
from jantaku.table.ground.disk import replace_whole
from jantaku.table.ground.errors import BadInput, OtherGame
from jantaku.table.ground.foreign.files import bytes_of
from jantaku.table.play.parts import LOGS
from jantaku.table.records.journal import sealed
from jantaku.table.records.journal.lines import LARGEST, Line, content_of, from_json
from jantaku.table.records.journal.places import KINDS, RECORDS, plan_name
from jantaku.table.records.journal.read import Record, load
from jantaku.table.records.journal.sealed import move, name_for, state
from jantaku.table.riichi.rules import Rules, unit_of

PLAYING = "playing"
PLAN = "match.json"
"""The name of a match's plan file: `plan_name("match")`."""
_HIDDEN_NAME = re.compile(r"game-(\d+)\.")
P = TypeVar("P", bound=PoolPlan)
T = TypeVar("T", bound=msgspec.Struct)


class _Head(msgspec.Struct):
    """The fields that every plan file has: its players, and the digest of the whole plan if the match is running or was
    killed."""

    names: tuple[str, ...]
    sealed: str = ""


class Hidden:
    """The hidden part of the match in `folder`."""

    def __init__(self, folder: Path, plan: PoolPlan) -> None:
        self._folder, self._plan = folder, plan
        self._place = _place_of(plan.digest, folder)
        self._records = self._place / RECORDS
        self._begun = False
        """Whether this process began the match. What another process hides must not be touched."""
        self._kept: Counter[int] = Counter()
        """Number of kept hanchan for each set that is not over."""

    def gather(self) -> None:
        """Move to the folder all records that a killed process left here."""
        if self._records.is_dir():
            _move(os.listdir(self._records), self._records, self._folder / RECORDS)

    def begin(self, kept: Set[int]) -> None:
        """Start or resume the match. `kept`: the finished hanchan, whose records are all in the folder. OSError if the
        disk refuses."""
        sealed.forget(self._place)
        self._begun = True
        for folder in (self._records, self._place / PLAYING):  # keeps the place: only it has the whole plan
            shutil.rmtree(folder, ignore_errors=True)
        for folder in (self._place, self._records, self._place / PLAYING):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        name = plan_name(self._plan.KIND)
        replace_whole(self._place / name, self._plan.encoded(), private=True)
        replace_whole(self._folder / name, self._plan.sealed(), private=True)
        sealed.note(self._place, self._folder)
        _clear(self._place.parent)
        for game in kept:
            self._kept[game // self._plan.set_size] += 1
        self._kept = Counter({number: count for number, count in self._kept.items() if count < self._plan.set_size})
        self._move(self._kept, self._folder / RECORDS, self._records)

    def put(self, name: str, content: bytes) -> None:
        """Write a record that came as bytes, of a hanchan that was given up."""
        replace_whole(self._records / name, content, awaited=False)

    def keep(self, game: int) -> None:
        """Count a finished hanchan, whose records are here. After the last one of a set, move the records of that
        set."""
        number = game // self._plan.set_size
        self._kept[number] += 1
        if self._kept[number] == self._plan.set_size:
            del self._kept[number]
            self._move((number,), self._records, self._folder / RECORDS)

    def end(self) -> None:
        """Move everything to the folder: the match is over, or is interrupted. May be called again. OSError if the disk
        refuses."""
        if not self._begun:
            return
        self.gather()
        replace_whole(self._folder / plan_name(self._plan.KIND), self._plan.encoded(), private=True)
        sealed.forget(self._place)
        shutil.rmtree(self._place, ignore_errors=True)
        self._begun = False

    def _move(self, sets: Container[int], source: Path, target: Path) -> None:
        _move([name for name in os.listdir(source) if self._set_of(name) in sets], source, target)

    def _set_of(self, name: str) -> int:
        """Return the set of the record with that name; -1 if it is not a record."""
        found = _HIDDEN_NAME.match(name)
        return int(found[1]) // self._plan.set_size if found else -1


def _move(names: Iterable[str], source: Path, target: Path) -> None:
    for name in names:
        move(source / name, target / name)


def places_in(folder: Path, plan: PoolPlan) -> Places:
    place = _place_of(plan.digest, folder)
    return Places(place / PLAYING, place / RECORDS, folder / LOGS)


def _place_of(digest: str, folder: Path) -> Path:
    return state("matches") / name_for(digest, folder)


def _clear(folder: Path) -> None:
    """Remove leftovers of killed matches that cannot be resumed."""
    for place, is_old in sealed.old_of(folder):
        match = sealed.belongs_to(place)
        gone = is_old and (match is None or not match.is_dir())
        with suppress(BadInput):
            gone = gone or (match is not None and match.is_dir() and not place.name.startswith(_sealed_in(match)))
        if gone:
            sealed.forget(place)
            shutil.rmtree(place, ignore_errors=True)


def _sealed_in(folder: Path) -> str:
    """Return the prefix of names that belong to the running or killed match in a folder. "/", which begins no name, if
    there is none."""
    path = _plan_file(folder)
    return "/" if path is None else f"{_read(path, _Head).sealed or '/'}-"


def _plan_file(folder: Path) -> Path | None:
    """Return the path of the plan in a folder, of whichever kind; None if there is none."""
    return next((path for kind in KINDS if os.path.lexists(path := folder / plan_name(kind))), None)


def names_in(folder: Path) -> tuple[str, ...]:
    """Return the players named by the plan in a folder; empty if the folder holds only records."""
    path = _plan_file(folder)
    return () if path is None else _read(path, _Head).names


@overload
def plan_in(folder: Path, *seeds: int | str, whole: bool = ...) -> MatchPlan: ...
@overload
def plan_in(folder: Path, *seeds: int | str, whole: bool = ..., kind: type[P]) -> P: ...
def plan_in(folder: Path, *seeds: int | str, whole: bool = True, kind: type[PoolPlan] = MatchPlan) -> PoolPlan:
    """Read the plan of the match in a folder. BadInput if there is none. For the plan of a killed match that is to be
    `whole`, BadInput as well if neither its hidden copy nor one of `seeds` fits its digest."""
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


def known_plan(folder: Path, kind: type[P]) -> tuple[P, str, bool]:
    """Return the plan in a folder as it stands there, the digest of the whole plan, and whether the match is running or
    was killed: then the plan has no seed."""
    path = folder / plan_name(kind.KIND)
    plan, sealed = _read(path, kind), _read(path, _Head).sealed
    return plan, sealed or plan.digest, bool(sealed)


def _opened(plan: P, sealed: str, folder: Path, seeds: Iterable[int | str]) -> Iterator[P]:
    """Yield plans that may be the whole one."""
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


_NAME = re.compile(r"game-(\d+)\.jsonl")


class Run(NamedTuple):
    """What the records of some files and folders add up to."""

    tally: MatchTally
    spent: Spent
    games: PlayedGames
    left_out: Sequence[str] = ()
    """Why each file was left out that could not be read."""
    units: Collection[str] = ()
    """The names of the games, by their lengths; usually one."""

    @property
    def unit(self) -> str:
        """The name of a game; "hanchan", the usual length, if there are several lengths."""
        return next(iter(self.units)) if len(self.units) == 1 else "hanchan"


def numbered(paths: Sequence[Path]) -> list[tuple[int, Path]]:
    """Number these records: by the game number in the name of a jantaku journal, else by position."""
    return [(int(own[1]) if (own := _NAME.fullmatch(path.name)) else at, path) for at, path in enumerate(paths)]


def read_runs(named: Mapping[Path, Sequence[Path]], *, luck: bool = False, pt: str = USUAL) -> Run:
    """Add up the records of all these files and folders; with `luck`, also what chance gave their players. `pt`: the
    list of rank points, see `units`. Equal names count as one player."""
    matches = dict.fromkeys(path.parent.parent for paths in named.values() for path in paths)
    held = [folder for folder in matches if (folder / PLAN).is_file()]
    stopped = {looks_of(plan_in(folder, whole=False).stop) for folder in held}
    looks = next((each for each in (Looks.ANY, Looks.WIDTH) if each in stopped), Looks.ONCE)
    left_out: list[str] = []
    units: set[str] = set()
    tally = MatchTally(looks=looks, points_by_rank=rank_points(pt))
    run = Run(tally, Spent(), PlayedGames(), left_out, units)
    for word, paths in named.items():
        run.tally.expect(names_in(word) if word.is_dir() else ())
        for game, path in numbered(paths):
            try:
                units.add(_take(run, game, path, luck=luck))
            except BadInput as error:
                if isinstance(error, OtherGame) or word == path or _NAME.fullmatch(path.name):
                    raise
                left_out.append(str(error))
    return run


class Summarised(NamedTuple):
    """One record of any format in figures. `record` is None for a journal, which is summed up without being read in
    full; `header` is its first line."""

    line: HanchanSummary
    times: TimeLine
    header: Line
    record: Record | None

    @property
    def unit(self) -> str:
        return unit_of(self.header["rules"]["game"].get("length", "hanchan"))


def summarised(game: int, path: Path, rules: Rules | None = None) -> Summarised:
    """Sum up one record of any format. What a journal must have and this record lacks is filled in as by `jantaku
    convert`, its rules with `rules`. BadInput if it cannot be read."""
    from jantaku.table.records.convert.readers import read_any, recognised, write_any  # a match needs none of them

    content, record = content_of(path), None
    if recognised(path, content) != "journal":
        record = read_any(path, rules).record
        record.rules = record.rules or rules
        content, _ = write_any(record, "journal")
    line, times = summary(content, game, str(path))
    if not line.seed:  # its walls are unknown: a set of its own
        line = msgspec.structs.replace(line, seed=str(path))
    return Summarised(line, times, from_json(content.partition(b"\n")[0]), record)


def _take(run: Run, game: int, path: Path, *, luck: bool) -> str:
    """Add one record of any format; return what its game is called."""
    line, times, _, record = told = summarised(game, path)
    if luck and line.ended and not run.tally.no_luck:
        try:
            line = msgspec.structs.replace(line, luck=luck_of(record or load(path)))
        except BadInput as why:
            run.tally.refuse_luck(str(why))
    run.tally.add(line)
    run.spent.add(times)
    run.games.add_line(line, path)
    return told.unit
