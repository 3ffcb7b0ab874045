"""The file of a league: one SQLite database for months.

    league     a row: the terms, the branch and the tables that are planned at once
    bots       every version of every bot, in the order in which they came
    units      the tables that were chosen: bots that meet on the same walls, once on every seat
    games      the hanchan that are over; a unit has one for each seat of a table
    seats      who sat there and what it came to
    ratings    every bot's rating after every batch

A hanchan's records are written before its rows, which come in one transaction: it counts when that is committed. A
power cut may take the last ones, which are then played again. A hanchan's number is made of its unit's number and its
rotation, so that none is counted twice. A reader needs no lock and waits for nobody (SQLite's WAL); a writer holds
`lock` in the folder of the records for as long as the command takes.

The terms, by which all hanchan are played, and the bots, version by version, are structs here, too.
"""

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from jantaku.table.arena.match.plan import fingerprint
from jantaku.table.arena.match.store import remove
from jantaku.table.ground.errors import BadInput
from jantaku.table.ground.foreign import opened
from jantaku.table.judge.judge import OnFault
from jantaku.table.judge.timing import Clock
from jantaku.table.judge.turn.responses import Mode
from jantaku.table.play.spec import Terms, terms_of
from jantaku.table.riichi.pieces.wall import School
from jantaku.table.riichi.rules import Rules

State = Literal["candidate", "active", "retired", "rejected"]
PLAYING = ("candidate", "active")
"""States in which a bot is seated."""
AT = "@"
"""Separates the name of a bot from the number of its version."""


class LeagueTerms(msgspec.Struct, frozen=True, kw_only=True):
    """The terms by which all hanchan are played. `batch`: number of tables chosen at once. `sandbox`: see
    `confined`."""

    rules: Rules
    walls: School
    clock: Clock
    threads: Mode
    on_fault: OnFault
    sandbox: bool
    seed: int | str
    batch: Annotated[int, Meta(ge=1, le=1000)]

    @property
    def seats(self) -> int:
        """Number of seats at a table, and of hanchan per table: each bot plays once on every seat."""
        return self.rules.game.players


class LeagueBot(msgspec.Struct, frozen=True):
    """One version of a bot. `fingerprint`: the fingerprint of its code. `anchor`: its rating if that is fixed."""

    id: int
    name: str
    version: int
    player: Terms
    fingerprint: str
    state: State
    anchor: Annotated[float, Meta(ge=-1e9, le=1e9)] | None = None

    @property
    def label(self) -> str:
        """Its name at tables and in records."""
        return f"{self.name}{AT}{self.version}"

    @property
    def plays(self) -> bool:
        """Whether it is seated."""
        return self.state in PLAYING

    @property
    def seated(self) -> Terms:
        """Its terms under the name of this version."""
        return msgspec.structs.replace(self.player, name=self.label)

    @property
    def code(self) -> str:
        """Digest of its code and its arguments, equal for versions that play alike."""
        return code_of(self.player, self.fingerprint)


def code_of(player: Terms, found: str) -> str:
    """Return `LeagueBot.code`. A file may hold several classes, and a program has its arguments in its command, so both
    are part of the digest."""
    told = msgspec.json.encode((found, Terms(player.bot).label, player.args, player.dialect, player.env))
    return hashlib.sha256(told).hexdigest()[:12]


def newcomer(text: str) -> tuple[Terms, str]:
    """Return the terms and the fingerprint of a bot from a command line. BadInput for a name that looks like a
    version."""
    terms = terms_of(text)
    if AT in terms.label:
        raise BadInput(f"player {text}: {AT} stands before the number of a version; give another name: ?name=NAME")
    return terms, fingerprint(terms)


APPLICATION: Final = 0x6A6E6C67
"""What SQLite calls an application id: “jnlg”."""
VERSION: Final = 1
MAIN: Final = "main"
_MAGIC: Final = b"SQLite format 3\0"
_HEAD: Final = 100
_WAIT: Final = 10.0
"""Seconds for which a reader waits for a commit."""
_NO_RECORDS: Final = shutil.ignore_patterns("*.part", "lock*", "logs")
_SCHEMA: Final = f"""
CREATE TABLE league (terms TEXT NOT NULL, branch TEXT NOT NULL);
CREATE TABLE bots (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, version INTEGER NOT NULL, player TEXT NOT NULL,
    fingerprint TEXT NOT NULL, state TEXT NOT NULL, anchor REAL, games_before INTEGER NOT NULL,
    UNIQUE (name, version));
CREATE TABLE units (
    unit INTEGER PRIMARY KEY, batch INTEGER NOT NULL, branch TEXT NOT NULL, walls INTEGER NOT NULL,
    lineup TEXT NOT NULL, dropped INTEGER NOT NULL DEFAULT 0);
CREATE INDEX units_by_batch ON units (batch);
CREATE TABLE games (
    game INTEGER PRIMARY KEY, unit INTEGER NOT NULL, ended INTEGER NOT NULL, reason TEXT NOT NULL,
    print TEXT NOT NULL, record TEXT NOT NULL);
CREATE INDEX games_by_unit ON games (unit);
CREATE TABLE seats (
    game INTEGER NOT NULL, place INTEGER NOT NULL, bot INTEGER NOT NULL, rank INTEGER, score INTEGER, points REAL,
    faults TEXT NOT NULL, counts TEXT NOT NULL, PRIMARY KEY (game, place)) WITHOUT ROWID;
CREATE TABLE ratings (
    batch INTEGER NOT NULL, bot INTEGER NOT NULL, games INTEGER NOT NULL, rating REAL NOT NULL, half REAL,
    PRIMARY KEY (batch, bot)) WITHOUT ROWID;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {VERSION};
"""


def records_of(path: Path) -> Path:
    """The folder of the records, beside the file."""
    return path.with_name(f"{path.name}.records")


class LeagueFile:
    """An open file of a league. Created by `create` or `open`, and to be closed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self._base = sqlite3.connect(path, isolation_level=None, timeout=_WAIT)
            self._base.execute("PRAGMA synchronous = NORMAL")
        except sqlite3.Error as error:
            raise BadInput(f"{path}: cannot be read: {error}") from error
        self._lock: sqlite3.Connection | None = None

    @classmethod
    def create(cls, path: Path, terms: LeagueTerms) -> "LeagueFile":
        """A new league; BadInput if anything has that name. A kill leaves all of it or nothing but a file `.part`."""
        with _made(path) as part:
            new = cls(part)
            with new.writing():
                new._base.executescript(f"BEGIN;{_SCHEMA}")
                new.write("INSERT INTO league VALUES (?, ?)", msgspec.json.encode(terms).decode(), MAIN)
            # Last: so `close`, which tells no error, has nothing to write.
            if new._base.execute("PRAGMA journal_mode = WAL").fetchone() != ("wal",):
                raise sqlite3.OperationalError("SQLite's WAL is refused there")
            new.close()
        return cls.open(path)

    @classmethod
    def open(cls, path: Path, *, locked: bool = False) -> "LeagueFile":
        """The league in that file, `locked` against other commands that write. BadInput for a file that is none, or of
        a newer version; it is not touched then."""
        _refuse_others(path)
        opened = cls(path)
        if locked:
            try:
                opened._locked()
            except BaseException:
                opened.close()
                raise
        return opened

    def close(self) -> None:
        """May be called again."""
        for base in (self._base, self._lock):
            if base is not None:
                base.close()

    def __enter__(self) -> "LeagueFile":
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    @property
    def records(self) -> Path:
        """The folder of the records, beside the file."""
        return records_of(self.path)

    def all(self, asked: str, *values: object) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        try:
            return self._base.execute(asked, values).fetchall()
        except sqlite3.Error as error:
            raise BadInput(f"{self.path}: cannot be read: {error}") from error

    def write(self, asked: str, *values: object) -> None:
        """One statement of what is being `writing`."""
        self._base.execute(asked, values)

    def write_all(self, asked: str, rows: Sequence[Sequence[object]]) -> None:
        """The same with many rows."""
        self._base.executemany(asked, rows)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: all of it is there afterwards, or nothing. BadInput if the disk refuses."""
        try:
            if not self._base.in_transaction:
                self._base.execute("BEGIN IMMEDIATE")
            yield
            self._base.execute("COMMIT")
        except BaseException as error:
            with suppress(sqlite3.Error):
                self._base.execute("ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise BadInput(f"{self.path}: cannot be written: {error}") from error
            raise

    def copied(self, to: Path, *, records: bool = False) -> None:
        """A whole copy, also while another command writes; with the records, which are copied after the rows that tell
        of them. BadInput as `create`."""
        if records and os.path.lexists(records_of(to)):
            raise BadInput(f"{records_of(to)} exists already; nothing was overwritten")
        with _made(to) as part:
            target = sqlite3.connect(part)
            self._base.backup(target)
            target.close()
            if records and self.records.is_dir():
                shutil.copytree(self.records, records_of(to), symlinks=True, ignore=_NO_RECORDS)

    def _locked(self) -> None:
        """SQLite's own lock of a file that holds nothing: it ends with this process, however that ends."""
        try:
            self.records.mkdir(mode=0o700, exist_ok=True)
            self._lock = sqlite3.connect(self.records / "lock", isolation_level=None, timeout=0.2)
            self._lock.execute("BEGIN EXCLUSIVE")
        except OSError as error:
            raise BadInput(f"{self.records}: cannot be written: {error.strerror}") from error
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise BadInput(f"{self.path}: another command plays or changes this league; wait for its end") from None
            raise BadInput(f"{self.records}: cannot be written: {error}") from error


@contextmanager
def _made(path: Path) -> Iterator[Path]:
    """Yield an empty file, which gets this name once all is in it. BadInput if anything has the name, or the disk
    refuses."""
    if os.path.lexists(path):
        raise BadInput(f"{path} exists already; nothing was overwritten")
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        remove(part)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))  # it holds the seed
        yield part
        os.rename(part, path)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror}") from error
    except sqlite3.Error as error:
        raise BadInput(f"{path}: cannot be written: {error}") from error


def _refuse_others(path: Path) -> None:
    """Told by the head of the file alone: SQLite might change one that it opens."""
    if not path.exists():
        raise BadInput(f"{path}: there is no such league; begin one with: jantaku league new {path}")
    with opened(path) as file:
        head = file.read(_HEAD)
    if head[: len(_MAGIC)] != _MAGIC or int.from_bytes(head[68:72], "big") != APPLICATION:
        raise BadInput(f"{path}: is not the file of a league; nothing was changed")
    version = int.from_bytes(head[60:64], "big")
    if version > VERSION:
        newer = f"is of version {version}, and this jantaku knows {VERSION}; install a newer one"
        raise BadInput(f"{path}: {newer}; nothing was changed")
