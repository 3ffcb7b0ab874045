"""Recovers journals left over from killed games: the next game of the same user moves them to their place.

Beside each complete journal of a running game (`sealed.py`) is a link to its destination, and the journal is locked
while its game is played. One that is not locked replaces its public part; if that was removed, it is deleted as well;
if even the folder is missing (moved, or on another disk), it is deleted after some weeks.
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
except ImportError:  # no such locks here: everything may be in use
    fcntl = None  # type: ignore[assignment]

LONG = 30 * 86_400.0
"""Seconds for which leftovers without a folder are kept."""
_AT = ".at"


def note(place: Path, path: Path) -> None:
    """What is at `place` belongs to `path`."""
    with contextlib.suppress(OSError):
        link = place.with_suffix(_AT)
        link.unlink(missing_ok=True)
        link.symlink_to(os.path.abspath(path))


def forget(place: Path) -> None:
    """What was at `place` is where it belongs, or nowhere."""
    with contextlib.suppress(OSError):
        place.with_suffix(_AT).unlink(missing_ok=True)


def belongs_to(place: Path) -> Path | None:
    """The destination of what is at `place`; None if it has no link."""
    try:
        return Path(os.readlink(place.with_suffix(_AT)))
    except OSError:
        return None


def held(file: IO[bytes]) -> bool:
    """Lock a file as long as it is open; False if another process does, or locks are not supported."""
    if sys.platform == "win32" or fcntl is None:
        return False
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def old_of(folder: Path) -> Iterator[tuple[Path, bool]]:
    """What is in a folder, links apart, and whether it has been there for long. Nothing if it cannot be looked at."""
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
    """Do so with all journals in `folder`. `is_part` says of the beginning of a file whether it is the public part of
    what is at a place; `move` puts a file in the place of another one."""
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
