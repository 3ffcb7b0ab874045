"""The folder of a match. What is in it survives any kill; what is not in it is played again.

    match.json       the plan; tournament.json of a tournament
    journal.jsonl    one `HanchanSummary` per finished hanchan: the source of all results
    games.sqlite     the same as tables `games` and `seats`, rebuilt from the journal, never read back
    times.jsonl      decision times, apart because they differ from run to run
    records/         journal and 牌譜 of every hanchan
    logs/            what players that are programs write to stderr

What tells of walls still to be played lies elsewhere while the match runs: see `records.py`. A hanchan counts once its
records, its line and its rows are written, in this order. Only the line is synced to disk: a hanchan whose records a
power cut took is played again, see `lost.py`. Lines come in the order in which hanchan end, and without seeds; `finish`
puts them in the order of the plan, so that finished folders of equal plans are equal byte by byte.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Set
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Generic, TypeVar, overload

import msgspec
from msgspec.structs import astuple

from jantaku.table.arena.match.figures.summary import HanchanSummary, TimeLine, Times, summary
from jantaku.table.arena.match.hanchan import PlayedHanchan, stem_of
from jantaku.table.arena.match.lost import lost
from jantaku.table.arena.match.plan import MatchPlan
from jantaku.table.arena.match.pool import PoolPlan, differences
from jantaku.table.arena.match.records import Hidden, P, names_in, places_in, plan_in
from jantaku.table.ground.disk import append, await_disk, no_remains, replace_whole, telling
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign.files import opened
from jantaku.table.play import seeds
from jantaku.table.play.parts import LOGS, PART
from jantaku.table.records.journal.places import KINDS, RECORDS, plan_name
from jantaku.table.records.journal.writer import journal_of

_SCHEMA = """
CREATE TABLE games (
    game INTEGER PRIMARY KEY, wall_set INTEGER, seed TEXT, rules TEXT, walls TEXT,
    ended INTEGER, reason TEXT, print TEXT);
CREATE TABLE seats (
    game INTEGER, place INTEGER, player TEXT, code TEXT, score INTEGER, rank INTEGER, points REAL,
    kyoku INTEGER, wins INTEGER, tsumo INTEGER, win_points INTEGER, deal_ins INTEGER, deal_in_points INTEGER,
    riichi INTEGER, called INTEGER, faults TEXT, PRIMARY KEY (game, place));
"""


class Taken(BadInput):
    """Another process has the folder."""


class SqliteGames:
    """An open database file, locked against other processes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._base = _locked(path)
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise Taken(f"{path.parent}: another jantaku process is playing in this folder") from None
            raise _refusal(path, error) from error
        except sqlite3.DatabaseError:  # a damaged or foreign file is replaced
            remove(path)
            self._base = _locked(path)

    def replace(self, lines: Iterable[HanchanSummary], plan: PoolPlan) -> None:
        with self._changing():
            for statement in f"DROP TABLE IF EXISTS games; DROP TABLE IF EXISTS seats;{_SCHEMA}".split(";"):
                self._base.execute(statement)
        with self._changing():
            for line in lines:
                self._insert(line, plan)

    def add(self, line: HanchanSummary, plan: PoolPlan) -> None:
        with self._changing():
            self._insert(line, plan)

    @contextmanager
    def _changing(self) -> Iterator[None]:
        try:
            self._base.execute("BEGIN")
            yield
            self._base.execute("COMMIT")
        except sqlite3.Error as error:
            raise _refusal(self._path, error) from error

    def close(self) -> None:
        self._base.close()

    def _insert(self, line: HanchanSummary, plan: PoolPlan) -> None:
        codes = dict(zip(plan.names, plan.fingerprints, strict=True))
        game = (line.game, line.set, line.seed, line.rules, plan.walls, line.ended, line.reason, line.print)
        self._base.execute(f"INSERT INTO games VALUES ({_marks(len(game))})", game)
        seats = []
        for place, name in enumerate(line.players):
            result = (line.scores[place], line.ranks[place], line.points[place]) if line.ended else (None, None, None)
            faults = msgspec.json.encode(line.faults[place]).decode()
            seats.append((line.game, place, name, codes[name], *result, *astuple(line.counts[place]), faults))
        self._base.executemany(f"INSERT INTO seats VALUES ({_marks(len(seats[0]))})", seats)


def remove(path: Path) -> None:
    """Delete a database, if it exists, with the files of an unfinished transaction."""
    for file in (path.with_name(f"{path.name}-journal"), path):
        file.unlink(missing_ok=True)


def _locked(path: Path) -> sqlite3.Connection:
    base = sqlite3.connect(path, isolation_level=None, timeout=0.2)
    try:
        base.execute("PRAGMA locking_mode = EXCLUSIVE")
        # A power cut may damage it; it is rebuilt from the journal, which is synced.
        base.execute("PRAGMA synchronous = OFF")
        base.execute("PRAGMA cache_size = -256")  # KiB: rows are only written, however many there are
        base.execute("BEGIN EXCLUSIVE")
        base.execute("COMMIT")
        if base.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise sqlite3.DatabaseError("damaged")
    except sqlite3.DatabaseError:
        base.close()
        raise
    return base


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _refusal(path: Path, error: sqlite3.Error) -> BadInput:
    return BadInput(f"{path}: cannot be written: {error}")


JOURNAL, TIMES, SQLITE = "journal.jsonl", "times.jsonl", "games.sqlite"
T = TypeVar("T", HanchanSummary, TimeLine)


class FolderHead(msgspec.Struct, frozen=True):
    """The first line of `journal.jsonl` and `times.jsonl`: format, and digest of the plan."""

    jantaku_match: int
    plan: str


class _Number(msgspec.Struct):
    """The field of a line that says which hanchan it is about."""

    game: int


class Store(Generic[P]):
    """An open folder of a match or tournament, used by one process at a time. Made by `create` or `resume`; call
    `close` at the end."""

    def __init__(self, folder: Path, plan: P, games: SqliteGames, kept: set[int], hidden: Hidden) -> None:
        self.folder, self.plan, self.places = folder, plan, places_in(folder, plan)
        self._kept, self._games, self._hidden = kept, games, hidden
        self._new = False
        """Whether this process created the match."""
        self.again: tuple[int, ...] = ()
        """Numbers of finished hanchan that have to be replayed."""
        with telling(folder):
            self._games.replace(map(_without_seed, self.lines()), plan)
            self._journal = (folder / JOURNAL).open("ab", buffering=0)
            self._times = (folder / TIMES).open("ab", buffering=0)

    @classmethod
    def create(cls, folder: Path, plan: P) -> "Store[P]":
        """Create the folder of a new match. BadInput if it is not empty or cannot be used."""
        names = [plan_name(kind) for kind in KINDS]
        with telling(folder):
            folder.parent.mkdir(parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
            held = sorted(path.name for path in folder.iterdir() if path.name not in (LOGS, PART))
            if not {*names} & {*held} and is_stillborn(folder, held):
                held = []
            if kind := next((kind for kind, name in zip(KINDS, names, strict=True) if name in held), None):
                players = names_in(folder)
                whose = f"{', '.join(players[:4])}{' …' if len(players) > 4 else ''}"
                raise BadInput(
                    f"{folder} holds a {kind} of {whose} already; go on with that one by "
                    f"jantaku {kind} --resume {folder}, or give another folder"
                )
            if held:
                raise BadInput(f"{folder} is not empty (it holds {held[0]}); give a new or empty folder")
            (folder / RECORDS).mkdir(exist_ok=True)
            for name in (JOURNAL, TIMES):
                (folder / name).write_bytes(_head(plan))
                await_disk(folder / name)
            hidden = Hidden(folder, plan)
            hidden.begin(set())
            await_disk(folder)
        store = cls(folder, plan, SqliteGames(folder / SQLITE), set(), hidden)
        store._new = True
        return store

    @overload
    @classmethod
    def resume(cls, folder: Path, *given: int | str) -> "Store[MatchPlan]": ...
    @overload
    @classmethod
    def resume(cls, folder: Path, *given: int | str, kind: type[P]) -> "Store[P]": ...
    @classmethod
    def resume(cls, folder: Path, *given: int | str, kind: Any = MatchPlan) -> "Store[Any]":
        """Open a match that was interrupted, or is finished. Hanchan whose records are lost do not count any more;
        `again` lists them. `given`: seeds, see `plan_in`. BadInput for a folder or line that jantaku did not write."""
        plan = plan_in(folder, *given, kind=kind)
        hidden = Hidden(folder, plan)
        if not (folder / RECORDS).is_dir():  # deleted, or on a disk that is not mounted: not the effect of a power cut
            raise BadInput(f"{folder / RECORDS} is missing, and without records no hanchan counts; nothing was changed")
        games = SqliteGames(folder / SQLITE)  # from here on the folder is locked
        try:
            lines, whole = read_lines(folder / JOURNAL, HanchanSummary, plan.digest, plan.KIND)
            times, times_whole = read_lines(folder / TIMES, TimeLine, plan.digest, plan.KIND)
            with telling(folder):  # an incomplete last line is ignored
                os.truncate(folder / JOURNAL, whole)
                os.truncate(folder / TIMES, times_whole)
                hidden.gather()
            again = _lost(folder)
            kept = lines.keys() - again
            with telling(folder):
                for name in (JOURNAL, TIMES) if again else ():
                    _put_in_order(folder / name, kept)
            store = cls(folder, plan, games, kept, hidden)
            store._go_on(times.keys())
        except BaseException:
            games.close()
            raise
        store.again = tuple(sorted(again))
        return store

    @classmethod
    def gathered(cls, folder: Path, plan: P, played: Iterable[tuple[HanchanSummary, TimeLine]]) -> "Store[P]":
        """Make the folder of a match that was played elsewhere; its records are put there while `played` is read."""
        kept = set[int]()
        with telling(folder):
            (folder / RECORDS).mkdir(mode=0o700, parents=True)
            replace_whole(folder / plan_name(plan.KIND), plan.encoded(), private=True)
            with (folder / JOURNAL).open("wb") as journal, (folder / TIMES).open("wb") as times:
                journal.write(_head(plan))
                times.write(_head(plan))
                for line, time in played:
                    journal.write(_line(_without_seed(line)))
                    times.write(_line(time))
                    kept.add(line.game)
            return cls(folder, plan, SqliteGames(folder / SQLITE), kept, Hidden(folder, plan))

    @property
    def kept(self) -> Set[int]:
        return self._kept

    def lines(self) -> Iterator[HanchanSummary]:
        """Yield every finished hanchan in the order of the journal."""
        for line in _values(self.folder / JOURNAL, HanchanSummary):
            yield self._with_seed(line)

    def times(self) -> Iterator[TimeLine]:
        return _values(self.folder / TIMES, TimeLine)

    def keep(self, played: PlayedHanchan) -> None:
        """Store a finished hanchan. Once this returns, it survives a kill of this process, and its line a power cut."""
        with telling(self.folder):
            for name, content in played.files.items():
                self._hidden.put(name, content)
            append(self._journal, _line(_without_seed(played.line)))
            os.fsync(self._journal.fileno())
            append(self._times, _line(played.times))
            self._games.add(_without_seed(played.line), self.plan)
            self._kept.add(played.line.game)
            self._hidden.keep(played.line.game)

    def finish(self, sets: int) -> None:
        """Keep exactly the hanchan of the first `sets` sets, in the order of the plan. May be called again."""
        last = sets * self.plan.set_size
        self._kept = {game for game in self._kept if game < last}
        with telling(self.folder):
            self._journal.close()
            self._times.close()
            self._hidden.end()
            _put_in_order(self.folder / TIMES, self._kept)
            _put_in_order(self.folder / JOURNAL, self._kept, self._told)
            fresh = self.folder / f"{SQLITE}.part"
            remove(fresh)
            games = SqliteGames(fresh)
            games.replace(self.lines(), self.plan)
            games.close()
            wanted = {stem_of(game) for game in self._kept}
            for path in (self.folder / RECORDS).iterdir():
                if path.name.partition(".")[0] not in wanted:
                    path.unlink()
            self._games.close()  # this releases the lock on the folder
            fresh.replace(self.folder / SQLITE)

    def take_back(self) -> bool:
        """Remove a new match that has no hanchan yet, so that it can begin again in the same place; return whether it
        was one. Logs of programs stay, and with them the folder."""
        if not self._new or self._kept:
            return False
        self.close()
        with telling(self.folder):
            for name in (plan_name(self.plan.KIND), JOURNAL, TIMES, PART):
                (self.folder / name).unlink(missing_ok=True)
            remove(self.folder / SQLITE)
            shutil.rmtree(self.folder / RECORDS)
            with suppress(OSError):  # it holds logs
                self.folder.rmdir()
        return True

    def close(self) -> None:
        """Close the files. What is hidden moves to the folder unless the disk refuses. May be called again."""
        with suppress(OSError):
            self._hidden.end()
        self._let_go()

    def _with_seed(self, line: HanchanSummary) -> HanchanSummary:
        return line if line.seed else msgspec.structs.replace(line, seed=seeds.of_game(self.plan.seed, line.set))

    def _told(self, text: bytes) -> bytes:
        """Add the seed to a line of a finished journal."""
        line = msgspec.json.decode(text, type=HanchanSummary)
        return text if line.seed else _line(self._with_seed(line))

    def _let_go(self) -> None:
        self._games.close()
        self._journal.close()
        self._times.close()

    def _go_on(self, timed: Set[int]) -> None:
        """Continue an old match. `timed`: the hanchan whose times are on disk."""
        try:
            self._mend_times(timed)
            with telling(self.folder):
                self._hidden.begin(self._kept)
        except BaseException:
            self._let_go()
            raise

    def _mend_times(self, written: Set[int]) -> None:
        """Restore lost times from the records; a hanchan without records has none."""
        with telling(self.folder):
            for line in self.lines():
                if line.game not in written:
                    append(self._times, _line(_times_of(self.folder / RECORDS, line)))


def other_code(kind: str) -> str:
    """Say what to do if the code of a player, or of jantaku, has changed."""
    return f"a {kind} plays one version of a bot: play a changed one from the beginning, with another --out"


def refuse_other(folder: Path, wanted: PoolPlan) -> None:
    """Raise BadInput if `wanted` is not the match in this folder. Opens and changes nothing."""
    folder_plan = plan_in(folder, wanted.seed, kind=type(wanted))
    if found := differences(folder_plan, wanted):
        changed = (folder_plan.fingerprints, folder_plan.version) != (wanted.fingerprints, wanted.version)
        new = f"; {other_code(wanted.KIND)}" if changed else ""
        raise BadInput(f"{folder} holds another {wanted.KIND}: {'; '.join(found)}{new}")


def _put_in_order(path: Path, wanted: Set[int], told: Callable[[bytes], bytes] = bytes) -> None:
    """Rewrite a file of lines: only the hanchan in `wanted`, in the order of the plan, each line passed through
    `told`."""
    at: dict[int, int] = {}
    part = path.with_name(path.name + ".part")
    with no_remains(part):
        with path.open("rb") as old, part.open("wb") as new:
            new.write(old.readline())
            place = old.tell()
            for text in old:
                at[msgspec.json.decode(text, type=_Number).game] = place
                place += len(text)
            for game in sorted(at.keys() & wanted):
                old.seek(at[game])
                new.write(told(old.readline()))
        await_disk(part)
        part.replace(path)


def read_lines(path: Path, kind: type[T], digest: str, word: str) -> tuple[dict[int, int], int]:
    """Return at which byte the line of each hanchan begins, and how many bytes of the file are whole lines. `digest`,
    `word`: of the plan, and its kind. BadInput for a line that cannot be read."""
    found: dict[int, int] = {}
    whole = 0
    for number, text in enumerate(_texts(path), 1):
        if not text.endswith(b"\n"):
            break
        try:
            if number == 1:
                if msgspec.json.decode(text, type=FolderHead).plan != digest:
                    raise BadInput(f"{path} line 1: belongs to another {word} than {plan_name(word)}")
                whole += len(text)
                continue
            line = msgspec.json.decode(text, type=kind)
        except msgspec.DecodeError as error:
            if number > 1 and kind is TimeLine:  # not awaited: what a power cut has spoiled is in the records as well
                break
            raise BadInput(f"{path} line {number}: broken: {error}; nothing was changed") from None
        if line.game in found and kind is HanchanSummary:
            raise BadInput(f"{path} line {number}: hanchan {line.game} is listed twice; nothing was changed")
        found[line.game] = whole
        whole += len(text)
    if not whole:
        raise BadInput(f"{path}: the first line is missing")
    return found, whole


def _lost(folder: Path) -> set[int]:
    try:
        return lost(folder / RECORDS, _values(folder / JOURNAL, HanchanSummary))
    except BadInput as error:
        raise error.within(str(folder / JOURNAL)) if error.place else error from None


def _texts(path: Path) -> Iterator[bytes]:
    with opened(path) as file:
        yield from file


def _values(path: Path, kind: type[T]) -> Iterator[T]:
    """Yield the whole lines of a file that `read_lines` has checked; another thread may be writing the next one."""
    texts = _texts(path)
    next(texts)
    for text in texts:
        if text.endswith(b"\n"):
            yield msgspec.json.decode(text, type=kind)


def is_stillborn(folder: Path, held: list[str]) -> bool:
    """Return whether these are the remains of a match that was killed before its plan was written."""
    ours = {JOURNAL, TIMES, RECORDS, *(f"{plan_name(kind)}.part" for kind in KINDS)}
    links = any((folder / name).is_symlink() for name in held)  # they would be followed out of the folder
    return set(held) <= ours and not links and not any(path.is_file() for path in (folder / RECORDS).glob("*"))


def _times_of(records: Path, line: HanchanSummary) -> TimeLine:
    """Read the times of a hanchan from its record."""
    path = journal_of(records, line.game)
    if path.is_file():
        return summary(path.read_bytes(), line.game, str(path))[1]
    return TimeLine(line.game, line.players, tuple(Times(counts={}) for _ in line.players))


def _without_seed(line: HanchanSummary) -> HanchanSummary:
    return msgspec.structs.replace(line, seed="")


def _line(line: HanchanSummary | TimeLine) -> bytes:
    return msgspec.json.encode(line) + b"\n"


def _head(plan: PoolPlan) -> bytes:
    return msgspec.json.encode(FolderHead(1, plan.digest)) + b"\n"
