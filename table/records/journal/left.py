"""Recovers journals left behind by killed games: the next game of the same user moves them to their place.

Next to each complete journal of a running game (`sealed.py`) is a link to its destination, and the journal is locked
while its game is played. An unlocked journal replaces its public part. If the public part was removed, the journal is
deleted as well; if even the folder is missing (moved, or on another disk), it is deleted after `LONG`.
"""

import contextlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

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
