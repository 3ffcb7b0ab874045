"""The folder of a match. What is in it outlives any kill; what is not in it is played again.

    match.json       the plan
    journal.jsonl    a line per finished hanchan, the truth; see `summary.Line`
    games.sqlite     the same as tables `games` and `seats`, made anew from the journal whenever they differ
    times.jsonl      decision times, apart because no two runs have the same
    records/         journal and 牌譜 of every hanchan
    logs/            what players that are programs write to stderr
    playing/         journals of hanchan in progress, worth nothing after an interruption

A hanchan's records are written first, then its line, then its rows: only then it counts. Only the line is waited for
until it is on disk: a hanchan whose records a power cut took is played again, see `lost`. Lines come in the order in
which hanchan end; `finish` puts them in the order of the plan, so that finished folders are alike byte by byte.
"""

import os
import shutil
from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager, suppress
from io import RawIOBase
from pathlib import Path
from typing import TypeVar

import msgspec

from table.errors import BadInput
from table.foreign.files import bytes_of, opened
from table.match.figures.summary import HanchanSummary, TimeLine, Times, summary
from table.match.folder.lost import lost
from table.match.folder.sqlite import SqliteGames
from table.match.plan.plan import MatchPlan, differences
from table.match.workers.hanchan import Places, PlayedHanchan, stem_of
from table.record.journal import journal_of
from table.record.lines import LARGEST

PLAN, JOURNAL, TIMES, SQLITE = "match.json", "journal.jsonl", "times.jsonl", "games.sqlite"
RECORDS, PLAYING, LOGS = "records", "playing", "logs"
T = TypeVar("T", HanchanSummary, TimeLine)


class FolderHead(msgspec.Struct, frozen=True):
    """The first line of `journal.jsonl` and `times.jsonl`: to which match they belong."""

    jantaku_match: int
    plan: str


class _Number(msgspec.Struct):
    """Which hanchan a line is about."""

    game: int


class Store:
    """An open match folder; one process at a time. `create` or `resume` make it. Close it."""

    def __init__(self, folder: Path, plan: MatchPlan, games: SqliteGames, kept: set[int]) -> None:
        self.folder, self.plan, self.places = folder, plan, places_in(folder)
        self._kept, self._games = kept, games
        self.again: tuple[int, ...] = ()
        """The numbers of the hanchan that were finished once and are to be played again."""
        with _telling(folder):
            self._games.replace(self.lines(), plan)
            shutil.rmtree(self.places.scratch, ignore_errors=True)
            self.places.scratch.mkdir()
            self._journal = (folder / JOURNAL).open("ab", buffering=0)
            self._times = (folder / TIMES).open("ab", buffering=0)

    @classmethod
    def create(cls, folder: Path, plan: MatchPlan) -> "Store":
        """A new match. BadInput if the folder cannot be used or holds anything."""
        with _telling(folder):
            folder.parent.mkdir(parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)  # what is in it tells walls that are still to be played
            held = sorted(path.name for path in folder.iterdir())
            if PLAN not in held and _is_stillborn(folder, held):
                held = []
            if PLAN in held:
                raise BadInput(f"{folder} holds a match already; go on with: jantaku match --resume {folder}")
            if held:
                raise BadInput(f"{folder} is not empty (it holds {held[0]}); give a new or empty folder")
            (folder / RECORDS).mkdir(exist_ok=True)
            for name in (JOURNAL, TIMES):
                (folder / name).write_bytes(_file([], plan))
            replace_whole(folder / PLAN, plan.encoded(), private=True)
            _await_disk(folder)
        return cls(folder, plan, SqliteGames(folder / SQLITE), set())

    @classmethod
    def resume(cls, folder: Path) -> "Store":
        """A match that was interrupted, or finished. Hanchan whose records are lost do not count any more: they are
        `again` to be played. BadInput for a folder or line that is not one of ours."""
        plan = plan_in(folder)
        if not (folder / RECORDS).is_dir():  # thrown away, or on a disk that is not here now: not what a power cut does
            raise BadInput(f"{folder / RECORDS} is missing, and without records no hanchan counts; nothing was changed")
        games = SqliteGames(folder / SQLITE)  # from here on the folder is locked
        try:
            lines, whole = _read(folder / JOURNAL, HanchanSummary, plan)
            times, times_whole = _read(folder / TIMES, TimeLine, plan)
            with _telling(folder):  # half a last line is as good as none
                os.truncate(folder / JOURNAL, whole)
                os.truncate(folder / TIMES, times_whole)
            again = lost(folder / RECORDS, _values(folder / JOURNAL, HanchanSummary))
            kept = lines.keys() - again
            with _telling(folder):
                for name in (JOURNAL, TIMES) if again else ():
                    _put_in_order(folder / name, kept)
            store = cls(folder, plan, games, kept)
        except BaseException:
            games.close()
            raise
        store.again = tuple(sorted(again))
        store._mend_times(times.keys())
        return store

    @property
    def kept(self) -> Set[int]:
        """The numbers of the hanchan that are finished."""
        return self._kept

    def lines(self) -> Iterator[HanchanSummary]:
        """Every finished hanchan, in the order of the journal."""
        return _values(self.folder / JOURNAL, HanchanSummary)

    def times(self) -> Iterator[TimeLine]:
        """The times of every finished hanchan."""
        return _values(self.folder / TIMES, TimeLine)

    def keep(self, played: PlayedHanchan) -> None:
        """Write a finished hanchan. Once this returns, it outlives a kill of this process, and its line a power cut."""
        with _telling(self.folder):
            for name, content in played.files.items():
                replace_whole(self.folder / RECORDS / name, content, awaited=False)
            _append(self._journal, _line(played.line))
            os.fsync(self._journal.fileno())
            _append(self._times, _line(played.times))
            self._games.add(played.line, self.plan)
        self._kept.add(played.line.game)

    def finish(self, sets: int) -> None:
        """Leave exactly the hanchan of the first `sets` sets, in the order of the plan. May be called again."""
        last = sets * self.plan.set_size
        self._kept = {game for game in self._kept if game < last}
        with _telling(self.folder):
            self.close()
            for name in (JOURNAL, TIMES):
                _put_in_order(self.folder / name, self._kept)
            fresh = self.folder / f"{SQLITE}.part"
            fresh.unlink(missing_ok=True)
            games = SqliteGames(fresh)
            games.replace(self.lines(), self.plan)
            games.close()
            fresh.replace(self.folder / SQLITE)
            wanted = {stem_of(game) for game in self._kept}
            for path in (self.folder / RECORDS).iterdir():
                if path.name.partition(".")[0] not in wanted:
                    path.unlink()
            shutil.rmtree(self.places.scratch, ignore_errors=True)

    def close(self) -> None:
        """Let go of the files. May be called again."""
        self._games.close()
        self._journal.close()
        self._times.close()

    def _mend_times(self, written: Set[int]) -> None:
        """Times that were lost are in the records; a hanchan without those has none."""
        with _telling(self.folder):
            for line in self.lines():
                if line.game not in written:
                    _append(self._times, _line(_times_of(self.folder / RECORDS, line)))


def places_in(folder: Path) -> Places:
    """Where the tables of a match in this folder play."""
    return Places(folder / PLAYING, folder / RECORDS, folder / LOGS)


def plan_in(folder: Path) -> MatchPlan:
    """The plan of the match in a folder. BadInput if there is none."""
    path = folder / PLAN
    if not os.path.lexists(path):
        raise BadInput(f"{folder}: holds no match: there is no {PLAN}")
    content = bytes_of(path, LARGEST)
    try:
        return msgspec.json.decode(content, type=MatchPlan)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadInput(f"{path}: is not the plan of a match: {error}") from None


def refuse_other(folder: Path, wanted: MatchPlan) -> None:
    """BadInput if `wanted` is not the match in this folder. Nothing is opened or changed."""
    if found := differences(plan_in(folder), wanted):
        raise BadInput(f"{folder} holds another match: {'; '.join(found)}")


def replace_whole(path: Path, content: bytes, *, awaited: bool = True, private: bool = False) -> None:
    """Write a file that is there in its old form or in its new one, never in between; after a power cut that is so only
    if it was `awaited` until it was on disk. `private`: no other user may read it."""
    part = path.with_name(path.name + ".part")
    with _no_remains(part):
        if private:
            part.touch(mode=0o600)
        part.write_bytes(content)
        if awaited:
            _await_disk(part)
        part.replace(path)


@contextmanager
def _no_remains(part: Path) -> Iterator[None]:
    """A file that could not be written whole, as on a full disk, is not left lying about."""
    try:
        yield
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def _await_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def _put_in_order(path: Path, wanted: Set[int]) -> None:
    """Let a file of lines have those of the hanchan that are wanted, in the order of the plan."""
    at: dict[int, int] = {}
    part = path.with_name(path.name + ".part")
    with _no_remains(part):
        with path.open("rb") as old, part.open("wb") as new:
            new.write(old.readline())
            place = old.tell()
            for text in old:
                at[msgspec.json.decode(text, type=_Number).game] = place
                place += len(text)
            for game in sorted(at.keys() & wanted):
                old.seek(at[game])
                new.write(old.readline())
        _await_disk(part)
        part.replace(path)


def _append(file: RawIOBase, text: bytes) -> None:
    """Write all of it. A disk that is nearly full takes a part first and complains only then."""
    while text:
        text = text[file.write(text) or 0 :]


def _read(path: Path, kind: type[T], plan: MatchPlan) -> tuple[dict[int, int], int]:
    """By hanchan the number of its line in a file of whole ones, and how many bytes of it are whole lines."""
    found: dict[int, int] = {}
    whole = 0
    for number, text in enumerate(_texts(path), 1):
        if not text.endswith(b"\n"):
            break
        whole += len(text)
        try:
            if number == 1:
                if msgspec.json.decode(text, type=FolderHead).plan != plan.digest:
                    raise BadInput(f"{path} line 1: belongs to another match than {PLAN}")
                continue
            line = msgspec.json.decode(text, type=kind)
        except msgspec.DecodeError as error:
            raise BadInput(f"{path} line {number}: broken: {error}; nothing was changed") from None
        if line.game in found and kind is HanchanSummary:
            raise BadInput(f"{path} line {number}: hanchan {line.game} is there twice; nothing was changed")
        found[line.game] = number
    if not whole:
        raise BadInput(f"{path}: the first line is missing")
    return found, whole


def _texts(path: Path) -> Iterator[bytes]:
    with opened(path) as file:
        yield from file


def _values(path: Path, kind: type[T]) -> Iterator[T]:
    """What the lines of a file say that was found whole."""
    texts = _texts(path)
    next(texts)
    for text in texts:
        yield msgspec.json.decode(text, type=kind)


def _is_stillborn(folder: Path, held: list[str]) -> bool:
    """Whether this is what a match leaves that was killed before it had a plan."""
    ours = {JOURNAL, TIMES, RECORDS, f"{PLAN}.part"}
    links = any((folder / name).is_symlink() for name in held)  # written through they would reach out of the folder
    return set(held) <= ours and not links and not any(path.is_file() for path in (folder / RECORDS).glob("*"))


def _times_of(records: Path, line: HanchanSummary) -> TimeLine:
    """The times of a hanchan as its record has them."""
    path = journal_of(records, line.game)
    if path.is_file():
        return summary(path.read_bytes(), line.game, str(path))[1]
    return TimeLine(line.game, line.players, tuple(Times(counts={}) for _ in line.players))


def _line(line: HanchanSummary | TimeLine) -> bytes:
    return msgspec.json.encode(line) + b"\n"


def _file(lines: Iterable[bytes], plan: MatchPlan) -> bytes:
    return msgspec.json.encode(FolderHead(1, plan.digest)) + b"\n" + b"".join(lines)


@contextmanager
def _telling(folder: Path) -> Iterator[None]:
    """What the disk refuses, in words."""
    try:
        yield
    except OSError as error:
        raise BadInput(f"{error.filename or folder}: cannot be written: {error.strerror}") from error
