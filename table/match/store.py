"""The folder of a match. What is in it outlives any kill; what is not in it is played again.

    match.json       the plan
    journal.jsonl    a line per finished hanchan, the truth; see `summary.Line`
    games.sqlite     the same as tables `games` and `seats`, made anew from the journal whenever they differ
    times.jsonl      decision times, apart because no two runs have the same
    records/         journal and 牌譜 of every hanchan
    logs/            what players that are programs write to stderr
    playing/         journals of hanchan in progress, worth nothing after an interruption

A hanchan's records are written first, then its line, then its rows: only then it counts. Lines come in the order in
which hanchan end; `finish` puts them in the order of the plan, so that finished folders are alike byte by byte.
"""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec

from table.errors import BadInput
from table.match.hanchan import Played, stem_of
from table.match.plan import MatchPlan, differences
from table.match.sqlite import Games
from table.match.summary import Line, TimeLine, Times, summary

PLAN, JOURNAL, TIMES, SQLITE = "match.json", "journal.jsonl", "times.jsonl", "games.sqlite"
RECORDS, PLAYING = "records", "playing"
T = TypeVar("T", Line, TimeLine)


class Head(msgspec.Struct, frozen=True):
    """The first line of `journal.jsonl` and `times.jsonl`: to which match they belong."""

    jantaku_match: int
    plan: str


class _Found(msgspec.Struct):
    """What a folder holds already, by number of the hanchan."""

    lines: dict[int, Line]
    times: dict[int, bytes]


class Store:
    """An open match folder; one process at a time. `create` or `resume` make it. Close it."""

    def __init__(self, folder: Path, plan: MatchPlan, games: Games, found: "_Found") -> None:
        self.folder, self.plan = folder, plan
        self.lines, self._encoded_times = found.lines, found.times
        """Finished hanchan by number, and the lines of their times."""
        self.scratch = folder / PLAYING
        self._games = games
        with _telling(folder):
            self._games.replace(self.lines.values(), plan)
            shutil.rmtree(self.scratch, ignore_errors=True)
            self.scratch.mkdir()
            self._journal = (folder / JOURNAL).open("ab", buffering=0)
            self._times = (folder / TIMES).open("ab", buffering=0)

    @classmethod
    def create(cls, folder: Path, plan: MatchPlan) -> "Store":
        """A new match. BadInput if the folder cannot be used or holds anything."""
        with _telling(folder):
            folder.mkdir(parents=True, exist_ok=True)
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
            replace_whole(folder / PLAN, plan.encoded())
        return cls(folder, plan, Games(folder / SQLITE), _Found({}, {}))

    @classmethod
    def resume(cls, folder: Path) -> "Store":
        """A match that was interrupted, or finished. BadInput for a folder or line that is not one of ours."""
        plan = plan_in(folder)
        games = Games(folder / SQLITE)  # from here on the folder is locked
        try:
            lines, whole = _read(folder / JOURNAL, Line, plan)
            times, times_whole = _read(folder / TIMES, TimeLine, plan)
            found = _Found(lines, {game: _times_of(folder, line, times.get(game)) for game, line in lines.items()})
            with _telling(folder):  # half a last line is as good as none
                os.truncate(folder / JOURNAL, whole)
                os.truncate(folder / TIMES, times_whole)
            return cls(folder, plan, games, found)
        except BaseException:
            games.close()
            raise

    def times(self) -> Iterator[TimeLine]:
        """The times of every finished hanchan."""
        for text in self._encoded_times.values():
            yield msgspec.json.decode(text, type=TimeLine)

    def keep(self, played: Played) -> None:
        """Write a finished hanchan. Once this returns, nothing but the disk can lose it."""
        with _telling(self.folder, kept=len(self.lines)):
            for name, content in played.files.items():
                replace_whole(self.folder / RECORDS / name, content)
            self._journal.write(_line(played.line))
            os.fsync(self._journal.fileno())
            self._times.write(_line(played.times))
            self._games.add(played.line, self.plan)
        self.lines[played.line.game] = played.line
        self._encoded_times[played.line.game] = _line(played.times)

    def finish(self, sets: int) -> None:
        """Leave exactly the hanchan of the first `sets` sets, in the order of the plan. May be called again."""
        last = sets * self.plan.set_size
        self.lines = {game: line for game, line in sorted(self.lines.items()) if game < last}
        self._encoded_times = {game: self._encoded_times[game] for game in self.lines}
        with _telling(self.folder, kept=len(self.lines)):
            self.close()
            replace_whole(self.folder / JOURNAL, _file(map(_line, self.lines.values()), self.plan))
            replace_whole(self.folder / TIMES, _file(self._encoded_times.values(), self.plan))
            fresh = self.folder / f"{SQLITE}.part"
            fresh.unlink(missing_ok=True)
            games = Games(fresh)
            games.replace(self.lines.values(), self.plan)
            games.close()
            fresh.replace(self.folder / SQLITE)
            wanted = {stem_of(game) for game in self.lines}
            for path in (self.folder / RECORDS).iterdir():
                if path.name.partition(".")[0] not in wanted:
                    path.unlink()
            shutil.rmtree(self.scratch, ignore_errors=True)

    def close(self) -> None:
        """Let go of the files. May be called again."""
        self._games.close()
        self._journal.close()
        self._times.close()


def plan_in(folder: Path) -> MatchPlan:
    """The plan of the match in a folder. BadInput if there is none."""
    path = folder / PLAN
    try:
        return msgspec.json.decode(path.read_bytes(), type=MatchPlan)
    except FileNotFoundError:
        raise BadInput(f"{folder}: holds no match: there is no {PLAN}") from None
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise BadInput(f"{path}: is not the plan of a match: {error}") from None


def refuse_other(folder: Path, wanted: MatchPlan) -> None:
    """BadInput if `wanted` is not the match in this folder. Nothing is opened or changed."""
    if found := differences(plan_in(folder), wanted):
        raise BadInput(f"{folder} holds another match: {'; '.join(found)}")


def replace_whole(path: Path, content: bytes) -> None:
    """Write a file that is there in its old form or in its new one, never in between."""
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    part.replace(path)


def _read(path: Path, kind: type[T], plan: MatchPlan) -> tuple[dict[int, T], int]:
    """The lines of a file by game, and how many bytes of it are whole lines."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    *lines, half = content.split(b"\n")
    found: dict[int, T] = {}
    for number, text in enumerate(lines, 1):
        try:
            if number == 1:
                head = msgspec.json.decode(text, type=Head)
                if head.plan != plan.digest:
                    raise BadInput(f"{path} line 1: belongs to another match than {PLAN}")
                continue
            line = msgspec.json.decode(text, type=kind)
        except msgspec.DecodeError as error:
            raise BadInput(f"{path} line {number}: broken: {error}; nothing was changed") from None
        if line.game in found and kind is Line:
            raise BadInput(f"{path} line {number}: hanchan {line.game} is there twice; nothing was changed")
        found[line.game] = line
    if not lines:
        raise BadInput(f"{path}: the first line is missing")
    return found, len(content) - len(half)


def _is_stillborn(folder: Path, held: list[str]) -> bool:
    """Whether this is what a match leaves that was killed before it had a plan."""
    ours = {JOURNAL, TIMES, RECORDS, f"{PLAN}.part"}
    return set(held) <= ours and not any(path.is_file() for path in (folder / RECORDS).glob("*"))


def _times_of(folder: Path, line: Line, written: TimeLine | None) -> bytes:
    """The line of a hanchan's times; read from its record if it was not written."""
    path = folder / RECORDS / f"{stem_of(line.game)}.jsonl"
    if written is None and path.is_file():
        written = summary(path.read_bytes(), line.game, str(path))[1]
    return _line(written or TimeLine(line.game, line.players, tuple(Times(counts={}) for _ in line.players)))


def _line(line: Line | TimeLine) -> bytes:
    return msgspec.json.encode(line) + b"\n"


def _file(lines: Iterable[bytes], plan: MatchPlan) -> bytes:
    return msgspec.json.encode(Head(1, plan.digest)) + b"\n" + b"".join(lines)


@contextmanager
def _telling(folder: Path, kept: int | None = None) -> Iterator[None]:
    """What the disk refuses, in words."""
    try:
        yield
    except OSError as error:
        place = error.filename or folder
        after = f"; {kept} hanchan are kept; go on with: jantaku match --resume {folder}" if kept is not None else ""
        raise BadInput(f"{place}: cannot be written: {error.strerror}{after}") from error
