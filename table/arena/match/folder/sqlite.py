"""The results of a match in SQLite, for users' queries. Derived from the journal and never read back."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec.structs import astuple

from jantaku.table.arena.match.figures.summary import HanchanSummary
from jantaku.table.arena.match.plan.pool import PoolPlan
from jantaku.table.ground.errors import BadInput

_SCHEMA = """
CREATE TABLE games (
    game INTEGER PRIMARY KEY, wall_set INTEGER, seed TEXT, rules TEXT, walls TEXT,
    ended INTEGER, reason TEXT, print TEXT);
CREATE TABLE seats (
    game INTEGER, place INTEGER, player TEXT, code TEXT, score INTEGER, rank INTEGER, points REAL,
    kyoku INTEGER, wins INTEGER, tsumo INTEGER, win_points INTEGER, deal_ins INTEGER, deal_in_points INTEGER,
    riichi INTEGER, called INTEGER, faults TEXT, PRIMARY KEY (game, place));
"""


class SqliteGames:
    """An open database file, locked against other processes."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._base = _locked(path)
        except sqlite3.OperationalError as error:
            if "locked" in str(error):
                raise BadInput(f"{path.parent}: another jantaku process is playing in this folder") from None
            raise _refusal(path, error) from error
        except sqlite3.DatabaseError:  # a damaged or foreign file is replaced
            remove(path)
            self._base = _locked(path)

    def replace(self, lines: Iterable[HanchanSummary], plan: PoolPlan) -> None:
        """Rebuild the tables from these lines."""
        try:
            self._base.executescript(f"BEGIN; DROP TABLE IF EXISTS games; DROP TABLE IF EXISTS seats;{_SCHEMA} COMMIT;")
            self._base.execute("BEGIN")
            for line in lines:
                self._insert(line, plan)
            self._base.execute("COMMIT")
        except sqlite3.Error as error:
            raise _refusal(self._path, error) from error

    def add(self, line: HanchanSummary, plan: PoolPlan) -> None:
        """Insert one hanchan in a transaction of its own."""
        try:
            self._base.execute("BEGIN")
            self._insert(line, plan)
            self._base.execute("COMMIT")
        except sqlite3.Error as error:
            raise _refusal(self._path, error) from error

    def close(self) -> None:
        """Close the file. May be called again."""
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
