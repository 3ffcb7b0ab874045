"""Journals of games that are being played: what everybody may read, and what only the table may.

While a game runs its journal holds a commitment to the seed and what happened as the public sees it, up to the round
that is being played. The whole journal grows in a file of the same user's own, outside the folder of the records and
named after the commitment; it takes the place of the other when the game is over. So a kill loses nothing: readers of a
journal that is still sealed find the whole one there, or deal its tiles again if they are given the seed.
"""

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from table.errors import BadInput
from table.record.digest import Digest

MARK = b'"sealed":true'
"""What only the header of a journal has whose game is being played, or was never ended."""


class Secrets(NamedTuple):
    """What the public does not see. `begins`: the event with which a round begins; `shown` gives the public lines of an
    event that hides something, None for others; `masks` has the public line for the whole one of what happens often."""

    begins: type
    shown: Callable[[Any], Iterable[dict[str, Any]] | None]
    masks: Mapping[bytes, bytes]


def commitment(seed: str, number: int) -> str:
    """What a journal tells of its seed while the game is played. It gives nothing away of a seed that cannot be
    guessed."""
    return hashlib.blake2b(f"jantaku commitment 1|{seed}|{number}".encode(), digest_size=16).hexdigest()


def folder() -> Path:
    """Where whole journals of running games are. BadInput if this user has no home."""
    given = os.environ.get("XDG_STATE_HOME", "")
    try:
        state = Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "state"
    except RuntimeError as error:
        raise BadInput(f"no place for the journals of running games: {error}; set XDG_STATE_HOME") from None
    return state / "jantaku" / "games"


def _place_of(commit: str, path: Path) -> Path:
    """The whole journal for one that is sealed at `path`."""
    here = hashlib.blake2b(os.path.abspath(path).encode(errors="surrogateescape"), digest_size=4).hexdigest()
    return folder() / f"{commit}-{here}.jsonl"


class Sealed:
    """The files of a journal whose game is played: `whole`, where all of it grows (None if it is kept in memory, and a
    kill loses it: `buffered`), and the public part at `path`. OSError where one cannot be written."""

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
                self.whole = _opened(self._place)
                _write_all(self.whole, self.header)
            public = msgspec.structs.replace(header, seed="", commit=commit, sealed=True)
            _write_all(self._public, msgspec.json.encode(public) + b"\n")
        except BaseException:
            self.drop()
            raise

    def end_round(self, text: bytes, public: bytes) -> None:
        """A round is over. `text` is all of it, with the header or what stood behind the round before, and is written;
        `public` is what the public saw."""
        line = self._digest.line(text)
        if self.whole is None:
            self._kept += [text, line]
        else:
            _write_all(self.whole, line)
            _write_all(self._public, public)

    def close(self) -> None:
        """The game is over: the whole journal takes the place of the public part."""
        if self._place is None:  # such a journal is worth nothing before it is whole: it is written over what there is
            self._public.seek(0)
            _write_all(self._public, b"".join(self._kept))
            self._public.truncate()
            self._public.close()
            return
        mode = os.fstat(self._public.fileno()).st_mode
        self.leave()
        try:
            os.chmod(self._place, mode)
            os.replace(self._place, self._path)
        except OSError:  # on another file system, most likely
            self._copy(self._place)

    def _copy(self, place: Path) -> None:
        part = self._path.with_name(self._path.name + ".part")
        try:
            part.write_bytes(place.read_bytes())
            os.replace(part, self._path)
        except OSError:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            raise
        place.unlink(missing_ok=True)

    def leave(self) -> None:
        """Let go of the files as they are: something could not be written."""
        self._public.close()
        if self.whole is not None:
            self.whole.close()

    def drop(self) -> None:
        """There was no game: leave no file."""
        self.leave()
        for place in (self._path, self._place):
            with contextlib.suppress(OSError):
                if place is not None:
                    place.unlink()


def _opened(place: Path) -> Any:
    """A new file that no other user can read. One of that name is left of a killed game whose records are gone."""
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


def _write_all(file: Any, text: bytes) -> None:
    while text:
        text = text[file.write(text) :]


# --- reading


def is_sealed(content: bytes) -> bool:
    """Whether this is the public part of a journal."""
    return MARK in content.partition(b"\n")[0]


def whole_of(path: Path, content: bytes) -> bytes | None:
    """The whole journal for the public part in `content`, if it is on this machine."""
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
    """Whether all that the public part tells without hiding anything stands in the whole one, in that order."""
    ours, theirs = (msgspec.json.decode(text.partition(b"\n")[0]) for text in (public, whole))
    if {**theirs, "seed": "", "sealed": True} != ours:
        return False
    lines = iter(whole.split(b"\n")[1:])
    return all(line in lines for line in public.split(b"\n")[1:-1] if b'""' not in line)


def growing(path: Path, start: int = 0) -> bytes:
    """What the whole journal of a game holds from byte `start` on, while it is played or when it is over. OSError if
    there is none, or not any more. A journal that is over has the same bytes."""
    for _ in range(2):  # between two looks the game may end
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
