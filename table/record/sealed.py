"""Journals of running games: a public part that everybody may read, and a private one.

While a game runs its journal holds a commitment to the seed and the public view of what happened, up to the current
round. The complete journal grows in a file that only this user can read, outside the folder of the records and named
after the commitment; it replaces the public one when the game is over. So a kill loses nothing: readers of a sealed
journal find the complete one there, or deal its tiles again if they are given the seed.
"""

import contextlib
import functools
import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from jantaku.table.disk import append, no_remains
from jantaku.table.errors import BadInput
from jantaku.table.record import left
from jantaku.table.record.digest import Digest

MARK = b'"sealed":true'
"""In the header only while the game is played, or if it never ended."""


class Secrets(NamedTuple):
    """What is not public. `begins`: the event with which a round begins; `shown` gives the public lines of an event
    that hides something, None for others; `masks` maps complete lines of frequent events to public ones."""

    begins: type
    shown: Callable[[Any], Iterable[dict[str, Any]] | None]
    masks: Mapping[bytes, bytes]


def commitment(seed: str, number: int) -> str:
    """The commitment to a seed that is published while the game is played. It reveals nothing of a seed that cannot be
    guessed."""
    return hashlib.blake2b(f"jantaku commitment 1|{seed}|{number}".encode(), digest_size=16).hexdigest()


def state(kind: str) -> Path:
    """Where what is hidden of everything of a kind is that is being played. BadInput if this user has no home."""
    given = os.environ.get("XDG_STATE_HOME", "")
    try:
        home = Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "state"
    except RuntimeError as error:
        raise BadInput(f"no place for what is hidden of running games: {error}; set XDG_STATE_HOME") from None
    return home / "jantaku" / kind


def folder() -> Path:
    """Where whole journals of running games are. BadInput as `state`."""
    return state("games")


def name_for(secret: str, path: Path) -> str:
    """The name there of what belongs to `path`; `secret` says which one it is."""
    here = hashlib.blake2b(os.path.abspath(path).encode(errors="surrogateescape"), digest_size=4).hexdigest()
    return f"{secret}-{here}"


def _place_of(commit: str, path: Path) -> Path:
    """Path of the complete journal for the sealed one at `path`."""
    return folder() / f"{name_for(commit, path)}.jsonl"


class Sealed:
    """The files of the journal of a running game: `whole`, which has everything (None if that is kept in memory, and
    lost by a kill: `buffered`), and the public part at `path`. OSError where one cannot be written."""

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
        """The first line of the whole journal, which is written first."""
        try:
            if not buffered:
                self._place = _place_of(commit, path)
                _take_up_once(self._place.parent)
                self.whole = _opened(self._place)
                left.note(self._place, path)
                append(self.whole, self.header)
            public = msgspec.structs.replace(header, seed="", commit=commit, sealed=True)
            append(self._public, msgspec.json.encode(public) + b"\n")
        except BaseException:
            self.drop()
            raise

    def end_round(self, text: bytes, public: bytes) -> None:
        """Called at the end of a round. `text` is all of it, with the header or whatever followed the round before, and
        is written already; `public` is the public view."""
        line = self._digest.line(text)
        if self.whole is None:
            self._kept += [text, line]
        else:
            append(self.whole, line)
            append(self._public, public)

    def close(self) -> None:
        """Called at the end of the game: the complete journal replaces the public one."""
        if self._place is None:  # a buffered journal replaces the public part in place
            self._public.seek(0)
            append(self._public, b"".join(self._kept))
            self._public.truncate()
            self._public.close()
            return
        mode = os.fstat(self._public.fileno()).st_mode
        with contextlib.suppress(OSError):
            os.chmod(self._place, mode)
        move(self._place, self._path)  # while it is held
        left.forget(self._place)
        self.leave()

    def leave(self) -> None:
        """Close the files as they are: something could not be written."""
        self._public.close()
        if self.whole is not None:
            self.whole.close()

    def drop(self) -> None:
        """Delete the files: there was no game."""
        for place in (self._path, self._place):
            with contextlib.suppress(OSError):
                if place is not None:
                    left.forget(place)
                    place.unlink()
        self.leave()


def move(place: Path, path: Path) -> None:
    """Put a file in the place of what is at `path`, also on another file system. It is there whole or not at all."""
    try:
        os.replace(place, path)
        return
    except OSError:  # on another file system, most likely
        part = path.with_name(path.name + ".part")
    with no_remains(part):
        part.write_bytes(place.read_bytes())
        os.replace(part, path)
    place.unlink(missing_ok=True)


class _Committed(msgspec.Struct):
    """Of a header."""

    commit: str


@functools.cache
def _take_up_once(folder: Path) -> None:
    """See `left`: what games have left that were killed before this process began."""
    left.take_up(folder, _is_part, move)


def _is_part(beginning: bytes, place: Path) -> bool:
    try:
        commit = msgspec.json.decode(beginning, type=_Committed).commit
    except msgspec.DecodeError:
        return False
    return is_sealed(beginning) and place.name.startswith(f"{commit}-")


def _opened(place: Path) -> Any:
    """A new file that no other user can read, held until it is closed."""
    while True:
        file = _new(place)
        left.held(file)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), os.stat(place)):
                return file
        file.close()  # somebody has looked just then, and taken it for left


def _new(place: Path) -> Any:
    """A file of that name is left over from a killed game whose records are gone."""
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


# --- reading


def is_sealed(content: bytes) -> bool:
    """Whether this is the public part of a journal."""
    return MARK in content.partition(b"\n")[0]


def whole_of(path: Path, content: bytes) -> bytes | None:
    """The complete journal for the public part in `content`, if it is on this machine."""
    header = msgspec.json.decode(content.partition(b"\n")[0])
    exact = _place_of(str(header.get("commit")), path)
    others = sorted(exact.parent.glob(f"{exact.name.rpartition('-')[0]}-*.jsonl")) if exact.parent.is_dir() else []
    for place in (exact, *others):  # the folder may have been moved
        with contextlib.suppress(OSError, msgspec.DecodeError):
            whole = place.read_bytes()
            if place == exact or _fits(content, whole):
                return whole
    return None


def _fits(public: bytes, whole: bytes) -> bool:
    """Whether everything in the public part is in the complete one, in that order."""
    ours, theirs = (msgspec.json.decode(text.partition(b"\n")[0]) for text in (public, whole))
    if {**theirs, "seed": "", "sealed": True} != ours:
        return False
    lines = iter(whole.split(b"\n")[1:])
    return all(line in lines for line in public.split(b"\n")[1:-1] if b'""' not in line)


def growing(path: Path, start: int = 0) -> bytes:
    """The complete journal of a game from byte `start` on, whether it is still played or over. OSError if it is
    missing. A finished journal has the same bytes."""
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
