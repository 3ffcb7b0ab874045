"""Journals of running games: a public part that anybody may read, and a private one.

While a game runs, its journal contains a commitment to the seed and the public view of the finished rounds. The
complete journal grows in a file that only this user can read, outside the folder of the records and named after the
commitment; it replaces the public one when the game is over. So a kill loses nothing: readers of a sealed journal find
the complete one there, or deal its tiles again if they are given the seed.

Journals left behind by killed games are recovered: the next game of the same user moves them to their place.

Next to each complete journal of a running game is a link to its destination, and the journal is locked
while its game is played. An unlocked journal replaces its public part. If the public part was removed, the journal is
deleted as well; if even the folder is missing (moved, or on another disk), it is deleted after `LONG`.
"""

import contextlib
import functools
import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec

from jantaku.table.ground.disk import append, no_remains
from jantaku.table.ground.errors import BadInput
from jantaku.table.records.journal.digest import Digest

try:
    import fcntl
except ImportError:  # this system has no such locks: every journal may be in use
    fcntl = None  # type: ignore[assignment]

LONG = 30 * 86_400.0
"""Seconds for which a journal is kept whose destination folder is missing."""
_AT = ".at"


def note(place: Path, path: Path) -> None:
    """Link `place` to its destination `path`."""
    with contextlib.suppress(OSError):
        link = place.with_suffix(_AT)
        link.unlink(missing_ok=True)
        link.symlink_to(os.path.abspath(path))


def forget(place: Path) -> None:
    """Remove the link of `place`: the file has been moved or deleted."""
    with contextlib.suppress(OSError):
        place.with_suffix(_AT).unlink(missing_ok=True)


def belongs_to(place: Path) -> Path | None:
    """The destination of the file at `place`; None if it has no link."""
    try:
        return Path(os.readlink(place.with_suffix(_AT)))
    except OSError:
        return None


def held(file: IO[bytes]) -> bool:
    """Lock a file until it is closed; False if another process holds the lock, or if locks are not supported."""
    if sys.platform == "win32" or fcntl is None:
        return False
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def old_of(folder: Path) -> Iterator[tuple[Path, bool]]:
    """Yield each file in a folder, without the links, and whether it is older than `LONG`. Yields nothing if the folder
    cannot be read."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            at = os.fstat(file.fileno()).st_mtime  # by the clock of the file system
        for place in sorted(folder.iterdir()):
            if place.suffix != _AT:
                with contextlib.suppress(FileNotFoundError):
                    yield place, at - place.stat().st_mtime > LONG
    except OSError:
        return


def take_up(folder: Path, is_part: Callable[[bytes, Path], bool], move: Callable[[Path, Path], None]) -> None:
    """Recover all unlocked journals in `folder`. `is_part(beginning, place)` says whether a file that begins so is the
    public part of the journal at `place`; `move` replaces a file by another."""
    for place, is_old in old_of(folder):
        with contextlib.suppress(OSError), place.open("rb") as file:
            if held(file):
                _take_up(place, is_old, is_part, move)
    with contextlib.suppress(OSError):
        _forget_what_is_gone(folder)


def _forget_what_is_gone(folder: Path) -> None:
    """Delete the links of what has moved already: a kill has come between."""
    links = sorted(folder.glob(f"*{_AT}"))  # before the rest is listed: a link is never there first
    there = {place.stem for place in folder.iterdir() if place.suffix != _AT}
    for link in links:
        if link.stem not in there:
            link.unlink(missing_ok=True)


def _take_up(
    place: Path, is_old: bool, is_part: Callable[[bytes, Path], bool], move: Callable[[Path, Path], None]
) -> None:
    path = belongs_to(place)
    if path is not None and path.parent.is_dir():
        if path.is_file() and is_part(_beginning(path), place):
            os.chmod(place, stat.S_IMODE(path.stat().st_mode))
            move(place, path)
        else:
            place.unlink()
    elif is_old or not place.stat().st_size:  # killed as soon as it was made
        place.unlink()
    else:
        return
    forget(place)


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.readline(1 << 16)


MARK = b'"sealed":true'
"""In the header only while the game is played, or if it never ended."""


class Secrets(NamedTuple):
    """What is not public. `begins` is the type of event that begins a round; `shown` returns the public lines of an
    event that hides something, None for other events; `masks` maps complete lines of frequent events to public ones."""

    begins: type
    shown: Callable[[Any], Iterable[dict[str, Any]] | None]
    masks: Mapping[bytes, bytes]


def commitment(seed: str, number: int) -> str:
    """Return the commitment to a seed, which is published while the game is played. It reveals nothing about a seed
    that cannot be guessed."""
    return hashlib.blake2b(f"jantaku commitment 1|{seed}|{number}".encode(), digest_size=16).hexdigest()


def state(kind: str) -> Path:
    """Folder for the private files of running games, matches and the like, by `kind`. Raises BadInput if this user has
    no home."""
    given = os.environ.get("XDG_STATE_HOME", "")
    try:
        home = Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "state"
    except RuntimeError as error:
        raise BadInput(f"no place for what is hidden of running games: {error}; set XDG_STATE_HOME") from None
    return home / "jantaku" / kind


def folder() -> Path:
    """Folder for the complete journals of running games. Raises BadInput as `state` does."""
    return state("games")


def name_for(secret: str, path: Path) -> str:
    """Name of the private file that belongs to `path`; `secret` tells it from others for the same path."""
    here = hashlib.blake2b(os.path.abspath(path).encode(errors="surrogateescape"), digest_size=4).hexdigest()
    return f"{secret}-{here}"


def _place_of(commit: str, path: Path) -> Path:
    return folder() / f"{name_for(commit, path)}.jsonl"


class Sealed:
    """The files of a running game's journal: the public part at `path`, and `whole`, which has everything. If
    `buffered`, `whole` is None: everything is kept in memory, and a kill loses it. Raises OSError if a file cannot be
    written."""

    def __init__(self, path: Path, header: msgspec.Struct, *, buffered: bool) -> None:
        told: Any = header
        commit = commitment(told.seed, told.number)
        self._path = path
        self._public: Any = path.open("xb", buffering=0)
        self._place: Path | None = None
        self.whole: Any = None
        self._digest = Digest()
        self._kept: list[bytes] = []
        self.header = msgspec.json.encode(msgspec.structs.replace(header, commit=commit)) + b"\n"
        """The first line of the complete journal, which is written first."""
        try:
            if not buffered:
                self._place = _place_of(commit, path)
                _take_up_once(self._place.parent)
                self.whole = _opened(self._place)
                note(self._place, path)
                append(self.whole, self.header)
            public = msgspec.structs.replace(header, seed="", commit=commit, sealed=True)
            append(self._public, msgspec.json.encode(public) + b"\n")
        except BaseException:
            self.drop()
            raise

    def end_round(self, text: bytes, public: bytes) -> None:
        """End a round. `text` is all of it, with the header or what followed the last round, and is written already;
        `public` is its public view."""
        line = self._digest.line(text)
        if self.whole is None:
            self._kept += [text, line]
        else:
            append(self.whole, line)
            append(self._public, public)

    def close(self) -> None:
        """End the game: the complete journal replaces the public part."""
        if self._place is None:  # a buffered journal overwrites the public part
            self._public.seek(0)
            append(self._public, b"".join(self._kept))
            self._public.truncate()
            self._public.close()
            return
        mode = os.fstat(self._public.fileno()).st_mode
        with contextlib.suppress(OSError):
            os.chmod(self._place, mode)
        move(self._place, self._path)  # before the file is closed, and so unlocked
        forget(self._place)
        self.leave()

    def leave(self) -> None:
        """Close the files without finishing them, after a write failed."""
        self._public.close()
        if self.whole is not None:
            self.whole.close()

    def drop(self) -> None:
        """Delete the files: no game was played."""
        for place in (self._path, self._place):
            with contextlib.suppress(OSError):
                if place is not None:
                    forget(place)
                    place.unlink()
        self.leave()


def move(place: Path, path: Path) -> None:
    """Move the file at `place` to `path`, replacing it, also across file systems. It appears complete or not at all."""
    try:
        os.replace(place, path)
        return
    except OSError:  # most likely on another file system
        part = path.with_name(path.name + ".part")
    with no_remains(part):
        part.write_bytes(place.read_bytes())
        os.replace(part, path)
    place.unlink(missing_ok=True)


class _Committed(msgspec.Struct):
    """The part of a header that `_is_part` reads."""

    commit: str


@functools.cache
def _take_up_once(folder: Path) -> None:
    """Move the journals that killed games left behind, once per process."""
    take_up(folder, _is_part, move)


def _is_part(beginning: bytes, place: Path) -> bool:
    try:
        commit = msgspec.json.decode(beginning, type=_Committed).commit
    except msgspec.DecodeError:
        return False
    return is_sealed(beginning) and place.name.startswith(f"{commit}-")


def _opened(place: Path) -> Any:
    """Create a file that no other user can read, locked until it is closed."""
    while True:
        file = _new(place)
        held(file)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), os.stat(place)):
                return file
        file.close()  # another process has just taken the file for a leftover


def _new(place: Path) -> Any:
    """Create a file; one of the same name is a leftover of a killed game whose records are gone, and is deleted."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        try:
            return os.fdopen(os.open(place, flags, 0o600), "wb", buffering=0)
        except FileNotFoundError:
            place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        except FileExistsError:
            place.unlink()
        return os.fdopen(os.open(place, flags, 0o600), "wb", buffering=0)
    except OSError as error:
        why = f"the journal of a running game cannot be kept there: {error.strerror}; set XDG_STATE_HOME to a folder"
        raise BadInput(f"{place.parent}: {why} that can be written") from error


def is_sealed(content: bytes) -> bool:
    """Whether this is the public part of a journal."""
    return MARK in content.partition(b"\n")[0]


def whole_of(path: Path, content: bytes) -> bytes | None:
    """The complete journal for the public part in `content`; None if it is not on this machine."""
    header = msgspec.json.decode(content.partition(b"\n")[0])
    exact = _place_of(str(header.get("commit")), path)
    others = sorted(exact.parent.glob(f"{exact.name.rpartition('-')[0]}-*.jsonl")) if exact.parent.is_dir() else []
    for place in (exact, *others):  # the folder of the record may have been moved
        with contextlib.suppress(OSError, msgspec.DecodeError):
            whole = place.read_bytes()
            if place == exact or _fits(content, whole):
                return whole
    return None


def _fits(public: bytes, whole: bytes) -> bool:
    """Whether the complete journal contains all lines of the public part, in the same order."""
    ours, theirs = (msgspec.json.decode(text.partition(b"\n")[0]) for text in (public, whole))
    if {**theirs, "seed": "", "sealed": True} != ours:
        return False
    lines = iter(whole.split(b"\n")[1:])
    return all(line in lines for line in public.split(b"\n")[1:-1] if b'""' not in line)


def growing(path: Path, start: int = 0) -> bytes:
    """Return the complete journal of a game from byte `start` on, whether it still runs or is over. Raises OSError if
    it is missing. A finished journal has the same bytes."""
    for _ in range(2):  # the game may end between the two reads
        content = _from(path, 0, 4096)
        if not is_sealed(content):
            break
        header = content.partition(b"\n")[0]
        with contextlib.suppress(FileNotFoundError):
            return _from(_place_of(str(msgspec.json.decode(header).get("commit")), path), start, -1)
    else:
        raise FileNotFoundError(f"{path}: the whole journal is not here")
    return _from(path, start, -1)


def _from(path: Path, start: int, size: int) -> bytes:
    with path.open("rb") as file:
        file.seek(start)
        return file.read(size)
